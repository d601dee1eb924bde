"""What was found for a provider, in a few words, the loudest first: for the list of providers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render.styles import SEVERITIES, VERDICTS, WAITING, Look
from lockwarden.tui.render.text import cells

CHANGE_CODES = frozenset(kind.code for kind in ChangeKind)
ALARMS = frozenset({ProblemCode.KEY_CHANGED, ProblemCode.PINNED_KEY_MISSING})
"""Codes of problems that outrank any verdict."""
_VERSIONS = frozenset({ChangeKind.UPGRADE, ChangeKind.VERSION_DOWN})
_SILENT = frozenset({Outcome.NO_ANSWER, Outcome.NOT_ASKED})


def of_provider(provider: ProviderReview) -> Look:
    """The look of the worst that was found for a provider."""
    if provider.objected:
        return VERDICTS[Verdict.DISOWNED]
    if provider.waiting:
        return WAITING
    if any(each.severity is Severity.WARNING for each in provider.changes):
        return SEVERITIES[Severity.WARNING]
    if provider.incomplete:
        return VERDICTS[Verdict.UNCHECKED]
    return VERDICTS[Verdict.NEW if provider.counts.get(Verdict.NEW) else Verdict.CONFIRMED]


def describe_findings(provider: ProviderReview, sides: Sequence[BaseSide] = (), *, width: int = 0) -> str:
    """What was found, and what changed against the base; as much of it as fits into `width` cells, if that is given.

    A part that does not fit is left out whole, with an ellipsis in its place; the first one always stays.
    """
    parts = list(_parts(provider, sides)) or ["no hash"]
    if not width:
        return ", ".join(parts)
    shown = parts[0]
    for place, part in enumerate(parts[1:], 1):
        more = "" if place + 1 == len(parts) else ", …"
        if cells(f"{shown}, {part}{more}") > width:
            return f"{shown}, …" if cells(f"{shown}, …") <= width else shown
        shown = f"{shown}, {part}"
    return shown


def _parts(provider: ProviderReview, sides: Sequence[BaseSide]) -> Iterator[str]:
    """From the alarm over findings and what stayed open to what is merely different."""
    counts, approved = provider.counts, provider.approved
    errors = [each.code for each in provider.problems if each.severity is Severity.ERROR]
    loud = [code for code in errors if code in ALARMS or code in CHANGE_CODES]
    found = [*_names(loud)]
    if disowned := counts.get(Verdict.DISOWNED, 0):
        found.append(f"{disowned} {Verdict.DISOWNED}")
    if unexplained := counts.get(Verdict.UNEXPLAINED, 0) - approved:
        found.append(f"{unexplained} {Verdict.UNEXPLAINED}")
    found += _names(code for code in errors if code not in loud)
    yield from found
    if earlier := _earlier(provider, sides):
        yield f"was {earlier}"
    yield from _changes(provider, Severity.WARNING)
    rest = [f"{approved} approved"] if approved else []
    rest += [f"{counts[each]} {each}" for each in (Verdict.UNCHECKED,) if counts.get(each)]
    if provider.audit is not None:
        rest += [
            f"{each.source.id}: {each.outcome}" for each in provider.audit.source_answers if each.outcome in _SILENT
        ]
    rest += [f"{counts[each]} {each}" for each in (Verdict.NEW,) if counts.get(each)]
    yield from rest
    yield from _changes(provider, Severity.NOTE)
    if not found and not rest and counts.get(Verdict.CONFIRMED):
        yield f"{counts[Verdict.CONFIRMED]} {Verdict.CONFIRMED}"


def _names(codes: Iterable[ProblemCode]) -> list[str]:
    return [meaning_of(code).name for code in dict.fromkeys(codes)]


def _changes(provider: ProviderReview, severity: Severity) -> list[str]:
    """The classes of the changes of one severity; that the version differs is said by the earlier one."""
    kinds = [each.kind for each in provider.changes if each.severity is severity]
    return _names(kind.code for kind in kinds if kind is not ChangeKind.UPGRADE)


def _earlier(provider: ProviderReview, sides: Sequence[BaseSide]) -> str:
    """The versions that the base has instead, where that is a change."""
    if not any(each.kind in _VERSIONS for each in provider.changes):
        return ""
    entries = (side.before(provider.address) for side in sides)
    versions = dict.fromkeys(str(each.version) for each in entries if each is not None)
    return " and ".join(each for each in versions if each != str(provider.entry.version))

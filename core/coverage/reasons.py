"""Why a cell is as it is, in a sentence, and what to do about it.

The cell's platform and source stand beside the sentence wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from lockwarden.core.coverage.case import Case
from lockwarden.core.coverage.checks import Shape
from lockwarden.core.coverage.outcomes import CoverageOutcome
from lockwarden.core.evidence.platform_names import meant_platform
from lockwarden.core.evidence.source_answers import Outcome, SourceKind
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.hashes import H1, ZH
from lockwarden.core.values.platforms import Platform, by_popularity

_NAMED: Final = 5
_RUNS_FAIL: Final = (
    "a run compares the unpacked folder's h1, which is not locked: init adds it when it may write, which"
    " is what the answer goes by; with -lockfile=readonly every run fails"
)
_ONLY_ZH: Final = "an unpacked package is not compared with a zh, and the entry has nothing else"
_NO_PROVIDER: Final = frozenset({Stage.DISCOVERY, Stage.VERSIONS})
"""Where a registry ends an audit that is none, or does not know the provider: no version of it can be chosen."""
_UNSEEN: Final = "the package was not looked at"


class Why(Struct, frozen=True):
    """A reason and its remedy."""

    reason: str
    remedy: str = ""


def wrong_client(case: Case) -> Why:
    """The client has no such sources."""
    return Why(
        f"{case.client.command} knows no OCI mirrors, so that it cannot install from there",
        "give it a network mirror or a filesystem mirror",
    )


def refused_package(case: Case, refusal: str) -> Why:
    """The client refuses the package by itself, before or after it looks at the lock file."""
    return Why(
        f"{case.client.command} refuses the package whatever is locked: {refusal}",
        f"no change of the lock file helps; ask who runs {_keeper(case)}",
    )


def refused_cache(refusal: str) -> Why:
    """What lies in a cache is the locked package, and cannot be used all the same."""
    return Why(
        f"its h1 is locked, so that the client looks nowhere else, and it cannot be used: {refusal}",
        "remove it from there, so that the client asks its sources",
    )


def absent(case: Case) -> Why:
    """There is no package."""
    if case.answer.outcome is Outcome.NOT_THERE:
        text = case.answer.detail or "the source does not have this version"
    else:
        text = (case.package and case.package.detail) or "the source has this version, but not for this platform"
    if case.answer.source.is_origin and case.answer.ended_at in _NO_PROVIDER:
        return Why(text, f"install from another source{f'; {case.answer.hint}' if case.answer.hint else ''}")
    meant = meant_platform(case.platform, case.evidence.audit)
    rather = f"did you mean {meant}? If not, " if meant else ""
    remedy = f"{rather}install from another source, have the package put there, or choose a version that it has"
    return Why(text, remedy)


def mismatch(case: Case) -> Why:
    """No locked hash is one of the package's."""
    shape = case.shapes[0]
    usable = case.allowed.usable(shape.compared)
    if not usable:
        return _nothing_to_match(case, shape)
    if shape is Shape.ARCHIVE and case.folder_h1 & usable:
        return Why("the locked h1 is that of the unpacked folder, and the archive has another one", _add(case, "zh"))
    if shape is Shape.FOLDER and case.archive_h1s & usable:
        return Why("the locked h1 is that of the archive, and the unpacked folder has another one", _add(case, H1))
    known = case.evidence.platforms_of
    if any(case.platform in known.get(hash_, ()) for hash_ in usable):
        what = "content" if shape is Shape.FOLDER else "archive"
        return Why(f"its {what} is another than the one that is locked for this platform", _find_out(case))
    if shape is Shape.FOLDER and any(case.platform in known.get(zh, ()) for zh in case.allowed.usable(frozenset({ZH}))):
        return Why(
            "of this platform only a zh is locked, and an unpacked package is compared by its h1", _add(case, H1)
        )
    if all(hash_ in known for hash_ in usable):
        others = frozenset[Platform]().union(*(known[hash_] for hash_ in usable))
        return Why(f"only hashes of other platforms are locked: {_names(others)}", _add(case))
    return Why(
        f"none of the {len(usable)} locked hashes that could match is one of the package's"
        if len(usable) > 1
        else "the one locked hash that could match is not the package's",
        "find out first whether the release was made anew or the source gives out something else; the verdicts on the"
        " locked hashes tell who vouches for them",
    )


def _nothing_to_match(case: Case, shape: Shape) -> Why:
    if shape is Shape.BLOB:
        return Why("a package of an OCI mirror is compared by its zh alone, and the entry has none", _add(case, "zh"))
    what = H1 if shape is Shape.FOLDER else "hash"
    return Why(f"no {what} of the entry can match any package", _add(case))


def matched(case: Case, *, runs: bool) -> Why:
    """A locked hash is the package's; `runs` says whether the folder's `h1` is locked too."""
    compared = case.allowed.usable(case.shapes[0].compared)
    schemes = sorted({hash_.scheme for hash_ in case.known & compared})
    text = f"the locked {' and '.join(schemes)} {'match' if len(schemes) > 1 else 'matches'}{_of_memory(case)}"
    return Why(text) if runs else Why(f"{text}; {_RUNS_FAIL}", _add(case, H1))


def _of_memory(case: Case) -> str:
    """Where a source's promise of a digest stands for its package, that the package itself was not fetched."""
    when = case.evidence.remembered(case.answer, case.platform)
    if when is None:
        return ""
    return f" bytes of {when:%Y-%m-%d} with the digest that the source promises, which were not fetched again"


def anything(case: Case) -> Why:
    """The client compares the package with nothing."""
    if case.allowed.hashes:
        return Why(f"{_ONLY_ZH}: any package passes; {_RUNS_FAIL}", _add(case, H1))
    return Why(
        f"{_no_hash(case)}: any package passes, and every run takes it; init adds the h1 of what came", _add(case)
    )


def _no_hash(case: Case) -> str:
    return "the entry has only hashes that no client knows" if case.entry.hashes else "the entry has no hashes"


def passed_over(case: Case) -> Why:
    """A cache is of no use, and of no harm."""
    if case.absent:
        return Why("it holds no such package, so that the client asks its sources")
    if case.folder_h1:
        return Why("no locked h1 is that of what lies there, so that the client asks its sources")
    if case.package is not None and case.package.client_refusal:
        return Why(f"the client asks its sources: {case.package.client_refusal}")
    return Why("the entry has no h1 that could match, so that the client asks its sources")


def opened(case: Case, *, expected: CoverageOutcome | None, runs_fail: bool) -> Why:
    """Why it cannot be said, and what can be said all the same."""
    parts = [_not_known(case), _expectation(case, expected)]
    if runs_fail:
        parts.append("no run works with the entry as it is, which has no h1 that could match")
    return Why("; ".join(part for part in parts if part), _to_know(case, expected))


def _not_known(case: Case) -> str:
    answer, package = case.answer, case.package
    if answer.outcome is not Outcome.ANSWERED:
        what = "was not asked" if answer.outcome is Outcome.NOT_ASKED else "did not answer"
        return _with(f"the source {what}", answer.detail)
    if package is None:
        return "the source does not name this platform, and was not asked for it" if case.unnamed else _UNSEEN
    if package.outcome is Outcome.ANSWERED:
        return _with("the package could not be hashed", package.detail)
    return _with(_UNSEEN if package.outcome is Outcome.NOT_ASKED else "the package could not be had", package.detail)


def _expectation(case: Case, expected: CoverageOutcome | None) -> str:
    if expected is CoverageOutcome.ACCEPTS_ANYTHING:
        return f"{_ONLY_ZH if case.allowed.hashes else _no_hash(case)}, so that any package would pass"
    if expected is CoverageOutcome.REFUSED:
        return "what the source names for it is not locked, so that it would be refused if that is what it gives out"
    if expected is None:
        return ""
    if case.package is not None and case.package.zh in case.allowed.hashes:
        return "its zh is locked"
    return "what the source names for it is locked, so that it would pass if that is what it gives out"


def _to_know(case: Case, expected: CoverageOutcome | None) -> str:
    if case.answer.outcome is Outcome.NOT_ASKED:
        return case.answer.hint or "check again with this source"
    package = case.package
    if case.answer.outcome is Outcome.NO_ANSWER or (package is not None and package.outcome is Outcome.NO_ANSWER):
        return case.answer.hint or (package is not None and package.hint) or "check again when it answers"
    if package is not None and package.outcome is Outcome.ANSWERED:
        return "look at the package by other means before you rely on it"
    if expected in {CoverageOutcome.REFUSED, CoverageOutcome.ACCEPTS_ANYTHING}:
        return _add(case)
    return f"check again with “--platform {case.platform}”"


def _add(case: Case, scheme: str = "") -> str:
    what = f"its {scheme}" if scheme else "its hashes"
    return f"review the package and add {what} with “lockwarden lock --platform {case.platform}”"


def _find_out(case: Case) -> str:
    if case.kind is SourceKind.DIRECT:
        return "do not lock it before you know why: ask the author whether the release was made anew"
    return f"do not lock it before you know why: compare it with the origin's, and ask who runs {_keeper(case)}"


def _keeper(case: Case) -> str:
    return "the registry" if case.kind is SourceKind.DIRECT else case.answer.source.id


def _names(platforms: Iterable[Platform]) -> str:
    names = [str(platform) for platform in sorted(platforms, key=by_popularity)]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _with(text: str, detail: str) -> str:
    return f"{text}: {detail}" if detail else text

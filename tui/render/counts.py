"""The counts behind the answer: what speaks against committing, loudest first, and what the verdicts are. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render.provider_lines import ALARMS, CHANGE_CODES
from lockwarden.tui.render.styles import APPROVED, REMOVED, SEVERITIES, UNWRITTEN, VERDICTS, WAITING, Look


class CountKind(Enum):
    """What is counted, which decides what is left out first where there is little room."""

    UNWRITTEN = auto()
    """Decisions that would be lost by leaving: no room is too small for them."""
    LOUD = auto()
    """A provider with an alarm, or with a change that objects."""
    FINDING = auto()
    ERROR = auto()
    WARNING = auto()
    OPEN = auto()
    APPROVED = auto()
    NEW = auto()
    REMOVED = auto()
    GOOD = auto()
    ASIDE = auto()
    WAITING = auto()


class Count(Struct, frozen=True, kw_only=True):
    """So many of something."""

    kind: CountKind
    number: int
    word: str
    look: Look
    filter: str = ""
    """What choosing the count shows alone, as it would be typed; empty when that means nothing."""
    opens: str = ""
    """The action of the review that choosing it does instead, where no list of hashes can be narrowed to it."""

    @property
    def text(self) -> str:
        """The count in words, behind its glyph."""
        return f"{self.look.glyph} {self.number} {self.word}"


Form = tuple[Count, ...]
ON_ONE_LINE: Final = 3
"""Forms of the counts that may stand behind the words; shorter ones get a line of their own."""


def counts_of(review: Review) -> Form:
    """Everything that is counted, in the order in which it is told; nothing that there is none of."""
    verdicts, approved = review.counts, sum(each.approved for each in review.providers if not each.waiting)
    waiting, removed = sum(each.waiting for each in review.providers), len(review.removed)
    unexplained = verdicts.get(Verdict.UNEXPLAINED, 0) - approved
    found = (
        *_errors(review, loud=True),
        _verdict(CountKind.FINDING, Verdict.DISOWNED, verdicts.get(Verdict.DISOWNED, 0)),
        _verdict(CountKind.FINDING, Verdict.UNEXPLAINED, unexplained),
        *_errors(review, loud=False),
        *_warnings(review),
        _verdict(CountKind.OPEN, Verdict.UNCHECKED, verdicts.get(Verdict.UNCHECKED, 0)),
        Count(kind=CountKind.APPROVED, number=approved, word="approved", look=APPROVED, filter="verdict:approved"),
        _verdict(CountKind.NEW, Verdict.NEW, verdicts.get(Verdict.NEW, 0)),
        Count(
            kind=CountKind.REMOVED,
            number=removed,
            word=_plural("provider", removed) + " removed",
            look=REMOVED,
            opens="about",
        ),
        _verdict(CountKind.GOOD, Verdict.CONFIRMED, verdicts.get(Verdict.CONFIRMED, 0)),
        _verdict(CountKind.ASIDE, Verdict.OFFERED, verdicts.get(Verdict.OFFERED, 0)),
        Count(kind=CountKind.WAITING, number=waiting, word="waiting", look=WAITING, filter="is:waiting"),
    )
    return tuple(each for each in found if each.number)


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"


def _verdict(kind: CountKind, verdict: Verdict, number: int) -> Count:
    return Count(kind=kind, number=number, word=str(verdict), look=VERDICTS[verdict], filter=f"verdict:{verdict}")


def _errors(review: Review, *, loud: bool) -> Iterator[Count]:
    """How many providers have which error; the alarms and the changes are loud. Then those of policy and approvals."""
    per_code = _providers_by_code(review, Severity.ERROR)
    order = sorted(per_code, key=lambda code: code not in ALARMS)
    for code in order:
        if (code in ALARMS or code in CHANGE_CODES) is loud:
            kind = CountKind.LOUD if loud else CountKind.ERROR
            yield _problem(kind, code, per_code[code], SEVERITIES[Severity.ERROR], query=f"problem:{code}")
    if not loud:
        for code, number in _by_code(review.problems, Severity.ERROR).items():
            yield _problem(CountKind.ERROR, code, number, SEVERITIES[Severity.ERROR], opens="about")


def _warnings(review: Review) -> Iterator[Count]:
    """How many providers have which change that warns, and what else does."""
    for code, number in _providers_by_code(review, Severity.WARNING).items():
        if code in CHANGE_CODES:
            yield _problem(CountKind.WARNING, code, number, SEVERITIES[Severity.WARNING], query=f"problem:{code}")
    for code, number in _by_code(review.problems, Severity.WARNING).items():
        yield _problem(CountKind.WARNING, code, number, SEVERITIES[Severity.WARNING], opens="about")


def _problem(kind: CountKind, code: ProblemCode, number: int, look: Look, *, query: str = "", opens: str = "") -> Count:
    return Count(kind=kind, number=number, word=meaning_of(code).name, look=look, filter=query, opens=opens)


def _providers_by_code(review: Review, severity: Severity) -> Counter[ProblemCode]:
    by_weight = sorted((each for each in review.providers if each.problems), key=lambda each: each.weight)
    return Counter(code for each in by_weight for code in _by_code(each.problems, severity))


def _by_code(problems: Iterable[Problem], severity: Severity) -> Counter[ProblemCode]:
    return Counter(each.code for each in problems if each.severity is severity)


def forms(counts: Form) -> tuple[Form, ...]:
    """The counts from the fullest form to the shortest."""
    merged = _without(_merged(counts), CountKind.ASIDE)
    settled = _without(merged, CountKind.WAITING)
    plainer = _without(settled, CountKind.NEW, CountKind.REMOVED)
    graver = _without(plainer, CountKind.APPROVED, CountKind.GOOD)
    gravest = _without(graver, CountKind.WARNING)
    few = _firsts(gravest, CountKind.LOUD, CountKind.ERROR)
    return (
        counts,
        _without(counts, CountKind.ASIDE),
        merged,
        settled,
        plainer,
        graver,
        _firsts(plainer, CountKind.WARNING),
        _firsts(graver, CountKind.WARNING),
        gravest,
        few,
        _without(few, CountKind.ERROR, CountKind.OPEN),
        few[: 1 + any(each.kind is CountKind.UNWRITTEN for each in few)] or plainer[:1],
    )


def unwritten_count(number: int) -> Form:
    """The decisions that are not in the lock file yet, before everything else; nothing where there are none."""
    word = f"{_plural('decision', number)} unwritten"
    return (Count(kind=CountKind.UNWRITTEN, number=number, word=word, look=UNWRITTEN, opens="diff"),) if number else ()


def _without(counts: Form, *kinds: CountKind) -> Form:
    return tuple(each for each in counts if each.kind not in kinds)


def _firsts(counts: Form, *kinds: CountKind) -> Form:
    """Of these kinds only the first count each."""
    seen: set[CountKind] = set()
    kept = []
    for each in counts:
        if each.kind not in kinds or each.kind not in seen:
            kept.append(each)
        seen.add(each.kind)
    return tuple(kept)


def _merged(counts: Form) -> Form:
    """Findings of several verdicts as one count, in the place of the first."""
    findings = [each for each in counts if each.kind is CountKind.FINDING]
    if len(findings) < 2:
        return counts
    number = sum(each.number for each in findings)
    together = Count(
        kind=CountKind.FINDING,
        number=number,
        word="findings",
        look=findings[0].look,
        filter="verdict:finding",
    )
    first = counts.index(findings[0])
    rest = [each for each in counts if each.kind is not CountKind.FINDING]
    return (*rest[:first], together, *rest[first:])

"""What a run has to tell, as one list for every format: problems, changes and verdicts, the loudest first."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.approvals.model import Approval
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.reason_lines import reason_lines
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.reports.unanswered import unanswered
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.open_codes import OPEN_CODES, OPEN_METADATA, OPEN_MODULES, OPEN_STANDARDS
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow, Moved
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_CHANGE_CODES: Final = frozenset(kind.code for kind in ChangeKind)
_ALARMS: Final = frozenset(
    {
        ProblemCode.KEY_CHANGED,
        ProblemCode.PINNED_KEY_MISSING,
        ProblemCode.ACCEPTS_ANY_PACKAGE,
        ProblemCode.ENTRY_REMOVED,
        ProblemCode.LOCK_FILE_DISPLACED,
    }
)
_UNREADABLE: Final = (-1, 0)
_SEVERITIES: Final = {severity: place for place, severity in enumerate(Severity)}
_RANKS: Final = {ProblemCode.DISOWNED: 2, ProblemCode.UNEXPLAINED: 3}
_VERDICTS: Final = {
    Verdict.DISOWNED: ProblemCode.DISOWNED,
    Verdict.UNEXPLAINED: ProblemCode.UNEXPLAINED,
    Verdict.UNCHECKED: ProblemCode.UNCHECKED,
    Verdict.CONFIRMED: ProblemCode.APPROVED,
}
"""What a locked hash is told as; a confirmed one only where a record accepts it."""


class Finding(Struct, frozen=True, kw_only=True):
    """One thing to tell, of a provider or of the lock file itself."""

    code: ProblemCode
    """Stable: of the problem, or the verdict."""
    severity: Severity
    message: str
    """One sentence without a full stop."""
    lines: tuple[str, ...] = ()
    """What led there and what to do, a line each."""
    line: int | None = None
    """Line in the lock file, from 1; None where no line is to blame."""
    subject: str = ""
    """The hash that it is about, in full; empty when it is about no single one."""
    approval: Approval | None = None
    """The record that accepts it."""

    @property
    def is_change(self) -> bool:
        """Whether it tells of a change against the base."""
        return self.code in _CHANGE_CODES

    @property
    def is_open(self) -> bool:
        """Whether it says that something was not checked."""
        return self.code in {
            ProblemCode.UNCHECKED,
            ProblemCode.INCOMPLETE,
            ProblemCode.PLATFORM_UNCHECKED,
            *OPEN_CODES,
            *OPEN_STANDARDS,
            *OPEN_METADATA,
            *OPEN_MODULES,
        }

    @property
    def name(self) -> str:
        """Its class in a few words."""
        from lockwarden.core.reports.meanings import meaning_of  # the tables: where nothing is told, nobody asks

        return meaning_of(self.code).name


class LocatedFinding(Struct, frozen=True, kw_only=True):
    """A finding with the lock file and the provider that it is about."""

    file: FileResult
    provider: ProviderReview | None
    """None for what is about the lock file itself."""
    finding: Finding
    weight: tuple[int, int] = sys.maxsize, 0
    """The provider's; what is about the lock file itself comes after what is as loud and about a provider."""

    @property
    def release(self) -> str:
        """The provider version in short, or the empty string."""
        return "" if self.provider is None else release_of(self.provider)

    @property
    def path(self) -> str:
        """The file that it stands in."""
        return self.file.path

    @property
    def about(self) -> str:
        """By what it is known again, wherever it stands."""
        return "" if self.provider is None else str(self.provider.address)


def release_of(provider: ProviderReview) -> str:
    """How sentences call the provider version."""
    return f"{provider.address.namespace}/{provider.address.type} {provider.entry.version}"


def loudest_first(review: Review) -> tuple[ProviderReview, ...]:
    """The providers by weight, then by address."""
    return tuple(sorted(review.providers, key=lambda each: (each.weight, each.address.sort_key)))


def findings_of_run(result: RunResult) -> tuple[LocatedFinding, ...]:
    """Everything that any format tells of a run, the loudest first, whichever file it is in."""
    return _sorted(told for file in result.files for told in _of_file(file))


def findings_of_file(file: FileResult) -> tuple[LocatedFinding, ...]:
    """The same for one lock file."""
    return _sorted(_of_file(file))


def provider_findings(provider: ProviderReview) -> tuple[Finding, ...]:
    """What is to tell of one provider, the loudest first."""
    return tuple(sorted(_of_provider(provider), key=rank_of))


def file_findings(file: FileResult) -> Iterator[Finding]:
    """What is to tell of a lock file itself, in no order."""
    yield from map(_of_problem, file.problems)
    if file.review is None:
        return
    yield from map(_of_problem, file.review.problems)
    for entry in file.review.removed:
        message = f"{entry.address} {entry.version} is not locked any more"
        yield Finding(
            code=ProblemCode.PROVIDER_REMOVED, severity=Severity.NOTE, message=message, subject=str(entry.address)
        )


def _of_file(file: FileResult) -> Iterator[LocatedFinding]:
    for finding in file_findings(file):
        yield LocatedFinding(file=file, provider=None, finding=finding)
    if file.review is None:
        return
    for provider in file.review.providers:
        weight = provider.weight
        for finding in provider_findings(provider):
            yield LocatedFinding(file=file, provider=provider, finding=finding, weight=weight)


def _sorted(all_told: Iterable[LocatedFinding]) -> tuple[LocatedFinding, ...]:
    return tuple(sorted(all_told, key=_order))


def _order(told: LocatedFinding) -> tuple[tuple[int, int], tuple[int, int], tuple[str, ...]]:
    rank = _UNREADABLE if told.file.unreadable else rank_of(told.finding)
    return (rank, told.weight, () if told.provider is None else told.provider.address.sort_key)


def rank_of(finding: Finding) -> tuple[int, int]:
    """Severity first; then the alarm and changes, disowned, unexplained, and all else in the order in which it came."""
    loud = finding.is_change or finding.code in _ALARMS
    return (_SEVERITIES[finding.severity], 1 if loud else _RANKS.get(finding.code, 4))


def finding_message(problem: Problem | FileProblem) -> str:
    """A problem's sentence with the source that it is of, unless it begins with that."""
    source = problem.source if isinstance(problem, Problem) else ""
    told = not source or problem.message.startswith(f"{source} ")
    return problem.message if told else f"{problem.message} ({source})"


def _of_problem(problem: Problem | FileProblem, line: int | None = None) -> Finding:
    return Finding(
        code=problem.code,
        severity=problem.severity,
        message=finding_message(problem),
        lines=(f"→ {problem.hint}",) if problem.hint else (),
        line=problem.line if isinstance(problem, FileProblem) else line,
    )


def _of_provider(provider: ProviderReview) -> Iterator[Finding]:
    line, came = provider.entry.line, _first_that_came(provider)
    for problem in provider.problems:
        # Tools for reviewers show only what stands on a changed line, and the block's first line seldom is one.
        yield _of_problem(problem, came if problem.code in _CHANGE_CODES else line)
    for row in provider.rows:
        if row.objects:
            yield _of_row(row, Severity.ERROR)
        elif row.verdict is Verdict.UNCHECKED:
            yield _of_row(row, Severity.WARNING)
        elif row.approval is not None:
            yield _of_row(row, Severity.NOTE)
    yield from _incomplete(provider)


def _first_that_came(provider: ProviderReview) -> int:
    came = (row.line for row in provider.rows if row.moved is Moved.ADDED and row.line is not None)
    return min(came, default=provider.entry.line)


def _of_row(row: HashRow, severity: Severity) -> Finding:
    """The hash with the reason that decided; the others follow, and that one again where it has evidence."""
    accepted = severity is Severity.NOTE
    deciding = {Tone.FOR} if accepted else {Tone.AGAINST, Tone.OPEN}
    why = next((each for each in row.reasons if each.tone in deciding), None)
    return Finding(
        code=_VERDICTS[row.verdict],
        severity=severity,
        message=row.hash.text if why is None else f"{row.hash}: {why.text}",
        lines=tuple(reason_lines(each for each in row.reasons if each is not why or each.evidence)),
        line=row.line,
        subject=row.hash.text,
        approval=row.approval if accepted else None,
    )


def _incomplete(provider: ProviderReview) -> Iterator[Finding]:
    """That something is open, where nothing else says so; and every question without an answer in any case."""
    questions = tuple(unanswered(provider))
    told = provider.counts.get(Verdict.UNCHECKED) or any(
        each.code == ProblemCode.PLATFORM_UNCHECKED for each in provider.problems
    )
    if not provider.incomplete or (told and not questions):
        return
    first = questions[0] if questions else "the audit has not ended" if provider.waiting else "see the problems"
    yield Finding(
        code=ProblemCode.INCOMPLETE,
        severity=Severity.WARNING,
        message=f"not everything was asked or answered: {first}",
        lines=tuple(f"? {each}" for each in questions),
        line=provider.entry.line,
    )

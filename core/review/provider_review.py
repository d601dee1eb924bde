"""One provider of a review: its entry, its audit once that has ended, its rows, and what else is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.bulk_refusals import suggestion
from lockwarden.core.review.change_kinds import Change, ChangeKind
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.exit_codes import ExitCode, code_for
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class ProviderReview(Struct, frozen=True, kw_only=True, dict=True):
    """One provider of the lock file: its entry, its audit once that has ended, and its rows.

    What follows from them is worked out once: a screen asks for it with every key and every result that arrives.
    """

    entry: LockedProvider
    audit: Audit | None
    rows: tuple[HashRow, ...]
    problems: tuple[Problem, ...]
    counts: Mapping[Verdict, int]
    changes: tuple[Change, ...] = ()
    """What the entry's change against the base does, the heaviest first; empty without a change or a base."""
    proposed: ProviderReview | None = None
    """The same entry judged by what the change proposes; None where it proposes nothing. It decides nothing here."""
    alarmed: bool = False
    """A key signs that the policy does not name. Nothing of this provider is ever approved in bulk."""

    @property
    def address(self) -> ProviderAddress:
        """Which provider."""
        return self.entry.address

    @property
    def waiting(self) -> bool:
        """Whether its audit has not ended."""
        return self.audit is None

    @cached_property
    def objected(self) -> bool:
        """Whether something here speaks against committing the lock file."""
        return any(row.objects for row in self.rows) or any(
            problem.severity is Severity.ERROR for problem in self.problems
        )

    @cached_property
    def approved(self) -> int:
        """How many findings a record accepts."""
        return sum(row.verdict.is_finding and not row.objects for row in self.rows)

    @cached_property
    def suggested(self) -> tuple[tuple[HashRow, Decision], ...]:
        """What a bulk approval would do here, whatever a person has decided already."""
        advised = ((row, suggestion(row.verdict, usable=row.hash.usable, alarmed=self.alarmed)) for row in self.rows)
        return tuple((row, decision) for row, decision in advised if decision is not None)

    @cached_property
    def incomplete(self) -> bool:
        """Whether something was not asked or did not answer, so that the verdicts say less than they could."""
        if self.audit is None or self.counts.get(Verdict.UNCHECKED):
            return True
        if any(problem.code == ProblemCode.PLATFORM_UNCHECKED for problem in self.problems):
            return True
        unanswered = {Outcome.NO_ANSWER, Outcome.NOT_ASKED}
        return any(
            answer.outcome in unanswered or any(package.outcome in unanswered for package in answer.packages)
            for answer in self.audit.source_answers
        )

    @property
    def exit_code(self) -> ExitCode:
        """What a lock file with this provider alone would end with."""
        return code_for(objected=self.objected, incomplete=self.incomplete)

    @cached_property
    def weight(self) -> tuple[int, int]:
        """How early it stands in a list: the alarm, loud changes, findings, what is incomplete, new, waiting, the rest.

        Within one rank the heavier change comes first.
        """
        change = min((each.kind.weight for each in self.changes), default=len(ChangeKind))
        return (self._rank, change)

    @property
    def _rank(self) -> int:
        loud = any(each.severity is Severity.ERROR for each in self.changes)
        ranks = (
            self.alarmed,
            loud,
            any(row.objects and row.verdict is Verdict.DISOWNED for row in self.rows),
            any(row.objects for row in self.rows),
            self.objected,
            not self.waiting and any(each.severity is Severity.WARNING for each in self.changes),
            not self.waiting and self.incomplete,
            not self.waiting and bool(self.counts.get(Verdict.NEW)),
            not self.waiting and bool(self.changes),
            self.waiting,
        )
        return ranks.index(True) if True in ranks else len(ranks)

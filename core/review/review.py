"""A review: a lock file, its audits and the decisions made of its hashes; it yields the next lock file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.changes import removed_entries
from lockwarden.core.review.decisions import Decision, Decisions, HashKey, default_decision
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.open_codes import OPEN_CODES, OPEN_STANDARDS
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.lockfile.edit import HashChange

_OPEN: Final = OPEN_CODES | OPEN_STANDARDS
"""Codes of what is known before anything is audited that leaves the answer open."""


class Review(Struct, frozen=True, kw_only=True):
    """The whole review of one lock file."""

    lock_file: LockFile
    settings: ClientSettings
    platforms: frozenset[Platform]
    """The platforms whose hashes are wanted; others were looked at only to explain what is locked."""
    providers: tuple[ProviderReview, ...]
    """In the order of the lock file; then those that the client makes of its entries."""
    decisions: Decisions = msgspec.field(default_factory=Decisions)
    standards: Standards = NO_STANDARDS

    @classmethod
    def start(
        cls,
        lock_file: LockFile,
        *,
        settings: ClientSettings,
        platforms: Iterable[Platform],
        standards: Standards = NO_STANDARDS,
    ) -> Review:
        """A review before any audit has ended."""
        wanted = frozenset(platforms)
        waiting = tuple(
            review_provider(entry, None, settings=settings, platforms=wanted, standards=standards)
            for entry in lock_file.entries
        )
        return cls(lock_file=lock_file, settings=settings, platforms=wanted, providers=waiting, standards=standards)

    def with_audit(self, audit: Audit) -> Review:
        """The review with one provider's audit ended; the others and the decisions stay as they are."""
        return replace(
            self,
            providers=tuple(
                self._judged(each.entry, audit) if each.address == audit.address else each for each in self.providers
            ),
        )

    def with_standards(self, standards: Standards) -> Review:
        """The review held against other standards; every audit that has ended is judged anew by them."""
        held = replace(self, standards=standards)
        return replace(held, providers=tuple(held._judged(each.entry, each.audit) for each in self.providers))

    def _judged(self, entry: LockedProvider, audit: Audit | None) -> ProviderReview:
        return review_provider(entry, audit, settings=self.settings, platforms=self.platforms, standards=self.standards)

    def with_decisions(self, decisions: Decisions) -> Review:
        """The review with other decisions."""
        return replace(self, decisions=decisions)

    def provider(self, address: ProviderAddress) -> ProviderReview:
        """One provider; raises KeyError for one that the lock file does not have."""
        for each in self.providers:
            if each.address == address:
                return each
        raise KeyError(str(address))

    def decision(self, provider: ProviderReview, row: HashRow) -> Decision:
        """What is decided of a row: what the operator said, or how it stands without."""
        made = self.decisions.of(HashKey.of(provider.address, row.hash))
        return made if made is not None and _fits(made, locked=row.locked) else default_decision(row.verdict)

    def suggested(self, providers: Iterable[ProviderReview]) -> tuple[tuple[HashKey, Decision], ...]:
        """What one key accepts for these providers. Never a finding, and nothing that a person has decided already."""
        return tuple(
            (HashKey.of(provider.address, row.hash), advised)
            for provider in providers
            for row, advised in provider.suggested
            if self.decision(provider, row) is Decision.UNDECIDED
        )

    @property
    def changes(self) -> Mapping[ProviderAddress, HashChange]:
        """What the decisions change, by provider; providers without a change are not in it."""
        found = ((provider.address, self.change(provider)) for provider in self.providers)
        return MappingProxyType({address: change for address, change in found if change is not None})

    def change(self, provider: ProviderReview) -> HashChange | None:
        """What the decisions change at one provider; None where they change nothing."""
        from lockwarden.core.lockfile.edit import HashChange

        by_decision = {decision: frozenset(self._decided(provider, decision)) for decision in Decision}
        add, drop = by_decision[Decision.ADD], by_decision[Decision.DROP]
        return HashChange(add=add, drop=drop) if add or drop else None

    def judged(self, provider: ProviderReview, entry: LockedProvider) -> ProviderReview:
        """The provider with another entry, judged by the same audit and the same standards."""
        return self._judged(entry, provider.audit)

    def _decided(self, provider: ProviderReview, decision: Decision) -> Iterable[Hash]:
        return (row.hash for row in provider.rows if self.decision(provider, row) is decision)

    def next_lock_file(self, second_reader: SecondReader) -> bytes:
        """The bytes of the lock file as decided; what nobody touched stays byte for byte."""
        from lockwarden.core.lockfile.edit import edited

        return edited(self.lock_file, self.changes, second_reader)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is known of the policy, the approvals and the base themselves."""
        proposed = self._proposed
        return self.standards.problems if proposed is None else (*self.standards.problems, proposed)

    @property
    def _proposed(self) -> Problem | None:
        """How it would end by what the change proposes, once everything is audited."""
        judged = [each.proposed for each in self.providers]
        if self.standards.proposed is None or any(each.waiting for each in self.providers):
            return None
        code = _code_of([each for each in judged if each is not None], self.standards.proposed.problems)
        own = _code_of(self.providers, self.standards.problems)
        same = "too" if code is own else f"not {int(own)}"
        return Problem(
            code=ProblemCode.PROPOSED_STANDARDS,
            severity=Severity.NOTE,
            message="by the policy and the approvals that this change proposes, it would end with exit code"
            f" {int(code)}, {same}",
            hint="what a change proposes counts once the base has it",
        )

    @property
    def removed(self) -> tuple[LockedProvider, ...]:
        """Entries that the base has and the lock file has not, but for those that moved to another registry."""
        moved = {entry.address for side in self.standards.sides for entry in side.moved.values()}
        return tuple(
            each for each in removed_entries(self.lock_file, self.standards.sides) if each.address not in moved
        )

    @property
    def changed(self) -> bool:
        """Whether the file is another one than its base has, or lies elsewhere; never without a base."""
        sides = self.standards.sides
        if any(side.lock_file is None or side.renamed_from for side in sides):
            return True
        return bool(sides) and (any(each.changes for each in self.providers) or bool(self.removed))

    @property
    def loudest(self) -> tuple[ProviderReview, Problem] | None:
        """The error that a reader should see first, with its provider: the alarm, then the heaviest change."""
        for provider in sorted(self.providers, key=lambda each: (each.weight, each.address.sort_key)):
            for problem in provider.problems:
                if problem.severity is Severity.ERROR:
                    return provider, problem
        return None

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many hashes have each verdict; hashes whose audit has not ended are not counted."""
        return Counter(row.verdict for each in self.providers if not each.waiting for row in each.rows)

    @property
    def exit_code(self) -> ExitCode:
        """What a script is told: findings before incompleteness before nothing to object to."""
        return _code_of(self.providers, self.standards.problems)

    @property
    def answer(self) -> Answer:
        """Whether to commit, in words, while audits may still end."""
        return self.answer_while(running=True)

    def answer_while(self, *, running: bool) -> Answer:
        """The same while audits are `running` or not: what waits for one that never comes was not checked."""
        if self.exit_code is ExitCode.FINDINGS:
            return Answer.FINDINGS
        if running and any(each.waiting for each in self.providers):
            return Answer.CHECKING
        return Answer.INCOMPLETE if self.exit_code is ExitCode.INCOMPLETE else Answer.GOOD


def _code_of(providers: Iterable[ProviderReview], problems: Iterable[Problem]) -> ExitCode:
    known = tuple(problems)
    own = code_for(
        objected=any(each.severity is Severity.ERROR for each in known),
        incomplete=any(each.code in _OPEN for each in known),
    )
    return worst((own, *(each.exit_code for each in providers)))


def _fits(decision: Decision, *, locked: bool) -> bool:
    """Whether a decision still makes sense, now that the lock file may have been written in between."""
    return decision is not Decision.ADD if locked else decision in {Decision.ADD, Decision.UNDECIDED}

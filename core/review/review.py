"""A review: a lock file, its audits and the decisions made of its hashes; it yields the next lock file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from types import MappingProxyType

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.clients import ClientSettings
from lockwarden.core.findings import Audit, Outcome, Problem
from lockwarden.core.hashes import Hash
from lockwarden.core.lockfile.edit import HashChange, edited
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.platforms import Platform
from lockwarden.core.review.contradictions import contradictions
from lockwarden.core.review.decisions import Decision, Decisions, HashKey, default_decision, suggestion
from lockwarden.core.review.rows import HashRow, rows_of, waiting_rows
from lockwarden.core.review.testimony import Testimony
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.selection import recorded
from lockwarden.core.severity import Severity


class ExitCode(IntEnum):
    """What the process says to a script."""

    NOTHING_TO_OBJECT = 0
    FINDINGS = 1
    UNUSABLE_INPUT = 2
    INCOMPLETE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReview:
    """One provider of the lock file: its entry, its audit once that has ended, and its rows."""

    entry: LockedProvider
    audit: Audit | None
    rows: tuple[HashRow, ...]
    problems: tuple[Problem, ...]
    counts: Mapping[Verdict, int]

    @property
    def address(self) -> ProviderAddress:
        """Which provider."""
        return self.entry.address

    @property
    def waiting(self) -> bool:
        """Whether its audit has not ended."""
        return self.audit is None

    @property
    def objected(self) -> bool:
        """Whether something here speaks against committing the lock file."""
        return any(self.counts.get(each) for each in Verdict if each.is_finding) or any(
            problem.severity is Severity.ERROR for problem in self.problems
        )

    @property
    def incomplete(self) -> bool:
        """Whether something was not asked or did not answer, so that the verdicts say less than they could."""
        if self.audit is None or self.counts.get(Verdict.UNCHECKED):
            return True
        unanswered = {Outcome.NO_ANSWER, Outcome.NOT_ASKED}
        return any(
            finding.outcome in unanswered or any(package.outcome in unanswered for package in finding.packages)
            for finding in self.audit.findings
        )

    @property
    def weight(self) -> int:
        """How early it stands in a list: findings first, then what is incomplete, new, waiting, and the rest."""
        if self.counts.get(Verdict.DISOWNED):
            return 0
        if self.counts.get(Verdict.UNEXPLAINED):
            return 1
        if self.objected:
            return 2
        if self.waiting:
            return 5
        if self.incomplete:
            return 3
        return 4 if self.counts.get(Verdict.NEW) else 6


def review_provider(
    entry: LockedProvider, audit: Audit | None, *, settings: ClientSettings, platforms: frozenset[Platform]
) -> ProviderReview:
    """Judge one entry by its audit; with None, lay out what is locked and say that nothing is known yet."""
    locked: dict[Hash, int] = {}
    for each in entry.hashes:
        locked.setdefault(each.hash, each.line)
    own = () if entry.protects else (_accepts_anything(entry),)
    if audit is None:
        rows = waiting_rows(locked)
        problems: tuple[Problem, ...] = own
    else:
        testimony = Testimony(audit, platforms)
        rows = rows_of(locked, testimony, recorded(audit, settings=settings, platforms=platforms))
        told = (problem for finding in audit.findings for problem in finding.problems)
        problems = (*own, *audit.problems, *contradictions(testimony), *told)
    counts = MappingProxyType(dict(Counter(row.verdict for row in rows)))
    return ProviderReview(entry=entry, audit=audit, rows=rows, problems=problems, counts=counts)


def _accepts_anything(entry: LockedProvider) -> Problem:
    return Problem(
        code="accepts-any-package",
        severity=Severity.ERROR,
        message=f"the entry for {entry.address} has no usable hash, so every client accepts any package for it",
        hint="add its hashes, or remove the entry when nothing needs the provider",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The whole review of one lock file."""

    lock_file: LockFile
    settings: ClientSettings
    platforms: frozenset[Platform]
    """The platforms whose hashes are wanted; others were looked at only to explain what is locked."""
    providers: tuple[ProviderReview, ...]
    """In the order of the lock file."""
    decisions: Decisions = field(default_factory=Decisions)

    @classmethod
    def start(cls, lock_file: LockFile, *, settings: ClientSettings, platforms: Iterable[Platform]) -> Review:
        """A review before any audit has ended."""
        wanted = frozenset(platforms)
        waiting = tuple(review_provider(e, None, settings=settings, platforms=wanted) for e in lock_file.providers)
        return cls(lock_file=lock_file, settings=settings, platforms=wanted, providers=waiting)

    def with_audit(self, audit: Audit) -> Review:
        """The review with one provider's audit ended; the others and the decisions stay as they are."""
        return replace(
            self,
            providers=tuple(
                review_provider(each.entry, audit, settings=self.settings, platforms=self.platforms)
                if each.address == audit.address
                else each
                for each in self.providers
            ),
        )

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
            for row in provider.rows
            if (advised := suggestion(row.verdict)) is not None
            and self.decision(provider, row) is Decision.UNDECIDED
            and row.hash.usable
        )

    @property
    def changes(self) -> Mapping[ProviderAddress, HashChange]:
        """What the decisions change, by provider; providers without a change are not in it."""
        found = {}
        for provider in self.providers:
            by_decision = {decision: frozenset(self._decided(provider, decision)) for decision in Decision}
            add, drop = by_decision[Decision.ADD], by_decision[Decision.DROP]
            if add or drop:
                found[provider.address] = HashChange(add=add, drop=drop)
        return MappingProxyType(found)

    def _decided(self, provider: ProviderReview, decision: Decision) -> Iterable[Hash]:
        return (row.hash for row in provider.rows if self.decision(provider, row) is decision)

    def next_lock_file(self) -> bytes:
        """The bytes of the lock file as decided; what nobody touched stays byte for byte."""
        return edited(self.lock_file, self.changes)

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many hashes have each verdict; hashes whose audit has not ended are not counted."""
        return Counter(row.verdict for each in self.providers if not each.waiting for row in each.rows)

    @property
    def exit_code(self) -> ExitCode:
        """What a script is told: findings before incompleteness before nothing to object to."""
        if any(each.objected for each in self.providers):
            return ExitCode.FINDINGS
        if any(each.incomplete for each in self.providers):
            return ExitCode.INCOMPLETE
        return ExitCode.NOTHING_TO_OBJECT

    @property
    def answer(self) -> str:
        """Whether to commit, in words."""
        if self.exit_code is ExitCode.FINDINGS:
            return "Do not commit yet"
        if any(each.waiting for each in self.providers):
            return "Still checking"
        if self.exit_code is ExitCode.INCOMPLETE:
            return "Not everything was checked"
        return "Nothing to object to"


def _fits(decision: Decision, *, locked: bool) -> bool:
    """Whether a decision still makes sense, now that the lock file may have been written in between."""
    return decision is not Decision.ADD if locked else decision in {Decision.ADD, Decision.UNDECIDED}

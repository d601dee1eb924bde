"""One provider of a review: its entry, its audit once that has ended, its rows, and what else is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.change_kinds import Change, ChangeKind
from lockwarden.core.review.contradictions import contradictions
from lockwarden.core.review.decisions import Decision, suggestion
from lockwarden.core.review.near_names import foreign_letters
from lockwarden.core.review.requirements import PLATFORM_OPEN, entry_problems, place_problems
from lockwarden.core.review.rows import HashRow, first_lines, held_against, rows_of, waiting_rows
from lockwarden.core.review.standards import NO_STANDARDS, Standards, testimony_under
from lockwarden.core.review.strictest import strictest
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.platforms import Platform
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
        """What a bulk approval would do here, whatever a person has decided already; nothing after an alarm."""
        if self.alarmed:
            return ()
        advised = ((row, suggestion(row.verdict)) for row in self.rows if row.hash.usable)
        return tuple((row, decision) for row, decision in advised if decision is not None)

    @cached_property
    def incomplete(self) -> bool:
        """Whether something was not asked or did not answer, so that the verdicts say less than they could."""
        if self.audit is None or self.counts.get(Verdict.UNCHECKED):
            return True
        if any(problem.code == PLATFORM_OPEN for problem in self.problems):
            return True
        unanswered = {Outcome.NO_ANSWER, Outcome.NOT_ASKED}
        return any(
            finding.outcome in unanswered or any(package.outcome in unanswered for package in finding.packages)
            for finding in self.audit.findings
        )

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


def review_provider(
    entry: LockedProvider,
    audit: Audit | None,
    *,
    settings: ClientSettings,
    platforms: frozenset[Platform],
    standards: Standards = NO_STANDARDS,
) -> ProviderReview:
    """Judge one entry by its audit; with None, lay out what is locked and say that nothing is known yet.

    Of several policies that count, the strictest outcome stands.
    """
    judged = strictest(
        tuple(_judged(entry, audit, settings=settings, platforms=platforms, standards=each) for each in standards.each)
    )
    if standards.proposed is None:
        return judged
    beside = review_provider(entry, audit, settings=settings, platforms=platforms, standards=standards.proposed)
    return replace(judged, proposed=beside)


def _judged(
    entry: LockedProvider,
    audit: Audit | None,
    *,
    settings: ClientSettings,
    platforms: frozenset[Platform],
    standards: Standards,
) -> ProviderReview:
    locked = first_lines(entry)
    requirements = standards.policy.requirements_for(entry.address)
    own = (*_about_the_entry(entry), *place_problems(entry.address, requirements))
    if audit is None:
        changes = standards.changes(entry, None)
        rows = waiting_rows(locked)
        problems = (*(each.problem for each in changes), *own)
        alarmed = False
    else:
        bearing = standards.bearing(audit)
        testimony = testimony_under(bearing, platforms)
        changes = standards.changes(entry, testimony)
        found = recorded(bearing.audit, settings=settings, platforms=platforms)
        rows = rows_of(locked, testimony, found, standards.removed(entry))
        required = entry_problems(
            entry, testimony, requirements, approved=lambda hash_: standards.approval(entry, hash_) is not None
        )
        told = (problem for finding in audit.findings for problem in finding.problems)
        problems = (
            *bearing.problems,
            *(each.problem for each in changes),
            *own,
            *required,
            *audit.problems,
            *contradictions(testimony),
            *told,
        )
        alarmed = bearing.alarmed
    rows = held_against(rows, entry, standards)
    counts = MappingProxyType(dict(Counter(row.verdict for row in rows)))
    return ProviderReview(
        entry=entry, audit=audit, rows=rows, problems=problems, counts=counts, changes=changes, alarmed=alarmed
    )


def _about_the_entry(entry: LockedProvider) -> Iterator[Problem]:
    """What no source has to be asked for."""
    host = entry.address.hostname
    if host.international:
        yield Problem(
            code="international-host",
            severity=Severity.NOTE,
            message=f"the host {host.display} is {host.ascii}: {'; '.join(foreign_letters(host.display))}",
            hint="read it letter by letter: letters of other alphabets can look like those that you expect",
        )
    if not entry.protects:
        yield Problem(
            code="accepts-any-package",
            severity=Severity.ERROR,
            message=f"the entry for {entry.address} has no hash of a scheme that the clients know, so every client"
            " accepts any package for it",
            hint="add its hashes, or remove the entry when nothing needs the provider",
        )
    elif not any(each.usable for each in entry.hash_set):
        yield Problem(
            code="refuses-every-archive",
            severity=Severity.ERROR,
            message=f"no hash of the entry for {entry.address} can ever match, so every client refuses every archive",
            hint="put the right hashes in their place: “lockwarden lock” adds what the sources can vouch for",
        )

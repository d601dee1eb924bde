"""What a lock file is held against beside its sources: the policy, recorded approvals, and earlier states of it.

With a base, the policy and the approvals that count are the base's. What the change makes of them is proposed. It is
shown, and for people the lock file is judged by it as well. It never decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import NO_APPROVALS, Approval, Approvals
from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.policy.applied_policy import NO_TIME, AppliedPolicy, apply_policy
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.change_kinds import Change, ChangeContext
from lockwarden.core.review.change_rules import kinds_of
from lockwarden.core.review.changes import BaseSide, EntryChange, changes_of, comparable
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.locked_elsewhere import LockedElsewhere, of_another_version
from lockwarden.core.review.recorded_evidence import limited
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

Elsewhere = Mapping[ProviderAddress, tuple[LockedElsewhere, ...]]
"""What is known of the hashes of providers."""
NOWHERE: Final[Elsewhere] = MappingProxyType({})
_LONG_AGO = NO_TIME.date()


class StandardFile(Struct, frozen=True, kw_only=True):
    """A policy or a file of approvals as it was read: what is told of by what a lock file was judged."""

    path: str
    """As people know the file."""
    digest: str
    """SHA-256 of its bytes, in hexadecimal digits."""
    commit: str = ""
    """The full commit ID that it was read at; empty for a file on disk."""
    revision: str = ""
    """What the operator calls that commit; empty for a file on disk."""
    outside: bool = False
    """The operator named it, and no change of the repository reaches it."""
    proposed: bool = False
    """It counts for nothing: the change brings it."""
    signature: DocumentVerdict | None = None
    """Of approvals: what came of the signature beside them; None without one."""


class Standards(Struct, frozen=True, kw_only=True, dict=True):
    """The same for every provider of a lock file. By default there is nothing to hold it against."""

    policy: Policy = NO_POLICY
    """What counts; with a base, the base's."""
    approvals: Approvals = NO_APPROVALS
    today: date = _LONG_AGO
    """The day on which records hold or have expired, in UTC."""
    now: datetime = NO_TIME
    """The time at which keys hold or have expired."""
    sides: tuple[BaseSide, ...] = ()
    """The earlier state that the lock file is reviewed against; two in a merge; none without a base."""
    in_run: Elsewhere = msgspec.field(default_factory=lambda: NOWHERE)
    """How the lock files of this run lock providers that they lock for different versions."""
    before: Elsewhere = msgspec.field(default_factory=lambda: NOWHERE)
    """How the base's history locked the providers to which hashes came."""
    seen: Elsewhere = msgspec.field(default_factory=lambda: NOWHERE)
    """What earlier runs saw of the origin registries' releases that have a locked hash."""
    problems: tuple[Problem, ...] = ()
    """What is known of policy, approvals and base before anything is audited."""
    policy_files: tuple[StandardFile, ...] = ()
    """Those that count, and then those that the change proposes."""
    approval_files: tuple[StandardFile, ...] = ()
    policy_on_disk: Policy | None = None
    """The one that people edit, where it is not the one that counts."""
    approvals_on_disk: Approvals | None = None
    """The same of the approvals."""
    proposed: Standards | None = None
    """What would count if the base had what the change brings; None where it brings nothing of the kind."""

    @cached_property
    def has_base(self) -> bool:
        """Whether the lock file is reviewed against an earlier state."""
        return bool(self.sides)

    @cached_property
    def compares(self) -> bool:
        """Whether some earlier state can be compared with: it could be read, or the lock file was not there."""
        return bool(comparable(self.sides))

    def kept(self, entry: LockedProvider) -> bool:
        """Whether every side has the entry just as it is, and nothing else of its past or of the change speaks of it.

        Then the sides say no more than their names.
        """
        return (
            self.proposed is None
            and not self.before.get(entry.address)
            and all(_kept_since(side, entry) for side in self.sides)
        )

    def applied_policy(self, audit: Audit) -> AppliedPolicy:
        """What the policy means for an audit; of several, the first."""
        policy = self.policy.each[0]
        return apply_policy(policy, limited(audit, policy, self.now), self.now)

    @cached_property
    def each(self) -> tuple[Standards, ...]:
        """The same with one policy of those that count in each."""
        return tuple(replace(self, policy=policy) for policy in self.policy.each) if self.policy.also else (self,)

    @property
    def own_policy(self) -> Policy:
        """The policy that people edit: the one on disk."""
        return self.policy if self.policy_on_disk is None else self.policy_on_disk

    @property
    def own_approvals(self) -> Approvals:
        """The approvals that people add to: those on disk."""
        return self.approvals if self.approvals_on_disk is None else self.approvals_on_disk

    def changes(self, entry: LockedProvider, evidence: Evidence | None) -> tuple[Change, ...]:
        """What the change of an entry does, the heaviest first; what several sides tell alike stands once.

        Nothing for one that stands in no file: what became of those that it is made of is told with them.
        """
        if entry.moved_from is not None:
            return ()
        pinned = frozenset(each.fingerprint for each in self.policy.keys_for(entry.address))
        found = [
            change
            for each in changes_of(entry.address, entry, comparable(self.sides))
            for change in kinds_of(
                each.change,
                ChangeContext(
                    side=each.side,
                    evidence=evidence,
                    pinned=pinned,
                    before=self._locked_before(entry),
                    others=self._gone_of_others(each.change, entry),
                ),
            )
        ]
        return tuple(dict.fromkeys(sorted(found, key=lambda change: change.order)))

    def of_another_version(self, entry: LockedProvider) -> dict[Hash, LockedElsewhere]:
        """The hashes of an entry that are known to be another version's, with how that is known."""
        held = ((side.before(entry.address), side.name) for side in self.sides)
        at_base = (LockedElsewhere.at_base(each, name, entry.address) for each, name in held if each is not None)
        known = (each.get(entry.address, ()) for each in (self.before, self.seen, self.in_run))
        return of_another_version(entry, (*at_base, *chain.from_iterable(known)))

    def _gone_of_others(self, change: EntryChange, entry: LockedProvider) -> dict[Hash, LockedElsewhere]:
        """Of the hashes that went while the version stayed, those that the base's history had for another one."""
        if not change.same_version:
            return {}
        others = [way for way in self.before.get(entry.address, ()) if way.version != entry.version]
        return {hash_: way for way in others for hash_ in change.removed & way.hashes}

    def _locked_before(self, entry: LockedProvider) -> frozenset[Hash]:
        """What the base's history locked for the version of an entry."""
        same = (each.hashes for each in self.before.get(entry.address, ()) if each.version == entry.version)
        return frozenset[Hash]().union(*same)

    def added(self, entry: LockedProvider) -> frozenset[Hash]:
        """Hashes of the entry that no side has for it."""
        return entry.hash_set - self._before(entry.address) if self.compares else frozenset()

    def removed(self, entry: LockedProvider) -> frozenset[Hash]:
        """Hashes that every side has for the same version, and the entry has not."""
        held = [side.entry(entry.address) for side in comparable(self.sides)]
        same = [each.hash_set for each in held if each is not None and each.version == entry.version]
        return frozenset.intersection(*same) - entry.hash_set if same and len(same) == len(held) else frozenset()

    def with_audits(self, audits: Iterable[Audit]) -> Standards:
        """The standards with audits of earlier versions, each with the sides that locked it."""
        given = tuple(audits)
        made = {(audit.address, audit.version): audit for audit in given}
        sides = (
            replace(
                side,
                audits=tuple(
                    made[entry.address, entry.version]
                    for entry in (side.lock_file.providers if side.lock_file is not None else ())
                    if (entry.address, entry.version) in made
                ),
            )
            for side in self.sides
        )
        beside = None if self.proposed is None else self.proposed.with_audits(given)
        return replace(self, sides=tuple(sides), proposed=beside)

    def with_run(self, in_run: Elsewhere) -> Standards:
        """The standards with how the lock files of this run lock providers for different versions."""
        beside = None if self.proposed is None else self.proposed.with_run(in_run)
        return replace(self, in_run=in_run, proposed=beside)

    def with_audits_of(self, other: Standards) -> Standards:
        """The standards with the audits of earlier versions that others have."""
        return self.with_audits(audit for side in other.sides for audit in side.audits)

    def _before(self, address: ProviderAddress) -> frozenset[Hash]:
        entries = (side.entry(address) for side in self.sides)
        return frozenset(hash_ for each in entries if each is not None for hash_ in each.hash_set)

    def approval(self, entry: LockedProvider, hash_: Hash, platforms: frozenset[Platform]) -> Approval | None:
        """The record that accepts the hash today, which is known to be of these platforms; or None."""
        return self.approvals.of(entry.address, entry.version, hash_, today=self.today, platforms=platforms)

    def proposed_approval(self, entry: LockedProvider, hash_: Hash, platforms: frozenset[Platform]) -> Approval | None:
        """The record that only the change brings, and that would accept the hash today if the base had it."""
        return None if self.proposed is None else self.proposed.approval(entry, hash_, platforms)

    def expired_approval(self, entry: LockedProvider, hash_: Hash, platforms: frozenset[Platform]) -> Approval | None:
        """The record about the hash that has expired, or claims to be made on a day to come; or None."""
        return self.approvals.expired(entry.address, entry.version, hash_, today=self.today, platforms=platforms)


NO_STANDARDS = Standards()


def _kept_since(side: BaseSide, entry: LockedProvider) -> bool:
    earlier = None if side.unreadable or entry.address in side.moved else side.entry(entry.address)
    return (
        earlier is not None
        and (earlier.version, earlier.constraints) == (entry.version, entry.constraints)
        and [each.hash for each in earlier.hashes] == [each.hash for each in entry.hashes]
    )


def evidence_under(applied_policy: AppliedPolicy, platforms: frozenset[Platform]) -> Evidence:
    """The evidence of an audit as the policy has it."""
    return Evidence(
        applied_policy.audit,
        platforms,
        unruled=applied_policy.before_policy,
        trusted_mirrors={source: str(rule) for source, rule in applied_policy.trusted_mirrors.items()},
        unasked_mirrors=applied_policy.unasked_mirrors,
        trusted_keys={fingerprint: str(rule) for fingerprint, rule in applied_policy.trusted_keys.items()},
    )

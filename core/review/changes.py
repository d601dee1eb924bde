"""What a lock file changes against an earlier state of it, entry by entry; what that means is in `change_kinds`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

import msgspec
from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.hashes import Hash


class EntryChange(Struct, frozen=True, kw_only=True):
    """One provider's entry before and after. At least one of the two is there, and they differ."""

    before: LockedProvider | None
    after: LockedProvider | None

    @property
    def address(self) -> ProviderAddress:
        """Which provider."""
        return self._any.address

    @property
    def _any(self) -> LockedProvider:
        entry = self.after or self.before
        assert entry is not None  # noqa: S101 - see the class
        return entry

    @property
    def same_version(self) -> bool:
        """Whether the entry was and is there, for the same version."""
        return self.before is not None and self.after is not None and self.before.version == self.after.version

    @property
    def same_packages(self) -> bool:
        """Whether it was and is the same version at the same registry."""
        return self.same_version and self.before is not None and self.before.address == self.address

    @property
    def added(self) -> frozenset[Hash]:
        """Hashes that came in."""
        return _hashes(self.after) - _hashes(self.before)

    @property
    def removed(self) -> frozenset[Hash]:
        """Hashes that went."""
        return _hashes(self.before) - _hashes(self.after)

    @classmethod
    def between(cls, before: LockedProvider | None, after: LockedProvider | None) -> Self | None:
        """The change, or None when version, constraints and set of hashes are the same."""
        if before is None and after is None:
            return None
        if before is not None and after is not None:
            same = (before.version, before.constraints, before.hash_set)
            if same == (after.version, after.constraints, after.hash_set):
                return None
        return cls(before=before, after=after)


def _hashes(entry: LockedProvider | None) -> frozenset[Hash]:
    return frozenset() if entry is None else entry.hash_set


class BaseSide(Struct, frozen=True, kw_only=True):
    """An earlier state that a lock file is reviewed against. A merge in progress has two of them."""

    name: str
    """The revision as the operator wrote it, or the label of a merge's side."""
    commit: str
    """The full commit ID."""
    ref: str = ""
    """The revision in full, such as `refs/remotes/origin/main`; empty where it was named by an ID."""
    lock_file: LockFile | None
    """None when the lock file was not there, or could not be read."""
    unreadable: str = ""
    """Why it could not be read, so that nothing can be compared with it; empty when it could, or was not there."""
    client: Client | None = None
    """The client that the comment at the file's top named there; None when there was none, or it named nobody."""
    elsewhere: bool = False
    """It lay in another repository there, which the change takes away: what it was is part of no base."""
    moved: Mapping[ProviderAddress, LockedProvider] = msgspec.field(default_factory=dict)
    """By their addresses now, the entries of providers that have moved to another default registry since."""
    renamed_from: str = ""
    """The path that the lock file had there, when it was another one."""
    audits: tuple[Audit, ...] = ()
    """Of the versions that the lock file had there and no longer has: documents and signatures only, no packages."""

    def entry(self, address: ProviderAddress) -> LockedProvider | None:
        """The entry of a provider there, or None."""
        return None if self.lock_file is None else self.lock_file.provider(address)

    def before(self, address: ProviderAddress) -> LockedProvider | None:
        """The entry that a provider had there, also one at the registry from which it moved; or None."""
        return self.moved.get(address) or self.entry(address)

    def audit(self, entry: LockedProvider) -> Audit | None:
        """The audit of the version that was locked there, when there is one."""
        found = (each for each in self.audits if (each.address, each.version) == (entry.address, entry.version))
        return next(found, None)


class SideChange(Struct, frozen=True, kw_only=True):
    """A provider's change against one side."""

    side: BaseSide
    change: EntryChange


def changes_of(
    address: ProviderAddress, after: LockedProvider | None, sides: Sequence[BaseSide]
) -> tuple[SideChange, ...]:
    """How an entry differs from every side; empty when it is as on one of them: then a merge brings nothing new."""
    found = []
    for side in sides:
        change = EntryChange.between(side.entry(address), after)
        if change is None:
            return ()
        found.append(SideChange(side=side, change=change))
    return tuple(found)


def removed_entries(lock_file: LockFile, sides: Sequence[BaseSide]) -> Iterator[LockedProvider]:
    """Entries that every side that could be read has and the lock file has not, as the first such side has them."""
    known = comparable(sides)
    for entry in known[0].lock_file.providers if known and known[0].lock_file is not None else ():
        gone = lock_file.provider(entry.address) is None
        if gone and all(side.entry(entry.address) is not None for side in known):
            yield entry


def comparable(sides: Iterable[BaseSide]) -> tuple[BaseSide, ...]:
    """The sides whose lock file could be read, or was not there."""
    return tuple(side for side in sides if not side.unreadable)

"""What a change writes into the module lock: entries that come, go, or say something else than the base's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from lockwarden.core.modules.module_lock import LockedModule, ModuleLock
from lockwarden.core.modules.spellings import what_is_named


class LockChangeKind(StrEnum):
    """What becomes of an entry."""

    ADDED = "added"
    RELOCKED = "relocked"
    """The source stays, and what it is locked as is something else. The loudest one."""
    REMOVED = "removed"


class FilesOfEntry(StrEnum):
    """How the files of an entry that a change adds stand to the package of its revision."""

    NONE = "none"
    """It has none."""
    TRUE = "true"
    OTHERS = "others"
    OPEN = "open"
    """They could not be compared."""


class LockChange(Struct, frozen=True, kw_only=True):
    """One entry beside that of the base."""

    kind: LockChangeKind
    before: LockedModule | None
    """What the base has; None for one that is added."""
    after: LockedModule | None
    """What the change has; None for one that it removes."""
    counts: bool = False
    """Whether the base's policy lets what the change locks count."""

    @property
    def entry(self) -> LockedModule:
        """The change's entry, or the base's where the change has none."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - one of the two is there
        return found

    @property
    def respelled(self) -> bool:
        """Whether the base has the source in another spelling."""
        return self.before is not None and self.after is not None and _key(self.before) != _key(self.after)

    @property
    def difference(self) -> str:
        """How an entry differs that is locked as something else; a clause."""
        before, after = self.before, self.after
        if before is None or after is None:
            return ""
        if before.revision != after.revision:
            return f"{before.revision or 'no revision'} before, {after.revision or 'no revision'} with it"
        return f"{before.h1 if before.files else 'no files'} before, {after.h1 if after.files else 'no files'} with it"


LockChanges = Mapping[tuple[str, str], LockChange]
"""By the source and version of the entry."""


def changes_of_lock(
    now: ModuleLock, *, tip: ModuleLock, left: Sequence[ModuleLock], counts: bool = False
) -> dict[tuple[str, str], LockChange]:
    """What a change does to the module lock, by source and version.

    `tip` is the module lock at the tip of the base. `left` is what it was where the change left the base, or at both
    sides of a merge: an entry that is as it was there is not the change's doing, whatever the tip has. Who locked an
    entry, and when, is a claim and makes no difference. `counts` is whether the base's policy lets the change lock.
    """
    named = {what_is_named(*_key(each)): each for each in tip.modules}
    found: dict[tuple[str, str], LockChange] = {}
    for key in dict.fromkeys(map(_key, (*now.modules, *tip.modules))):
        after, before = now.of(*key), tip.of(*key)
        if _says(after) in (_says(before), *(_says(each.of(*key)) for each in left)):
            continue
        if before is None:
            alike = named.get(what_is_named(*key))
            before = alike if alike is not None and _says(alike) != _says(after) else None
        kind = LockChangeKind.ADDED if before is None else LockChangeKind.RELOCKED
        kind = LockChangeKind.REMOVED if after is None else kind
        found[key] = LockChange(kind=kind, before=before, after=after, counts=counts)
    return found


def _key(entry: LockedModule) -> tuple[str, str]:
    return entry.source, entry.version


def _says(entry: LockedModule | None) -> object:
    return None if entry is None else (entry.revision, entry.files)

"""Accepts what modules are into the module lock: makes the entries, which are looked at before they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from lockwarden.core.engine.module_locks import NOBODY, FoundLock, find_lock_in, save_lock, tree_of
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.git.identity import identity
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.module_lock import LockedModule, ModuleLock, with_modules
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.review.module_accepting import why_not_locked
from lockwarden.core.values.errors import InputError


class Acceptance(Struct, frozen=True, kw_only=True):
    """A module lock as it would be written."""

    found: FoundLock
    """What lies there now."""
    entries: tuple[LockedModule, ...]
    after: bytes

    @property
    def before(self) -> bytes:
        """The bytes that lie there now."""
        return b"" if self.found.lock is None else self.found.lock.data


def accept_calls(
    listing: ModuleListing, calls: Iterable[ListedCall], finder: StandardsFinder, *, now: datetime
) -> Acceptance:
    """The module lock on disk with these calls as they are today, each source once. It blocks.

    Raises InputError for a call that cannot be locked, ModuleLockError and OwnFileEditError.
    """
    found = find_lock_in(listing.path, finder)
    by = identity(found.path.parent.parent, finder.environ) or NOBODY
    entries: dict[tuple[str, str], LockedModule] = {}
    for listed in calls:
        tree = tree_of(listed)
        revision = listed.resolution.revision if isinstance(listed.resolution, Resolved) else ""
        if why := why_not_locked(listed, tree, revision):
            raise InputError(f"{listed.call.path}:{listed.call.line} is not locked: {why}", hint="leave it out")
        files = tuple(sorted(tree.items())) if isinstance(tree, Mapping) else ()
        key = (listed.call.source, listed.call.version)
        entries.setdefault(
            key, LockedModule(source=key[0], version=key[1], revision=revision, files=files, by=by, at=now)
        )
    done = tuple(entries.values())
    return Acceptance(found=found, entries=done, after=with_modules(found.lock or ModuleLock(), done))


def save_acceptance(acceptance: Acceptance) -> None:
    """Write what was looked at. It blocks. Raises FileChangedError and SaveError."""
    save_lock(acceptance.found, acceptance.after)

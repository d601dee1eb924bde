"""Holds what is installed, and what a change locks, against the packages of their sources."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from lockwarden.core.engine.installed_revisions import installed_commit
from lockwarden.core.engine.module_locks import tree_of
from lockwarden.core.engine.module_trees import PackageTrees, opened_trees
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.modules.comparison import CopyComparison, compared_copy, unknown_copy
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.lock_changes import FilesOfEntry, LockChangeKind
from lockwarden.core.modules.module_lock import LockedModule, differences_of
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved

_Changing: TypeAlias = Callable[[ListedCall, ModuleListing], Awaitable[ListedCall]]


async def compare_copies(
    listings: Sequence[ModuleListing], options: AuditOptions, runtime: Runtime
) -> tuple[ModuleListing, ...]:
    """The same listings, resolved ones, in which every installed copy is held against the package of its source."""
    async with opened_trees(options, runtime) as trees:

        async def compared(listed: ListedCall, listing: ModuleListing) -> ListedCall:
            if listed.installed is not InstalledState.INSTALLED:
                return listed
            return replace(listed, comparison=await _comparison(listed, listing, trees))

        return await _each_call(listings, compared)


async def _comparison(listed: ListedCall, listing: ModuleListing, trees: PackageTrees) -> CopyComparison:
    today = listed.resolution
    if not isinstance(today, Resolved):
        reason = "what its source means today is not known" if today is None else today.reason
        return unknown_copy(reason)
    installed = await asyncio.to_thread(tree_of, listed)
    if not isinstance(installed, Mapping):
        return unknown_copy(installed or "nothing is installed")
    package = await trees.fetch(listed, listing, today.revision, contents=False)
    if isinstance(package, Unresolved):
        return unknown_copy(package.reason)
    return compared_copy(
        installed,
        package.digests,
        today=today.revision,
        installed_revision=_revision_of_copy(listed),
        fixed=listed.classified.pinning is Pinning.IMMUTABLE,
    )


def _revision_of_copy(listed: ListedCall) -> str:
    """The revision that an installed copy is known to be of: by a lock that has just its files, or its `.git`."""
    held = listed.held_against
    if held is not None and held.entry is not None and held.entry.files and not (held.differences or held.open):
        return held.entry.revision
    return installed_commit(Path(listed.package))


async def check_added_entries(
    listings: Sequence[ModuleListing], options: AuditOptions, runtime: Runtime
) -> tuple[ModuleListing, ...]:
    """The same listings, in which the files of every entry that the change adds are held against its package.

    What is installed proves nothing here: the change can bring that as well.
    """
    if not any(_added(each) for listing in listings for each in listing.calls):
        return tuple(listings)
    async with opened_trees(options, runtime) as trees:

        async def checked(listed: ListedCall, listing: ModuleListing) -> ListedCall:
            entry = _added(listed)
            if entry is None:
                return listed
            if not entry.revision:
                return replace(listed, locked_files=FilesOfEntry.OPEN)
            package = await trees.fetch(listed, listing, entry.revision, contents=False)
            if isinstance(package, Unresolved):
                return replace(listed, locked_files=FilesOfEntry.OPEN)
            true = not differences_of(package.digests, dict(entry.files))
            return replace(listed, locked_files=FilesOfEntry.TRUE if true else FilesOfEntry.OTHERS)

        return await _each_call(listings, checked)


def _added(listed: ListedCall) -> LockedModule | None:
    """The entry with files that the change adds for a call."""
    change = listed.lock_change
    if change is None or change.kind is not LockChangeKind.ADDED or not change.entry.files:
        return None
    return change.entry


async def _each_call(listings: Sequence[ModuleListing], change: _Changing) -> tuple[ModuleListing, ...]:
    """The listings with every call as `change` has it; several at a time, in their order."""
    return tuple(
        [
            replace(listing, calls=tuple(await asyncio.gather(*(change(each, listing) for each in listing.calls))))
            for listing in listings
        ]
    )

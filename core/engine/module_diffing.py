"""What is new in the packages of calls whose sources mean something else than what was accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.module_packages.trees import tree_in
from lockwarden.core.modules.listing import DiffedCall, ListedCall, ModuleListing
from lockwarden.core.modules.module_lock import LockedModule, differences_of
from lockwarden.core.modules.package_diff import PackageFile, PackageTree, package_diff
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.values.errors import ArchiveError

if TYPE_CHECKING:
    from lockwarden.core.engine.module_trees import PackageTrees


async def diff_packages(
    listings: Sequence[ModuleListing], options: AuditOptions, runtime: Runtime
) -> tuple[DiffedCall, ...]:
    """For every call whose source means something else than what was accepted: the package of then beside today's.

    The listings were resolved and held against the module lock. What was accepted is the base's entry where there is a
    base, and its package is fetched by the revision; where nobody has that any more, the installed copy stands for it
    if it has just the locked files, and else the digests of the entry alone. Each source comes once.
    """
    from lockwarden.core.engine.module_trees import opened_trees  # the network; a screen asks only what was accepted

    wanted = {
        (each.call.source, each.call.version): (each, listing)
        for listing in listings
        for each in listing.calls
        if accepted_of(each) is not None
    }
    async with opened_trees(options, runtime) as trees:
        return tuple([await diffed(listed, listing, trees) for listed, listing in wanted.values()])


def accepted_of(listed: ListedCall) -> LockedModule | None:
    """The entry that a call's source was accepted as, where the source means something else today."""
    today, held, change = listed.resolution, listed.held_against, listed.lock_change
    entry = None if held is None else held.entry
    if entry is None and change is not None:
        entry = change.before
    if not isinstance(today, Resolved) or entry is None or entry.revision in {"", today.revision}:
        return None
    return entry


async def diffed(listed: ListedCall, listing: ModuleListing, trees: PackageTrees) -> DiffedCall:
    """The package that was accepted for a call beside today's. The call is one with an `accepted_of`."""
    entry, today = accepted_of(listed), listed.resolution
    assert entry is not None  # noqa: S101 - whoever calls it knows
    assert isinstance(today, Resolved)  # noqa: S101
    after = await trees.fetch(listed, listing, today.revision, contents=True)
    if isinstance(after, Unresolved):
        return DiffedCall(listed=listed, diff=after)
    before = await trees.fetch(listed, listing, entry.revision, contents=True)
    if isinstance(before, Unresolved) and entry.files:
        before = await asyncio.to_thread(_without_package, listed, entry)
    return DiffedCall(listed=listed, diff=before if isinstance(before, Unresolved) else package_diff(before, after))


def _without_package(listed: ListedCall, entry: LockedModule) -> PackageTree:
    """What is known of an accepted package that nobody gives out any more."""
    digests = {path: PackageFile(digest=digest) for path, digest in entry.files}
    try:
        installed = tree_in(Path(listed.package), name=f"{entry.revision}, as installed") if listed.package else None
    except ArchiveError:
        installed = None
    if installed is not None and not differences_of(dict(entry.files), installed.digests):
        return PackageTree(name=installed.name, files={**digests, **installed.files})
    return PackageTree(name=f"{entry.revision}, by its digests", files=digests)

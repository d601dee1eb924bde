"""The module calls beside a lock file, as they lie on the disk: what a screen reads, asks, accepts and pins.

What does it is loaded when the calls are looked at: every review that stays with its lock file opens without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.evidence.events import AuditEvent, Report, ignore

if TYPE_CHECKING:
    from lockwarden.core.engine.module_accepting import Acceptance
    from lockwarden.core.engine.module_locks import FoundLock
    from lockwarden.core.engine.module_pinning import Pinnings
    from lockwarden.core.engine.module_resolving import OnAnswered
    from lockwarden.core.modules.listing import DiffedCall, ListedCall, ModuleListing
    from lockwarden.core.modules.pins import PinnedFile


class FoundModules(Struct, frozen=True, kw_only=True):
    """The calls of one configuration, and the module lock that they are held against."""

    listing: ModuleListing
    lock: FoundLock


class ModuleFilesOnDisk:
    """Everything but `resolved` and `diffed` blocks, and raises LockwardenError."""

    def __init__(self, options: AuditOptions, runtime: Runtime) -> None:
        self.report: Report = ignore
        """Hears which servers are asked; whoever shows that sets it."""
        self._options, self._place = options, replace(runtime, report=self._tell)
        self._finder = StandardsFinder(
            environ=runtime.environ, directory=Path.cwd(), now=runtime.now, second_reader=runtime.second_reader
        )

    def _tell(self, event: AuditEvent) -> None:
        self.report(event)

    def read(self, folder: Path, *, base: str) -> FoundModules:
        """The calls of the root module in a folder, held against the module lock that counts with a base."""
        from lockwarden.core.engine.module_listing import list_modules
        from lockwarden.core.engine.module_locks import compared, find_lock_in
        from lockwarden.core.modules.module_lock import ModuleLock

        (listing,) = list_modules([str(folder)], self._place.environ)
        found = find_lock_in(listing.path, self._finder, base=base)
        if found.lock is not None or found.changes:
            listing = compared(listing, found.lock or ModuleLock(), found.changes)
        return FoundModules(listing=listing, lock=found)

    async def resolved(self, listing: ModuleListing, told: OnAnswered) -> ModuleListing:
        """The same calls with what they mean today, or why that is not known."""
        from lockwarden.core.engine.module_resolving import resolve_modules

        (found,) = await resolve_modules([listing], self._options, self._place, told)
        return found

    async def diffed(self, listing: ModuleListing, listed: ListedCall) -> DiffedCall:
        """The package that was accepted for a call beside today's; the call is one with an `accepted_of`."""
        from lockwarden.core.engine.module_diffing import diffed
        from lockwarden.core.engine.module_trees import opened_trees

        async with opened_trees(self._options, self._place) as trees:
            return await diffed(listed, listing, trees)

    def accept(self, listing: ModuleListing, calls: Sequence[ListedCall]) -> Acceptance:
        """The module lock as it would be with these calls as they are today."""
        from lockwarden.core.engine.module_accepting import accept_calls

        return accept_calls(listing, calls, self._finder, now=self._place.now())

    def save_acceptance(self, acceptance: Acceptance) -> None:
        """Write it, unless the file on disk is no longer the one that was read."""
        from lockwarden.core.engine.module_accepting import save_acceptance

        save_acceptance(acceptance)

    def pin(self, calls: Sequence[ListedCall]) -> Pinnings:
        """The files of the configuration as they would be with these calls pinned."""
        from lockwarden.core.engine.module_pinning import pin_calls

        return pin_calls(calls)

    def save_pins(self, pinned: PinnedFile) -> None:
        """Write one file, unless it is no longer the one that was read."""
        from lockwarden.core.engine.module_pinning import save_pins

        save_pins(pinned)

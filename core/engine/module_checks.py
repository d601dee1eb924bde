"""Checks the modules of a run: what sources mean today, beside the module lock that counts and what is installed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.module_comparing import check_added_entries
from lockwarden.core.engine.module_locks import FoundLock, compared, find_lock_in
from lockwarden.core.engine.module_resolving import resolve_modules
from lockwarden.core.engine.module_roots import NamedPaths, root_modules
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.module_lock import ModuleLock
from lockwarden.core.modules.own_revisions import own_revision
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.module_review import LockReview, ModuleReview
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.problem_codes import ProblemCode

_NOBODY: Final = Unresolved(
    reason="nobody was asked, because of --offline", hint="leave --offline out to have its source asked"
)


class HeldModules(Struct, frozen=True, kw_only=True):
    """Module calls beside the module locks that count, before anybody is asked."""

    listings: tuple[ModuleListing, ...]
    locks: tuple[FoundLock, ...]


def held_modules(
    named: NamedPaths,
    loaded: Sequence[Loaded],
    finder: StandardsFinder,
    runtime: Runtime,
    *,
    base: str = "",
    recursive: bool = False,
) -> HeldModules:
    """The root modules of a run, each held against the module lock that counts for it; an absent one has no entries.

    It blocks, and asks nobody. Raises InputError, ModuleLockError, GitError and ToolError.
    """
    tops = () if named.lock_files is None or not recursive else named.lock_files or (".",)
    listings = root_modules(
        (each.path for each in loaded),
        named.configurations,
        tops,
        runtime.environ,
        finder.opened,
    )
    lets = {os.path.normpath(os.path.dirname(each.path)): _lets_count(each.standards) for each in loaded}  # noqa: PTH120
    known: dict[object, FoundLock] = {}
    locks: dict[Path, FoundLock] = {}
    held = []
    for listing in listings:
        found = find_lock_in(listing.path, finder, base=base, counts=lets.get(listing.path, False), known=known)
        locks[found.path] = found
        held.append(compared(listing, found.lock or ModuleLock(), found.changes))
    for folder in named.module_locks:
        found = find_lock_in(folder, finder, base=base, known=known)
        locks.setdefault(found.path, found)
    return HeldModules(listings=tuple(held), locks=tuple(locks.values()))


def _lets_count(standards: Standards) -> bool:
    """Whether every policy of the base lets count what the change writes down."""
    unreadable = any(each.code is ProblemCode.BASE_STANDARDS_UNREADABLE for each in standards.problems)
    return not unreadable and standards.policy.lets_changes_approve


async def review_modules(held: HeldModules, options: AuditOptions, runtime: Runtime) -> ModuleReview:
    """Ask what the sources mean today, and hold what a change adds to the module lock against their packages.

    With `--offline` nobody is asked, and every source that does not name its revision by itself is open.
    """
    listings = await _resolved(held.listings, options, runtime)
    listings = await check_added_entries(listings, options, runtime)
    called = {(each.call.source, each.call.version) for listing in listings for each in listing.calls}
    return ModuleReview(listings=listings, locks=tuple(_review_of(each, called) for each in held.locks))


def _review_of(found: FoundLock, called: Iterable[tuple[str, str]]) -> LockReview:
    known = set(called)
    data = b"" if found.lock is None else found.lock.data
    return LockReview(
        path=os.path.relpath(found.path),
        digest=hashlib.sha256(data).hexdigest() if data else "",
        revision=found.at_base,
        commit=found.commit,
        changes=tuple(each for key, each in found.changes.items() if key not in known),
    )


async def _resolved(
    listings: Sequence[ModuleListing], options: AuditOptions, runtime: Runtime
) -> tuple[ModuleListing, ...]:
    own = [replace(each, calls=tuple(_by_itself(call, each) for call in each.calls)) for each in listings]
    if options.offline:
        return tuple(replace(each, calls=tuple(map(_unasked, each.calls))) for each in own)
    open_ones = [replace(each, calls=tuple(call for call in each.calls if call.resolution is None)) for each in own]
    asked = await resolve_modules(open_ones, options, runtime)
    return tuple(_put_back(listing, answered.calls) for listing, answered in zip(own, asked, strict=True))


def _by_itself(listed: ListedCall, listing: ModuleListing) -> ListedCall:
    return replace(listed, resolution=own_revision(listed.call, listing.client.default_registry))


def _unasked(listed: ListedCall) -> ListedCall:
    nothing_to_ask = listed.classified.pinning in {Pinning.LOCAL, Pinning.UNKNOWN, Pinning.REFUSED}
    return listed if nothing_to_ask or isinstance(listed.resolution, Resolved) else replace(listed, resolution=_NOBODY)


def _put_back(listing: ModuleListing, answered: Iterable[ListedCall]) -> ModuleListing:
    """The listing with those of its calls that were asked about, in their places."""
    answers = iter(answered)
    return replace(listing, calls=tuple(next(answers) if each.resolution is None else each for each in listing.calls))

"""The module lock of a repository: reads it, on disk or at a base, holds installed modules against it, adds to it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.git.identity import identity
from lockwarden.core.git.repository import find_repository, folder_with_git
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.module_lock import (
    MAX_BYTES,
    MODULE_LOCK,
    LockedModule,
    ModuleLock,
    held_against,
    read_module_lock,
    with_modules,
)
from lockwarden.core.modules.reading import ListedCall, ModuleListing
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.review.module_accepting import is_lockable, why_not_locked
from lockwarden.core.store.unpacked_folders import digests_of_folder
from lockwarden.core.system.own_files import read_own_file, save_own_file
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import ArchiveError, InputError, ModuleLockError, SaveError

NOBODY = "unknown"


class FoundLock(Struct, frozen=True, kw_only=True):
    """The module lock that counts for a configuration."""

    path: Path
    lock: ModuleLock | None
    """None where there is none."""
    at_base: str = ""
    """The revision that it was read at; empty for the one on disk."""
    changed: bool = False
    """Whether the one on disk is another than the base's."""


def find_lock(listing: ModuleListing, *, base: str, environ: Mapping[str, str]) -> FoundLock:
    """The module lock in the repository's root, or in the root module's folder where there is no repository.

    With a base, only what the base has counts. It blocks. Raises ModuleLockError, GitError, InputError.
    """
    folder = Path(os.path.realpath(listing.path))
    path = (folder_with_git(folder) or folder) / MODULE_LOCK
    if path.parent.is_symlink():
        problem = Diagnostic(message="its folder is a symbolic link", hint="make a folder of it; a link leads anywhere")
        raise ModuleLockError(path=MODULE_LOCK, diagnostics=(problem,))
    data = read_own_file(path, name=MODULE_LOCK, limit=MAX_BYTES, error=ModuleLockError)
    if not base:
        return FoundLock(path=path, lock=None if data is None else read_module_lock(data))
    repository = find_repository(folder, environ)
    if repository is None:
        raise InputError(f"{listing.path} lies in no git repository, so it has no base", hint="leave --base out")
    revision = repository.resolve(base)
    before = repository.plain_file(revision, MODULE_LOCK)
    lock = None if before is None else read_module_lock(before, path=f"{MODULE_LOCK} at {revision.name}")
    return FoundLock(path=path, lock=lock, at_base=revision.name, changed=before != data)


def compared(listing: ModuleListing, lock: ModuleLock) -> ModuleListing:
    """The listing in which every call that can be locked is held against the lock. It blocks."""
    return replace(listing, calls=tuple(_compared(each, lock) for each in listing.calls))


def _compared(listed: ListedCall, lock: ModuleLock) -> ListedCall:
    if not is_lockable(listed):
        return listed
    entry = lock.of(listed.call.source, listed.call.version)
    return replace(listed, held_against=held_against(entry, tree_of(listed)))


def tree_of(listed: ListedCall) -> Mapping[str, str] | str | None:
    """The installed files of a call, by path their SHA-256; None where there are none, or why they cannot be hashed."""
    if listed.installed is not InstalledState.INSTALLED:
        return None
    try:
        found = digests_of_folder(Path(listed.package), without=".git")
    except ArchiveError as error:
        return error.message
    try:
        return {name.decode(): digest.hex() for name, digest in found}
    except UnicodeDecodeError:
        return "the name of a file in it is not UTF-8"


class Locking(Struct, frozen=True, kw_only=True):
    """What was added to a module lock, and what could not be."""

    added: tuple[LockedModule, ...]
    left_out: tuple[tuple[ListedCall, str], ...]
    """Calls, and why each; a clause."""


def lock_modules(
    listings: Sequence[ModuleListing], found: FoundLock, *, environ: Mapping[str, str], now: datetime
) -> Locking:
    """Add an entry for every source that has none; what is there stays. It blocks.

    Raises SaveError, FileChangedError and OwnFileEditError.
    """
    lock = found.lock or ModuleLock()
    by = identity(found.path.parent.parent, environ) or NOBODY
    added: dict[tuple[str, str], LockedModule] = {}
    left_out: list[tuple[ListedCall, str]] = []
    for listed in (each for listing in listings for each in listing.calls if is_lockable(each)):
        key = (listed.call.source, listed.call.version)
        if lock.of(*key) is not None or key in added:
            continue
        tree = tree_of(listed)
        revision = listed.resolution.revision if isinstance(listed.resolution, Resolved) else ""
        why = why_not_locked(listed, tree, revision)
        if why:
            left_out.append((listed, why))
            continue
        files = tuple(sorted(tree.items())) if isinstance(tree, Mapping) else ()
        added[key] = LockedModule(source=key[0], version=key[1], revision=revision, files=files, by=by, at=now)
    if added:
        save_lock(found, with_modules(lock, added.values()))
    return Locking(added=tuple(added.values()), left_out=tuple(left_out))


def save_lock(found: FoundLock, data: bytes) -> None:
    """Write a module lock, which must still be what was found. Raises SaveError and FileChangedError."""
    folder = found.path.parent
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise SaveError(
            f"the folder {folder} cannot be made: {error.strerror}", hint="look at what is there"
        ) from error
    save_own_file(found.path, data, expected=None if found.lock is None else found.lock.data)

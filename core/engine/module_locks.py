"""The module lock of a repository: reads it, on disk or at a base, holds installed modules against it, adds to it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.git.identity import identity
from lockwarden.core.git.model import Commit
from lockwarden.core.git.places import folder_with_git
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.lock_changes import FilesOfEntry, LockChangeKind, LockChanges, changes_of_lock
from lockwarden.core.modules.module_lock import (
    MAX_BYTES,
    MODULE_LOCK,
    LockedModule,
    ModuleLock,
    held_against_entry,
    read_module_lock,
    with_modules,
)
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.review.module_accepting import is_lockable, why_not_locked
from lockwarden.core.store.unpacked_folders import digests_of_folder
from lockwarden.core.system.own_files import read_own_file, save_own_file
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import ArchiveError, ModuleLockError, SaveError

NOBODY = "unknown"


class FoundLock(Struct, frozen=True, kw_only=True):
    """The module lock that counts for a configuration."""

    path: Path
    lock: ModuleLock | None
    """None where there is none."""
    at_base: str = ""
    """The revision that it was read at; empty for the one on disk."""
    commit: str = ""
    """Of that revision."""
    changed: bool = False
    """Whether the one on disk is another than the base's."""
    changes: LockChanges = {}
    """What the change under review does to its entries; nothing without a base."""


def find_lock_in(
    named: str,
    finder: StandardsFinder,
    *,
    base: str = "",
    counts: bool = False,
    known: dict[object, FoundLock] | None = None,
) -> FoundLock:
    """The module lock for a root module's folder: in the repository's root, or in the folder itself without one.

    With a base, only what the tip of the base has counts: what the change has of it is what is reviewed, unless the
    base's policy says that it `counts`. It is looked for where the approvals are. What is `known` is not read again. It
    blocks. Raises ModuleLockError for one that cannot be read, the change's as well; GitError and ToolError.
    """
    known = {} if known is None else known
    folder = Path(os.path.realpath(named))
    if not base:
        path = (folder_with_git(folder) or folder) / MODULE_LOCK
        if path not in known:
            data = _on_disk(path)
            known[path] = FoundLock(path=path, lock=None if data is None else read_module_lock(data))
        return known[path]
    place = Path(named) / LOCK_FILE_NAME
    repository = finder.repository(place, needed=True)
    assert repository is not None  # noqa: S101 - or it was raised
    ground = finder.grounds(place, repository, base)[0]
    key = (ground.repository.root, ground.tip.id, ground.left.id, counts)
    if key not in known:
        known[key] = _found_in(ground, counts=counts)
    return known[key]


def _found_in(ground: Ground, *, counts: bool) -> FoundLock:
    path = ground.repository.root / MODULE_LOCK
    data = _on_disk(path)
    now = ModuleLock() if data is None else read_module_lock(data)
    tip = _at(ground, ground.tip)
    left = [_at(ground, revision) or ModuleLock() for _, revision in ground.sides]
    changes = changes_of_lock(now, tip=tip or ModuleLock(), left=left, counts=counts)
    return FoundLock(
        path=path,
        lock=now if counts else tip,
        at_base=ground.called(ground.tip),
        commit=ground.tip.id,
        changed=(b"" if tip is None else tip.data) != (data or b""),
        changes=changes,
    )


def _on_disk(path: Path) -> bytes | None:
    if path.parent.is_symlink():
        problem = Diagnostic(message="its folder is a symbolic link", hint="make a folder of it; a link leads anywhere")
        raise ModuleLockError(path=MODULE_LOCK, diagnostics=(problem,))
    return read_own_file(path, name=MODULE_LOCK, limit=MAX_BYTES, error=ModuleLockError)


def _at(ground: Ground, revision: Commit) -> ModuleLock | None:
    data = ground.repository.plain_file(revision, MODULE_LOCK)
    return None if data is None else read_module_lock(data, path=f"{MODULE_LOCK} at {ground.called(revision)}")


def compared(listing: ModuleListing, lock: ModuleLock, changes: LockChanges | None = None) -> ModuleListing:
    """The listing in which every call that can be locked is held against the lock. It blocks.

    `changes` is what the change under review does to the entries of the lock.
    """
    trees: dict[str, Mapping[str, str] | str | None] = {}
    return replace(listing, calls=tuple(_compared(each, lock, changes or {}, trees) for each in listing.calls))


def _compared(
    listed: ListedCall, lock: ModuleLock, changes: LockChanges, trees: dict[str, Mapping[str, str] | str | None]
) -> ListedCall:
    if not is_lockable(listed):
        return listed
    key = (listed.call.source, listed.call.version)
    if listed.package not in trees:
        trees[listed.package] = tree_of(listed)  # thousands of calls can name one folder
    change = changes.get(key)
    added = change is not None and change.kind is LockChangeKind.ADDED and change.entry.files
    return replace(
        listed,
        held_against=held_against_entry(lock.of(*key), trees[listed.package]),
        lock_change=change,
        locked_files=FilesOfEntry.OPEN if added else FilesOfEntry.NONE,
    )


def tree_of(listed: ListedCall) -> Mapping[str, str] | str | None:
    """SHA-256 of the installed files by their paths; None where nothing is installed, a clause for what cannot be read.

    It blocks.
    """
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

"""The lock files of a whole tree of folders."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.lockfile.names import is_lock_file_name

_CACHES: Final = frozenset({".terraform", ".terragrunt-cache"})
"""Folders that hold what was fetched. A lock file in there is nobody's to keep, unless somebody tracks it."""
_VERSION_CONTROL: Final = ".git"
_LOOKED_INTO: Final = 200
"""Folders that are looked into for a hint, the nearest first."""


class FoundLockFile(Struct, frozen=True, kw_only=True):
    """A lock file, and the folder upwards, within the tree, that looks like the root of a repository."""

    path: Path
    repository: Path | None
    """Of a file in a cache that around the cache: what was fetched may be a repository of its own."""
    cache: str = ""
    """The name of the folder of fetched things that it lies in; empty when it lies in none."""


class LinkedFolder(Struct, frozen=True, kw_only=True):
    """A link to a folder, which is not followed. Those in a cache are not told."""

    path: Path


class UnreadableFolder(Struct, frozen=True, kw_only=True):
    """A folder that could not be looked into, so that lock files in it are missing."""

    path: Path
    reason: str


class _Waiting(Struct, frozen=True):
    folder: Path
    repository: Path | None
    cache: str


def files_below(top: Path) -> Iterator[FoundLockFile | LinkedFolder | UnreadableFolder]:
    """The lock files in a folder and all below it, by path. It blocks.

    Links to folders are not followed, so that no file comes twice and nothing outside comes at all; a link in the
    place of a lock file is one. Whether a file is tracked or ignored by git is not asked here.
    """
    waiting = [_Waiting(top, None, "")]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here.folder) as entries:
                found = sorted(entries, key=lambda each: each.name)
        except OSError as error:
            yield UnreadableFolder(path=here.folder, reason=error.strerror or "it cannot be opened")
            continue
        repository = here.repository
        if not here.cache and any(each.name == _VERSION_CONTROL for each in found):
            repository = here.folder
        for each in found:
            if is_lock_file_name(each.name):
                yield FoundLockFile(path=here.folder / each.name, repository=repository, cache=here.cache)
        below = []
        for each in found:
            if each.name == _VERSION_CONTROL:
                continue
            if each.is_dir(follow_symlinks=False):
                cache = here.cache or (each.name if each.name in _CACHES else "")
                below.append(_Waiting(here.folder / each.name, repository, cache))
            elif not here.cache and each.is_symlink() and _leads_to_folder(each):
                yield LinkedFolder(path=here.folder / each.name)
        waiting += reversed(below)


def beside(path: Path) -> Iterator[Path]:
    """What lies beside a lock file, or in a folder beside the one there, and passes for it on some disks. It blocks."""
    folder = path if path.is_dir() else path.parent
    with contextlib.suppress(OSError, ValueError):
        names = sorted(os.listdir(folder))  # noqa: PTH208 - the names alone
        others = (folder / each for each in names if is_lock_file_name(each) and each != LOCK_FILE_NAME)
        yield from (each for each in others if each != path and not _is_same(each, folder / LOCK_FILE_NAME))


def _is_same(one: Path, other: Path) -> bool:
    """Whether this disk cannot tell the names apart."""
    try:
        return os.path.samestat(one.lstat(), other.lstat())
    except OSError:
        return False


def first_below(top: Path) -> Path | None:
    """One lock file below a folder that is no fetched thing, if one is found soon; None is no claim that none is."""
    waiting = deque([top])
    for _ in range(_LOOKED_INTO):
        if not waiting:
            return None
        folder = waiting.popleft()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for each in sorted(entries, key=lambda entry: entry.name):
                if each.name == LOCK_FILE_NAME and folder != top:
                    return folder / each.name
                if each.name not in _CACHES and each.name != _VERSION_CONTROL and each.is_dir(follow_symlinks=False):
                    waiting.append(folder / each.name)
    return None


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:
        return False  # a circle, or nothing that may be looked at

"""The lock files of a whole tree of folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.model import LOCK_FILE_NAME

_PASSED_OVER: Final = frozenset({".git", ".terraform", ".terragrunt-cache"})
"""Folders that hold what was fetched or is version control's own; a lock file in there is nobody's to keep."""


class FoundFile(Struct, frozen=True, kw_only=True):
    """A lock file, and the folder upwards, within the tree, that looks like the root of a repository."""

    path: Path
    repository: Path | None


class UnreadableFolder(Struct, frozen=True, kw_only=True):
    """A folder that could not be looked into, so that lock files in it are missing."""

    path: Path
    reason: str


def files_below(top: Path) -> Iterator[FoundFile | UnreadableFolder]:
    """The lock files in a folder and all below it, by path. It blocks.

    Links to folders are not followed, so that no file comes twice and nothing outside comes at all; a link in the
    place of a lock file is one. Whether a file is ignored by git is not asked here.
    """
    waiting: list[tuple[Path, Path | None]] = [(top, None)]
    while waiting:
        folder, repository = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda each: each.name)
        except OSError as error:
            yield UnreadableFolder(path=folder, reason=error.strerror or "it cannot be opened")
            continue
        if any(each.name == ".git" for each in found):
            repository = folder
        if any(each.name == LOCK_FILE_NAME for each in found):
            yield FoundFile(path=folder / LOCK_FILE_NAME, repository=repository)
        below = [each for each in found if each.name not in _PASSED_OVER and each.is_dir(follow_symlinks=False)]
        waiting += [(folder / each.name, repository) for each in reversed(below)]

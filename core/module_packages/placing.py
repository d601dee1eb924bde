"""Puts a tree where it was wanted, whole or not at all: it is made beside that place and moved there in one step."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from lockwarden.core.system.links import link_on_the_way
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError, InputError, SaveError

_PREFIX: Final = ".lockwarden-"
_UMASKED: Final = 0o755
_WILD: Final = re.compile(r"[*\[\\]")
_ABSENT: Final = "name a folder that is not there yet, or one that is empty"


class Staging:
    """A tree that is being made, and the place that it is for."""

    def __init__(self, folder: Path, target: Path) -> None:
        self.folder = folder
        """Where it is made; nobody else can write there."""
        self._target = target

    def place(self) -> None:
        """Move the tree to its place. Raises SaveError when something is there by now, or it cannot be moved."""
        mask = os.umask(0)
        os.umask(mask)
        try:
            self.folder.chmod(_UMASKED & ~mask)
            self.folder.rename(self._target)
        except OSError as error:
            raise SaveError(f"{self._target} cannot be made: {error.strerror}", hint=_ABSENT) from error


@asynccontextmanager
async def staging(named: str) -> AsyncIterator[Staging]:
    """A folder beside the place that was named. At the end of the block it is gone, unless it was placed.

    Raises InputError for a place that is taken or cannot be had.
    """
    target = _target(named)
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=target.parent))
    except OSError as error:
        raise InputError(
            f"nothing can be written to {target.parent}: {error.strerror}", hint="the folder around it has to be there"
        ) from error
    try:
        yield Staging(folder, target)
    finally:
        # At once: whoever leaves may be cancelled again while waiting for a thread.
        shutil.rmtree(folder, ignore_errors=True)


def _target(named: str) -> Path:
    if not named or "\0" in named:
        raise InputError("a folder is needed to put the package into", hint=_ABSENT)
    target = Path(os.path.abspath(named))  # noqa: PTH100 - no link may be followed
    if (link := link_on_the_way(target)) is not None:
        raise InputError(
            f"{link} is a symbolic link in the working tree, and nothing is written through it",
            hint="name a folder to which no link of the working tree leads",
        )
    if not os.path.lexists(target):
        return target
    if target == Path.cwd() or target.is_symlink() or not target.is_dir() or any(target.iterdir()):
        raise InputError(f"{target} is there already", hint=_ABSENT)
    return target


def module_folder(tree: Path, subdirectory: str) -> str:
    """The folder of the module within a tree, by the sub-directory of its source, which can be a pattern.

    Raises ArchiveError unless exactly one folder is meant.
    """
    if not subdirectory:
        return ""
    found = [""]
    for part in filter(None, subdirectory.split("/")):
        found = [f"{each}/{name}" if each else name for each in found for name in _named(tree / each, part)]
    why = ""
    if not found:
        why = "not found"
    elif len(found) > 1:
        why = "matches multiple paths"
    elif not (tree / found[0]).is_dir():
        why = "is no folder"
    if why:
        raise ArchiveError(f"subdir “{subdirectory}” {why}", code=ArchiveFault.NO_SUBDIRECTORY, hint=_holds(tree))
    return found[0]


def _named(folder: Path, part: str) -> list[str]:
    """The names in a folder that a part of a pattern stands for."""
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError:
        return []
    if not _WILD.search(part):
        return [part] if part in names else []
    if "[" in part or "\\" in part:
        why = f"subdir “{part}” is a pattern that is not read here"
        raise ArchiveError(why, code=ArchiveFault.NO_SUBDIRECTORY, hint="write the folder's name")
    # A question mark cannot come here: in a source it begins the arguments.
    pattern = re.compile(".*".join(map(re.escape, part.split("*"))), re.DOTALL)
    return [name for name in names if pattern.fullmatch(name)]


def _holds(tree: Path) -> str:
    folders = sorted(each.name for each in tree.iterdir() if each.is_dir())[:10]
    return f"the package has the folders {', '.join(folders)}" if folders else "the package has no folders"

"""What lies in the reach of a change: whatever is looked for by way of the working tree that it is checked out in.

A file counts as in reach as soon as any step of the way to it, links included, lies in such a working tree: whoever
writes the tree chooses what is found there, wherever it lies in the end.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from lockwarden.core.git.places import entry_of
from lockwarden.core.system.links import way_to
from lockwarden.core.values.errors import GitError

_GIT_FILE: Final = "gitdir: "
"""How a `.git` begins that is a file: of a submodule, and of a working tree beside the first one."""


class Entered(Struct, frozen=True):
    """Where the way to a path comes into a working tree first, and what of the way is left."""

    root: Path
    below: str
    """Relative to the root, with slashes, as it is written; empty for the root itself."""


class Reach(Struct, frozen=True):
    """The working trees of what is reviewed."""

    roots: tuple[Path, ...] = ()
    """Absolute and without links."""

    @classmethod
    def of(cls, paths: Iterable[str], *, recursive: bool = False) -> Reach:
        """The working trees that files or folders lie in; with `recursive` also those of all lock files below."""
        roots: set[Path] = set()
        for path in map(Path, paths):
            # What is wrong with a path is told where it is read.
            with contextlib.suppress(OSError, ValueError, GitError):
                roots.update(_trees_around(path))
                if recursive and path.is_dir():
                    from lockwarden.core.system.lock_file_search import FoundLockFile, files_below

                    found = (each for each in files_below(path) if isinstance(each, FoundLockFile))
                    roots.update(root for each in found for root in _trees_around(each.path))
        return cls(tuple(sorted(roots)))

    def entered(self, path: str | PurePath, directory: str | PurePath) -> Entered | None:
        """Where the way to a path, relative to `directory`, leads through a working tree; None when it does not."""
        if not self.roots or "\0" in str(path):
            return None
        known = {_identity(root): root for root in self.roots}
        for place, ahead in way_to(os.path.join(directory, path)):  # noqa: PTH118 - dots have to stay
            root = Path(place) if Path(place) in self.roots else known.get(_identity(place))
            # The root itself is no part of the tree, so that leaving it at once leads where it always led.
            if root is not None and ahead[:1] != [".."]:
                return Entered(root, "/".join(ahead))
        return None


NO_REACH: Final = Reach()
"""Of nothing: where no change is under review."""


def _trees_around(path: Path) -> Iterator[Path]:
    """The nearest working trees upwards of a path, and of where it leads when it is a link.

    Around a submodule also the one that has it: which repository lies there is for a change of that one to choose.
    """
    entry = entry_of(path.absolute())
    for place in {entry, Path(os.path.realpath(entry))}:
        inner: Path | None = None
        for folder in (place, *place.parents):
            if os.path.lexists(folder / ".git"):
                root = Path(os.path.realpath(folder))
                if inner is not None and not _is_submodule(inner, root):
                    break
                yield root
                inner = root


def _is_submodule(inner: Path, outer: Path) -> bool:
    """Whether git keeps the one working tree's repository among the other's submodules, as every checkout does."""
    modules = Path(os.path.realpath(_git_folder(outer) / "modules"))
    return modules in Path(os.path.realpath(_git_folder(inner))).parents


def _git_folder(root: Path) -> Path:
    """Where the repository of a working tree is: its `.git`, or what that file names."""
    entry = root / ".git"
    try:
        text = entry.read_text("utf-8", "surrogateescape") if entry.is_file() else ""
    except OSError:
        return entry
    first = text.partition("\n")[0]
    return root / first.removeprefix(_GIT_FILE) if first.startswith(_GIT_FILE) else entry


def _identity(place: str | Path) -> tuple[int, int] | None:
    """What a folder is for the system, by whatever name; None for what is not there."""
    try:
        status = os.lstat(place)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino

"""Where a path lies: on disk, and in the tree of a repository."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from lockwarden.core.values.errors import GitError
from lockwarden.core.values.printable import reveal

_SEPARATOR: Final = os.sep.encode()
_MOST_LINKS: Final = 40
"""Symbolic links on one way, as many as the system follows."""


def entry_of(path: Path) -> Path:
    """The folder entry that `path` names, absolute: links on the way are followed, one at its end is not.

    Raises GitError for what is no path.
    """
    if "\0" in str(path):
        raise GitError(
            f"{reveal(str(path))} is not a path", code="outside", hint="name a lock file or the folder that holds it"
        )
    return _real(path) if path.name in {"", ".."} else _real(path.parent) / path.name


def places_of(path: Path, root: Path) -> tuple[bytes, ...]:
    """The paths in the tree of `root` that `path` stands for: its own entry, then where a link there leads today.

    Raises GitError when neither is inside.
    """
    entry = entry_of(path)
    found = [inside(each, root) for each in (entry, _real(entry))]
    places = tuple(dict.fromkeys(each for each in found if each))
    if not places:
        raise GitError(
            f"{reveal(str(path))} is not a file in the repository {reveal(str(root))}",
            code="outside",
            hint="name a file inside the working tree",
        )
    return places


def folder_with_git(path: Path) -> Path | None:
    """The nearest folder upwards that has a `.git`, which git has still to take for a repository.

    Of a link to a file the place of the link counts first; see `find_repository`.
    """
    entry = entry_of(path)
    target = Path(os.path.realpath(entry))
    for place in (target,) if target.is_dir() else (entry, target):
        for folder in (place, *place.parents):
            if os.path.lexists(folder / ".git"):
                return folder
    return None


class Way(Struct, frozen=True, kw_only=True):
    """How a path leads through a tree of folders."""

    names: tuple[bytes, ...]
    """Every path in the tree that it stands for: as it is written first, then with what the links on its way say."""
    enters: bool
    """Whether some step of it is in the tree, so that whoever changes the tree can lead it elsewhere."""


def way_of(path: Path, root: Path) -> Way:
    """The way of an absolute path through the tree of `root`, each link on it followed, the one at its end as well.

    Any folder of a tree can be turned into a link by who may change it, and a link there can become a folder again.
    So a path has each of these names, whatever lies there today.
    """
    # Every lock file's way is asked for several times, and paths as values would take most of a run's time.
    names: dict[bytes, None] = {}
    enters = False
    links = 0
    top = os.path.join(root, "")  # noqa: PTH118
    here, ahead = path.anchor, list(path.parts[:0:-1])
    while ahead:
        part = ahead.pop()
        if part in {"", os.curdir, os.pardir}:
            here = os.path.dirname(here) if part == os.pardir else here  # noqa: PTH120
            continue
        entry = os.path.join(here, part)  # noqa: PTH118
        if entry.startswith(top):
            enters = True
            whole = os.path.normpath(os.path.join(entry, *reversed(ahead)))  # noqa: PTH118
            if whole.startswith(top):
                names.setdefault(os.fsencode(whole.removeprefix(top)).replace(_SEPARATOR, b"/"))
        text = _link(entry) if links < _MOST_LINKS else None
        if text is None:
            here = entry
            continue
        links += 1
        target = PurePath(text)
        here = target.anchor if target.is_absolute() else here
        ahead.extend(target.parts[: 0 if target.is_absolute() else None : -1])
    return Way(names=tuple(names), enters=enters)


def _link(entry: str) -> str | None:
    try:
        return os.readlink(entry)  # noqa: PTH115
    except (OSError, ValueError):
        return None


def inside(path: Path, root: Path) -> bytes | None:
    """An absolute path relative to `root`, as git writes it; None when it is outside, empty for the root itself."""
    try:
        relative = path.relative_to(root)
    except ValueError:
        return None
    return os.fsencode(relative).replace(_SEPARATOR, b"/") if relative.parts else b""


def _real(path: Path) -> Path:
    """The path without links and dots; unlike `Path.resolve` it bears links that go in a circle."""
    return Path(os.path.realpath(path))

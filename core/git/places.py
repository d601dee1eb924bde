"""Where a path lies: on disk, and in the tree of a repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from lockwarden.core.errors import GitError
from lockwarden.core.printable import reveal

_SEPARATOR: Final = os.sep.encode()


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

"""Where a name can lead that a change has in its hands: any folder of a working tree may have become a link.

Git brings links like files. Whoever makes a pull request can have `reports` or `reports/x.sarif` lead anywhere. A link
of the operator's own, outside of any working tree, may well lead into one, and so to such a link.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MOST_LINKS: Final = 64
"""Links that are followed one after another, more than any system follows."""


def working_tree(path: Path) -> Path | None:
    """The uppermost folder, by the name of the path, that has a `.git`; None where there is none.

    It is the uppermost one because a change can bring a `.git` of its own further down.
    """
    folders = reversed(_named(path).parents)
    return next((folder for folder in folders if os.path.lexists(folder / ".git")), None)


def link_on_the_way(path: Path, *, top: Path | None = None) -> Path | None:
    """The first folder below the working tree's, or below `top`, that leads to `path` and is a symbolic link.

    Folders count by the name of the path, and by where links on the way lead.
    """
    named = _named(path)
    above = top if top is not None and top in named.parents else working_tree(path)
    below = [folder for folder in reversed(named.parents) if above is not None and above in folder.parents]
    by_name = next((folder for folder in below if os.path.islink(folder)), None)  # noqa: PTH114 - the method raises
    return by_name or link_of_a_tree(path.parent)


def link_of_a_tree(path: Path) -> Path | None:
    """The first link that lies in a working tree among all places by way of which the system comes to `path`."""
    for place, _ in way_to(os.path.join(Path.cwd(), path)):  # noqa: PTH118 - dots have to stay
        if os.path.islink(place) and working_tree(Path(place)) is not None:  # noqa: PTH114
            return Path(place)
    return None


def leads_out(path: Path) -> bool:
    """Whether a path that lies in a working tree by its name is somewhere else."""
    link = link_of_a_tree(path)
    trees = (working_tree(path), None if link is None else working_tree(link))
    real = Path(os.path.realpath(path))
    return any(tree is not None and Path(os.path.realpath(tree)) not in real.parents for tree in trees)


def absolute_folder(text: str, directory: Path) -> Path:
    """The folder as an absolute path; links are followed only where `..` asks for it."""
    path = directory / text
    # Unlike the method resolve, realpath takes a circle of links as it takes a folder that is not there.
    return Path(os.path.realpath(path)) if ".." in path.parts else path.absolute()


def way_to(path: str) -> Iterator[tuple[str, list[str]]]:
    """Every place that the system looks at on the way to an absolute path, and the names that are still ahead."""
    ahead, at, links = path.split("/")[::-1], "/", 0
    while ahead:
        name = ahead.pop()
        if name in {"", "."}:
            continue
        if name == "..":
            at = os.path.dirname(at)  # noqa: PTH120
            continue
        place = os.path.join(at, name)  # noqa: PTH118
        yield place, [each for each in ahead[::-1] if each not in {"", "."}]
        try:
            target = os.readlink(place)  # noqa: PTH115
        except OSError:
            at = place
            continue
        links += 1
        if links > _MOST_LINKS:
            return
        if target.startswith("/"):
            at = "/"
        ahead.extend(target.split("/")[::-1])


def _named(path: Path) -> Path:
    """The path as it is called, from the root on; links in it are not looked at, and `..` takes a name away."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `Path.absolute` keeps the dots

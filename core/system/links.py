"""Where a name can lead that a change has in its hands: any folder of a working tree may have become a link.

Git brings links like files. Whoever makes a pull request can have `reports` or `reports/x.sarif` lead anywhere.
"""

from __future__ import annotations

import os
from pathlib import Path


def working_tree(path: Path) -> Path | None:
    """The uppermost folder, by the name of the path, that has a `.git`; None where there is none.

    It is the uppermost one because a change can bring a `.git` of its own further down.
    """
    folders = reversed(_named(path).parents)
    return next((folder for folder in folders if os.path.lexists(folder / ".git")), None)


def link_on_the_way(path: Path, *, top: Path | None = None) -> Path | None:
    """The first folder below the working tree's, or below `top`, that leads to `path` and is a symbolic link."""
    named = _named(path)
    above = top if top is not None and top in named.parents else working_tree(path)
    below = [folder for folder in reversed(named.parents) if above is not None and above in folder.parents]
    return next((folder for folder in below if os.path.islink(folder)), None)  # noqa: PTH114 - the method raises


def leads_out(path: Path) -> bool:
    """Whether a path that lies in a working tree by its name is somewhere else."""
    tree = working_tree(path)
    return tree is not None and Path(os.path.realpath(tree)) not in Path(os.path.realpath(path)).parents


def _named(path: Path) -> Path:
    """The path as it is called, from the root on; links in it are not looked at, and `..` takes a name away."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `Path.absolute` keeps the dots

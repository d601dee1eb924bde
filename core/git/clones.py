"""Opens a clone to read what is committed in it, whether it has a working tree or not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.git.failures import refusal
from lockwarden.core.git.model import GitLimits
from lockwarden.core.git.program import Git
from lockwarden.core.git.repository import open_repository
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.printable import reveal

_GIT: Final = ".git"
_FOLDERS: Final = ("objects", "refs")


def is_clone(folder: Path) -> bool:
    """Whether a folder looks like a clone; git has still to agree."""
    return os.path.lexists(folder / _GIT) or looks_bare(folder)


def looks_bare(folder: Path) -> bool:
    """Whether a folder has what git looks for in a repository without a working tree."""
    # The methods of paths raise for what may not be looked at.
    return os.path.isfile(folder / "HEAD") and all(os.path.isdir(folder / each) for each in _FOLDERS)  # noqa: PTH112, PTH113


def open_clone(folder: Path, environ: Mapping[str, str], *, limits: GitLimits | None = None) -> Git:
    """The git of the clone in a folder, which is absolute and without links. It blocks.

    Only commits are read through it: neither a working tree nor an index has a say. Raises ToolError without git, and
    GitError for what is no clone, for one that git does not trust, and for one that it cannot read.
    """
    if os.path.lexists(folder / _GIT):
        return open_repository(folder, environ, limits=limits).git
    shown = reveal(str(folder))
    if not looks_bare(folder):
        raise GitError(f"{shown} is no git repository", code="not-a-repository", hint="clone it there, or name another")
    git = Git.at(folder, environ, limits, bare=True)
    doing = "open the repository"
    answer = git.ask("rev-parse", "--is-bare-repository", "--absolute-git-dir", doing=doing)
    if answer.exit_code != 0:
        raise refusal(answer, doing=doing, folder=folder)
    is_bare, _, place = answer.printed.removesuffix(b"\n").partition(b"\n")
    if is_bare != b"true" or os.path.realpath(place) != os.fsencode(folder):
        raise GitError(
            f"{shown} looks like a bare repository, but git takes it for another",
            code="not-a-repository",
            hint="see core.bare and core.worktree in its configuration",
        )
    return git

"""Both sides of a merge, a rebase or a cherry-pick that stopped half way."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from lockwarden.core.git.model import Revision, Side
from lockwarden.core.git.objects import OBJECT_ID
from lockwarden.core.git.program import Git
from lockwarden.core.git.revisions import current_branch, resolve
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.errors import UnknownRevisionError

_MERGE_HEAD: Final = "MERGE_HEAD"
_MERGE_HEAD_BYTES: Final = 64 * 1024
"""A line for each head; an octopus of many has a few thousand."""
_MAX_HEADS: Final = 16
"""Branches merged at once that are looked at."""
_REBASE_FOLDERS: Final = ("rebase-merge", "rebase-apply")


def sides(git: Git) -> tuple[Side, ...]:
    """This side first, then what comes in: more than one in a merge of several branches. Empty when all is finished.

    In a rebase the commit that is applied again is what comes in, although it is the operator's own. Raises GitError.
    """
    doing = "tell whether a merge is in progress"
    folder = Path(os.fsdecode(git.tell("rev-parse", "--absolute-git-dir", doing=doing).removesuffix(b"\n")))
    if merged := _merge_heads(folder):
        return _both(git, merged, "being merged")
    if any((folder / each).is_dir() for each in _REBASE_FOLDERS):
        return _both(
            git, _own("REBASE_HEAD", git), "being applied again by the rebase", here="what the rebase made so far"
        )
    return _both(git, _own("CHERRY_PICK_HEAD", git), "being picked")


def _own(name: str, git: Git) -> list[str]:
    """The name, when it is git's own note of what it is doing, and not a branch or tag that is called so."""
    full = git.ask("rev-parse", "--symbolic-full-name", "--verify", "--quiet", name, doing="find what comes in")
    return [name] if full.exit_code == 0 and full.printed.strip() == name.encode() else []


def _both(git: Git, names: list[str], coming: str, here: str = "this branch") -> tuple[Side, ...]:
    if not names:
        return ()
    try:
        ours = resolve(git, "HEAD")
        theirs = [resolve(git, name) for name in names]
    except UnknownRevisionError:
        return ()
    own_name = current_branch(git) or ours.short
    return (
        Side(label=f"{own_name}, {here}", revision=ours),
        *(Side(label=f"{_name_of(git, each)}, {coming}", revision=each) for each in theirs),
    )


def _name_of(git: Git, revision: Revision) -> str:
    """The name of a branch that ends with this commit, else its short id."""
    printed = git.tell(
        "for-each-ref",
        "--count=1",
        f"--points-at={revision.id}",
        "--format=%(refname:short)",
        "refs/heads",
        "refs/remotes",
        doing="name a side of the merge",
    )
    return os.fsdecode(printed).removesuffix("\n") or revision.short


def _merge_heads(folder: Path) -> list[str]:
    """The ids in MERGE_HEAD, one a line. git names only the first of them, so the file itself is read."""
    try:
        file = open_to_read(folder / _MERGE_HEAD, follow=False)
    except OSError:
        return []
    with open(file, "rb", closefd=True) as stream:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return []
        lines = stream.read(_MERGE_HEAD_BYTES).decode("ascii", "replace").split()
    return [line for line in lines if OBJECT_ID.fullmatch(line)][:_MAX_HEADS]

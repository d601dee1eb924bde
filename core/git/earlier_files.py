"""What files of one name were in the last commits of a branch, wherever in the tree they lay: one run of git."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final

from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.objects import commit_of, kind_of, read_object
from lockwarden.core.git.program import Git
from lockwarden.core.values.errors import GitError

MAX_COMMITS: Final = 500
"""How far back the first parents are followed, so that a repository with a long history costs no more."""
MAX_CHANGES: Final = 300
"""Commits that changed such a file."""
MAX_FILES: Final = 1000
"""Different contents that are read."""
MAX_BYTES: Final = 32 * 1024 * 1024
"""Of all that is read."""
_CHANGE: Final = re.compile(rb":([0-7]{6}) ([0-7]{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]")
_AS_IT_IS: Final = ("--no-follow", "--no-relative", "--no-renames", "--no-ext-diff", "--no-abbrev", f"-O{os.devnull}")
"""Whatever settings say."""


def earlier_files(git: Git, start: str, name: str) -> Iterator[bytes]:
    """The contents of the files of one name in the commits up to `start`, a full id, those that are newest first.

    Merges are passed over, since what they bring was committed before. Raises GitError; an object that cannot be read
    is left out.
    """
    doing = f"list the commits that changed a {name}"
    oldest = commit_of(git, f"{start}~{MAX_COMMITS}", doing=doing)
    commits = ("--no-merges", f"--max-count={MAX_CHANGES}", start, *([f"^{oldest}"] if oldest else []))
    told = ("--raw", "-z", "--root", "--format=", *_AS_IT_IS)
    asked = ("--no-literal-pathspecs", "log", *told, *commits, "--", f":(glob)**/{name}")
    changes = git.tell(*asked, doing=doing)
    left = MAX_BYTES
    for id_ in tuple(_blobs(changes))[:MAX_FILES]:
        try:
            data = read_object(git, id_, "blob", limit=min(left, git.limits.file_bytes), doing=f"read a {name}")
        except GitError:
            continue
        left -= len(data)
        yield data


def _blobs(changes: bytes) -> dict[str, None]:
    """The ids of plain files before and after each change, each once; what stands between them are paths."""
    found: dict[str, None] = {}
    for match in filter(None, map(_CHANGE.fullmatch, changes.split(b"\0"))):
        for mode, id_ in ((match[2], match[4]), (match[1], match[3])):
            if kind_of(int(mode, 8)) is ObjectKind.FILE:
                found.setdefault(id_.decode("ascii"))
    return found

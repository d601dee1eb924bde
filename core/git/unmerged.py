"""What git's index has of a file that a merge could not merge: our side and theirs, whatever became of the file."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.objects import kind_of, read_object
from lockwarden.core.git.program import Git

BASE: Final = 1
"""The stage of the common ancestor in git's index; those of the sides follow."""
OURS: Final = 2
THEIRS: Final = 3
"""Git's numbers of the stages; the base locks nothing."""
_LINE: Final = re.compile(rb"([0-7]{6}) ([0-9a-f]+) ([1-3])\t(.+)", re.DOTALL)


def unmerged(git: Git, places: Collection[bytes]) -> Mapping[int, bytes]:
    """The bytes of the stages that the index has of a file, by number; none of one that is merged.

    `places` are its paths in the tree; the first that is unmerged counts. A stage that is a link or a submodule is left
    out. Raises GitError.
    """
    doing = "list what is not merged"
    found: dict[bytes, dict[int, str]] = {}
    for line in git.tell("ls-files", "--unmerged", "-z", doing=doing).split(b"\0"):
        match = _LINE.fullmatch(line)
        if match is not None and match[4] in places and kind_of(int(match[1], 8)) is ObjectKind.FILE:
            found.setdefault(match[4], {})[int(match[3])] = match[2].decode()
    stages = next((found[each] for each in places if each in found), {})
    return {
        number: read_object(git, id_, "blob", limit=git.limits.file_bytes, doing="read a side of the merge")
        for number, id_ in stages.items()
        if number != BASE
    }

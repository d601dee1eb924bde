"""The states in which the main line of a base had a file: its commits by way of their first parents.

What stood on a branch alone before it was merged is no state of the base. One list of the commits that changed any file
of a name serves all files of that name, so that many files cost as many programs as one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from lockwarden.core.git.model import ObjectKind, PastRevision, Revision
from lockwarden.core.git.objects import commit_of, kind_of, read_object
from lockwarden.core.git.program import Git
from lockwarden.core.git.renames import source_of
from lockwarden.core.git.revisions import changing_any
from lockwarden.core.git.trees import find
from lockwarden.core.values.errors import GitError

MOST: Final = 1_000
"""Commits of the main line that are looked at for the files of one name."""
_AT_ONCE: Final = 100
"""Commits that one question is about."""
_BLOB: Final = "blob"


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


def earlier_states(
    git: Git,
    start: str,
    path: bytes,
    now: bytes,
    *,
    limit: int,
    still_there: Callable[[Collection[bytes]], Collection[bytes]],
) -> tuple[PastRevision, ...]:
    """Commits at which the main line up to `start` (a full id) had different bytes of a file, newest first, as far back
    as it had this path.

    Where it was renamed since `start`, it is found from its bytes `now`; `still_there` is as for `source_of`. Earlier
    renames are not followed, since each would take a list of all files. Raises GitError.
    """
    if find(git, start, path) is None:
        source = source_of(git, start, path, now, still_there=still_there)
        if source is None:
            return ()
        path = source
    if b"\n" in path:
        return ()  # a question to git ends with it
    name, doing = os.fsdecode(path), f"read the history of {start[:12]}"
    commits = _commits(git, start, path.rpartition(b"/")[2])
    found: dict[str, PastRevision] = {}
    for first in range(0, len(commits), _AT_ONCE):
        some = commits[first : first + _AT_ONCE]
        there, _ = git.reader.look_up(git, [f"{each.id}:{name}" for each in some], doing=doing)
        for commit, known in zip(some, there, strict=True):
            if known is None or known.kind != _BLOB or len(found) >= limit:
                return tuple(found.values())
            found.setdefault(known.id, PastRevision(revision=commit, path=name))
    return tuple(found.values())


def _commits(git: Git, start: str, name: bytes) -> tuple[Revision, ...]:
    key = (start, name)
    if key not in git.mainlines:
        git.mainlines[key] = tuple(changing_any(git, start, name, limit=MOST))
    return git.mainlines[key]


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

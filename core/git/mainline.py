"""The states in which the main line of a base had a file: its commits by way of their first parents.

What stood on a branch alone before it was merged is no state of the base. One list of the commits that changed any file
of a name serves all files of that name, so that many files cost as many programs as one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from typing import Final

from lockwarden.core.git.model import PastRevision, Revision
from lockwarden.core.git.program import Git
from lockwarden.core.git.renames import source_of
from lockwarden.core.git.revisions import changing_any
from lockwarden.core.git.trees import find

MOST: Final = 1_000
"""Commits of the main line that are looked at for the files of one name."""
_AT_ONCE: Final = 100
"""Commits that one question is about."""
_BLOB: Final = "blob"


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


def commits_changing(git: Git, start: str, names: Iterable[bytes], *, limit: int) -> tuple[Revision, ...]:
    """The newest commits of the main line up to `start` (a full id) that changed a file of one of these names.

    They come name by name. A shallow clone shows what it holds. Raises GitError.
    """
    return tuple(each for name in names for each in _commits(git, start, name)[:limit])


def _commits(git: Git, start: str, name: bytes) -> tuple[Revision, ...]:
    key = (start, name)
    if key not in git.mainlines:
        git.mainlines[key] = tuple(changing_any(git, start, name, limit=MOST))
    return git.mainlines[key]

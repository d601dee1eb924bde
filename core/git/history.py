"""What to compare with: the commits that changed a file, through its renames, and the branches next to this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Final

from lockwarden.core.git.model import PastRevision, Revision, Suggestion
from lockwarden.core.git.program import Git
from lockwarden.core.git.renames import paths_at, source_of
from lockwarden.core.git.revisions import current_branch, resolve, touching
from lockwarden.core.git.trees import find, read_file
from lockwarden.core.values.errors import UnknownRevisionError

_DEFAULT_BRANCHES: Final = ("origin/main", "origin/master", "main", "master")
"""Tried in turn where nothing says which branch is the default one."""
_REMOTE_HEAD: Final = "refs/remotes/origin/HEAD"


def recent(
    git: Git,
    places: Sequence[bytes],
    now: bytes | None,
    *,
    limit: int,
    still_there: Callable[[Collection[bytes]], Collection[bytes]],
) -> tuple[PastRevision, ...]:
    """The commits up to HEAD that changed the file at `places`: its path, and the one that a link leads to.

    `now` are its bytes on disk, None when it need not be found under another name; `still_there` is as for
    `source_of`. Raises GitError.
    """
    try:
        start = resolve(git, "HEAD").id
    except UnknownRevisionError:
        return ()
    found: dict[str, PastRevision] = {}
    paths = list(places)
    for _ in range(git.limits.renames):
        page = touching(git, start, paths, limit=limit - len(found))
        for revision in page:
            found.setdefault(revision.id, PastRevision(revision=revision, path=os.fsdecode(paths[0])))
        if len(found) >= limit:
            break
        earlier = _before_rename(git, page[-1], paths[-1]) if page else None
        if not page and not found and now is not None and find(git, start, paths[-1]) is None:
            source = source_of(git, start, paths[-1], now, still_there=still_there)
            earlier = None if source is None else (start, source)
        if earlier is None:
            break
        start, paths = earlier[0], [earlier[1]]
    return tuple(found.values())


def _before_rename(git: Git, oldest: Revision, path: bytes) -> tuple[str, bytes] | None:
    """The commit before the one that gave a file its path, and its path there; None when it was new then."""
    if not oldest.parents:
        return None
    parent = oldest.parents[0]
    if find(git, parent, path) is not None:
        return None
    new = read_file(git, oldest.id, path)
    if new is None:
        return None
    source = source_of(git, parent, path, new[1], still_there=lambda candidates: paths_at(git, oldest.id, candidates))
    return None if source is None else (parent, source)


def suggestions(git: Git) -> tuple[Suggestion, ...]:
    """The default branch, and what the current branch is based on; no commit twice. Raises GitError."""
    here = current_branch(git)
    names = [(name, "the default branch") for name in _default_branch(git) if name != here][:1]
    upstream = git.ask("rev-parse", "--abbrev-ref", "--verify", "--quiet", "@{upstream}", doing="find the upstream")
    if upstream.exit_code == 0:
        names.append((os.fsdecode(upstream.printed).removesuffix("\n"), "the upstream of the current branch"))
    found: dict[str, Suggestion] = {}
    for name, reason in names:
        with suppress(UnknownRevisionError):
            revision = resolve(git, name)
            found.setdefault(revision.id, Suggestion(revision=revision, reason=reason))
    return tuple(found.values())


def _default_branch(git: Git) -> list[str]:
    """Names of the default branch that lead to a commit, likeliest first."""
    head = git.ask("symbolic-ref", "--quiet", "--short", _REMOTE_HEAD, doing="find the default branch")
    told = [os.fsdecode(head.printed).removesuffix("\n")] if head.exit_code == 0 else []
    found = []
    for name in (*told, *_DEFAULT_BRANCHES):
        with suppress(UnknownRevisionError):
            resolve(git, name)
            found.append(name)
    return found

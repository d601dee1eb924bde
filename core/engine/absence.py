"""What it means that entries are gone: reads from disk what the configuration requires, and from git what it had."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from lockwarden.core.configuration.files import body_of
from lockwarden.core.configuration.names import is_configuration, is_test
from lockwarden.core.configuration.requirements import SourceFile, module_of
from lockwarden.core.configuration.syntax import UnreadableProblem
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.listing import files_of
from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.objects import read_object
from lockwarden.core.git.places import entry_of, inside
from lockwarden.core.git.repository import Repository
from lockwarden.core.git.trees import names_at
from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockFile
from lockwarden.core.lockfile.positions import decode
from lockwarden.core.lockfile.read import client_of
from lockwarden.core.review.absence_rules import absence_problems, unknown_absence_problem
from lockwarden.core.review.changes import BaseSide, comparable, removed_entries
from lockwarden.core.system.configuration_files import required_on_disk
from lockwarden.core.values.errors import GitError

_MOST_CALLERS: Final = 500
"""Configuration files of a base that are looked through for a call of one folder, those that are nearest first."""
_CALLER_BYTES: Final = 1024 * 1024
"""Of each of them."""


def about_absence(
    repository: Repository,
    lock_file: LockFile,
    sides: Sequence[BaseSide],
    *,
    place: bytes | None = None,
    moved: bool = False,
) -> tuple[Problem, ...]:
    """What speaks against the removal of entries; nothing is read when none is gone. Raises GitError.

    `place` is where the lock file lay at the base, when that is not where it lies now; `moved` says that it is known to
    be somewhere else now.
    """
    sides = comparable(sides)
    gone = tuple(removed_entries(lock_file, sides))
    first = sides[0].lock_file if sides else None
    if not gone or first is None:
        return ()
    folder = Path(lock_file.path).parent
    client = client_of(decode(first.data))
    within = repository.root
    required, others = (required_on_disk(folder, within=within, client=each) for each in (client, client.other))
    at = place if place is not None else _place(Path(lock_file.path), sides, repository)
    had = moved or required.found or any(_had_configuration(repository, each.commit, at) for each in sides)
    still = any(required.requires(each.address) for each in gone)
    return tuple(
        absence_problems(
            gone,
            lock_file,
            required,
            base=sides[0].name,
            had_configuration=had,
            by_other_client=others,
            called_by=_caller(repository, sides[0].commit, at) if still else "",
        )
    )


def about_what_is_unknown(
    repository: Repository, lock_file: LockFile, sides: Sequence[BaseSide], *, place: bytes, moved: bool = False
) -> tuple[Problem, ...]:
    """What is open where nobody knows what a lock file locked that is gone: whether something needs it.

    `place` and `moved` are as for `about_absence`. Raises GitError.
    """
    unread = tuple(each for each in sides if each.unreadable)
    if lock_file.providers or len(unread) < len(sides) or not unread:
        return ()
    folder = Path(lock_file.path).parent
    client = lock_file.client
    required = tuple(required_on_disk(folder, within=repository.root, client=each) for each in (client, client.other))
    had = moved or any(_had_configuration(repository, each.commit, place) for each in unread)
    problem = unknown_absence_problem(required, base=unread[0].name, had_configuration=had)
    return () if problem is None else (problem,)


def _place(path: Path, sides: Iterable[BaseSide], repository: Repository) -> bytes:
    renamed = next((each.renamed_from for each in sides if each.renamed_from), "")
    return os.fsencode(renamed) if renamed else inside(entry_of(path), repository.root) or b""


def _had_configuration(repository: Repository, commit: str, place: bytes) -> bool:
    """Whether a lock file's folder had files that say what is required: the clients' own, or a generator's."""
    names = map(os.fsdecode, names_at(repository.git, commit, place.rpartition(b"/")[0]))
    return any(is_configuration(each) or (each.endswith(".hcl") and each != LOCK_FILE_NAME) for each in names)


def _caller(repository: Repository, commit: str, place: bytes) -> str:
    """A configuration file of a commit that calls a lock file's folder as a module by its name; empty for none.

    Only a base is asked: whatever is on disk a change could bring. Raises GitError.
    """
    folder = posixpath.dirname(os.fsdecode(place))
    if not folder:
        return ""
    name = os.fsencode(posixpath.basename(folder))
    listed = files_of(repository.git, commit, lambda path: _may_call(os.fsdecode(path), folder))
    files = {os.fsdecode(each.path): each.id for each in listed if each.kind is ObjectKind.FILE}
    for path in sorted(files, key=lambda each: (-_shared(each, folder), each))[:_MOST_CALLERS]:
        try:
            data = read_object(repository.git, files[path], "blob", limit=_CALLER_BYTES, doing="look for a call")
            if name not in data:
                continue
            module = module_of([SourceFile(body=body_of(data, path), override=False, test=False)])
        except (GitError, UnreadableProblem):
            continue
        beside = posixpath.dirname(path)
        if any(posixpath.normpath(posixpath.join(beside, each.replace("\\", "/"))) == folder for each in module.calls):
            return path
    return ""


def _may_call(path: str, folder: str) -> bool:
    name = posixpath.basename(path)
    return is_configuration(name) and not is_test(name) and posixpath.dirname(path) != folder


def _shared(path: str, folder: str) -> int:
    """How many folders a path has in common with another, from the root on."""
    pairs = zip(path.split("/"), folder.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

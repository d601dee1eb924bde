"""What it means that entries are gone: reads from disk what the configuration requires, and from git what it had."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from lockwarden.core.configuration.names import is_configuration
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.places import entry_of, inside
from lockwarden.core.git.repository import Repository
from lockwarden.core.git.trees import names_at
from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockFile
from lockwarden.core.lockfile.positions import decode
from lockwarden.core.lockfile.read import client_of
from lockwarden.core.review.absence_rules import absence_problems, unknown_absence_problem
from lockwarden.core.review.changes import BaseSide, comparable, removed_entries
from lockwarden.core.system.configuration_files import required_on_disk


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
    return tuple(
        absence_problems(gone, lock_file, required, base=sides[0].name, had_configuration=had, by_other_client=others)
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

"""Lock files in which several sides stand: found on disk and in git's index, audited side by side, and resolved."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from lockwarden.core.configuration.requirements import Required
from lockwarden.core.engine.lock_file_reading import file_of, read_bytes
from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.many_files import audits_of, reviewed
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.engine.wanted_platforms import policy_choice
from lockwarden.core.git.listing import OURS, THEIRS
from lockwarden.core.git.places import folder_with_git
from lockwarden.core.git.repository import find_repository
from lockwarden.core.lockfile.conflict_markers import BrokenMarkersError
from lockwarden.core.lockfile.conflict_sides import (
    ConflictedLockFile,
    ConflictKind,
    broken_markers,
    conflicted,
    of_stages,
    with_stages,
)
from lockwarden.core.lockfile.read import parse
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.review.resolution import Asked, ResolvedFile, resolution
from lockwarden.core.review.resolving import Choices
from lockwarden.core.review.review import Review
from lockwarden.core.system.configuration_files import required_on_disk
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError, LockFileError, LockFileInvalidError, ToolError


def find_conflict(
    path: Path, second_reader: SecondReader, *, environ: Mapping[str, str], client: Client | None = None
) -> ConflictedLockFile | None:
    """The sides that stand in a lock file, or in the one of a folder; None where only one does. It blocks.

    Where its markers are broken, or a side is no lock file, and git still knows the file as unmerged, the sides of
    git's index count. Raises LockFileError and LockFileInvalidError.
    """
    try:
        file = file_of(path)
    except OSError as error:
        raise LockFileError(f"{path} cannot be read: {error.strerror}", path=str(path)) from error
    data = read_bytes(file)
    try:
        found = conflicted(data, path=str(file), second_reader=second_reader, client=client)
    except (BrokenMarkersError, LockFileInvalidError) as error:
        stages = _stages(file, environ)
        if stages is None:
            raise error if isinstance(error, LockFileInvalidError) else broken_markers(error, str(file)) from error
        return of_stages(data, *stages, path=str(file), second_reader=second_reader, client=client)
    if found is None or found.kind is not ConflictKind.MARKERS or (stages := _stages(file, environ)) is None:
        return found
    return with_stages(found, *stages, second_reader=second_reader)


def _stages(file: Path, environ: Mapping[str, str]) -> tuple[bytes, bytes] | None:
    """Both sides by git's index; None where it has not both, or where git cannot tell."""
    try:
        repository = find_repository(file, environ)
        found = {} if repository is None else repository.unmerged(file)
    except (GitError, ToolError):
        return None
    return (found[OURS], found[THEIRS]) if OURS in found and THEIRS in found else None


def sides_to_audit(conflict: ConflictedLockFile, finder: StandardsFinder) -> tuple[Loaded, ...]:
    """The sides as lock files of a run. Raises InputError and ToolError as `StandardsFinder.of_this_side` does."""
    return tuple(
        Loaded(path=f"{conflict.path} ({side.name})", lock_file=side.lock_file, problems=(), standards=standards)
        for side in conflict.sides
        for standards in (finder.of_this_side(side.lock_file, unfinished=conflict.is_unfinished),)
    )


def resolved(
    conflict: ConflictedLockFile,
    reviews: Sequence[Review],
    choices: Choices,
    options: AuditOptions,
    second_reader: SecondReader,
) -> ResolvedFile:
    """Resolve a file whose sides were audited, by the versions that a person chose.

    Raises InputError for a choice of a version that no side locks, LockFileEditError when the result cannot be written.
    """
    made = resolution(conflict, reviews, choices, asked=_asked_beside(conflict))
    if made.unresolved:
        return ResolvedFile(resolution=made, after=None, review=None)
    data = made.next_lock_file(second_reader)
    after = parse(data, path=conflict.path, second_reader=second_reader, client=conflict.client)
    standards = reviews[0].standards
    choice = policy_choice(options.platforms, [standards])
    return ResolvedFile(
        resolution=made,
        after=data,
        review=reviewed(after, audits_of(*reviews), reviews[0].settings, choice, standards),
    )


def _asked_beside(conflict: ConflictedLockFile) -> Asked:
    """What the configuration beside a lock file asks of versions; it is read when that is asked first. It blocks."""
    folder = Path(os.path.realpath(Path(conflict.path).parent))

    @cache
    def required() -> Required:
        return required_on_disk(folder, within=folder_with_git(folder / "any") or folder, client=conflict.client)

    return lambda address: required().constraints_on(address)


def save_resolved(made: ResolvedFile) -> None:
    """Write a resolved file, unless the one on disk is no longer what was read. Raises as `save` does."""
    if made.after is not None:
        save(Path(made.path), made.after, expected=made.resolution.conflict.data)

"""What the history of a base says of providers whose hashes were changed while the version stayed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import parse
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.locked_elsewhere import LockedElsewhere
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError, LockFileError
from lockwarden.core.values.problem_codes import ProblemCode

MAX_STATES: Final = 20
"""How far back the history of one lock file is read."""


def locked_before(
    ground: Ground, lock_file: LockFile, sides: Sequence[BaseSide]
) -> Mapping[ProviderAddress, tuple[LockedElsewhere, ...]]:
    """How the main line up to the base locked the providers of a file to which hashes came at the same version.

    Only the base's own history counts, never the commits of the change. Empty where there is no such provider, so that
    no other change pays for it; what cannot be read of the history says nothing.
    """
    asked = frozenset(_grown(lock_file, sides))
    if not asked:
        return {}
    found: defaultdict[ProviderAddress, dict[LockedElsewhere, None]] = defaultdict(dict)
    for earlier in _earlier(ground, lock_file):
        for entry in earlier.providers:
            if entry.address in asked:
                found[entry.address].setdefault(LockedElsewhere.of(entry, f"in the history of {ground.base}"))
    return {address: tuple(ways) for address, ways in found.items()}


def _grown(lock_file: LockFile, sides: Sequence[BaseSide]) -> Iterator[ProviderAddress]:
    for entry in lock_file.providers:
        held = [side.entry(entry.address) for side in sides]
        if any(each and each.version == entry.version and entry.hash_set - each.hash_set for each in held):
            yield entry.address


def _earlier(ground: Ground, lock_file: LockFile) -> Iterator[LockFile]:
    try:
        past = ground.repository.earlier_states(
            Path(lock_file.path), limit=MAX_STATES, now=lock_file.data, start=ground.left
        )
    except GitError:
        return
    for each in past:
        try:
            data = ground.repository.plain_file(each.revision, each.path)
            if data is not None:
                yield earlier_lock_file(data, path=lock_file.path, name=each.revision.id, client=lock_file.client)
        except GitError:
            continue


def earlier_lock_file(data: bytes, *, path: str, name: str, client: Client | None = None) -> LockFile:
    """What a lock file said at a revision that is called `name`. Raises GitError when it cannot be read."""
    shown = f"{path} at {name}"
    try:
        return parse(data, path=shown, client=client)
    except LockFileError as error:
        raise GitError(
            f"{shown} cannot be compared with: {error.message}",
            code=ProblemCode.BASE_UNREADABLE,
            hint="choose a revision at which the lock file was sound",
        ) from error

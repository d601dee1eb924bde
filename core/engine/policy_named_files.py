"""Gives the files that a policy names, keys and trusted roots, from where the policy itself was read.

With a base that is the same commit: a change under review chooses neither the policy nor what its rules lead to.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lockwarden.core.git.model import Commit
from lockwarden.core.git.places import way_of
from lockwarden.core.git.repository import Repository
from lockwarden.core.policy.other_signers import NamedFile
from lockwarden.core.system.own_files import read_own_file
from lockwarden.core.values.errors import GitError, InputError, OwnFileError

MAX_BYTES: Final = 1024 * 1024
"""Of a file that a rule names. The public trusted root has seven thousand."""


def on_disk(folder: Path, *, follow_links: bool) -> NamedFile:
    """Files beside a policy that lies on disk. Links are followed where no change under review could make them."""

    def read(name: str) -> bytes:
        return _read(folder / name, name, follow_links=follow_links)

    return read


def at_revision(repository: Repository, revision: Commit, policy: str) -> NamedFile:
    """Files beside a policy of a commit, from the same commit; from the disk only what lies outside the repository."""

    def there(place: bytes) -> bytes | None:
        found = repository.linked_file(revision, place)
        return None if found is None else found[1]

    committed = committed_beside(policy, there)

    def read(name: str) -> bytes:
        path = Path(name)
        if path.is_absolute() and not way_of(path, repository.root).enters:
            return _read(path, name, follow_links=True)
        return committed(name)

    return read


def committed_beside(policy: str, there: Callable[[bytes], bytes | None]) -> NamedFile:
    """Files beside a policy of a commit, by their names in it alone: where links on a disk lead, others choose.

    `there` gives the bytes of a path of the commit; it raises GitError.
    """

    def read(name: str) -> bytes:
        place = posixpath.normpath(posixpath.join(posixpath.dirname(policy), name))
        inside = not place.startswith("/") and place.partition("/")[0] != os.pardir
        try:
            data = there(os.fsencode(place)) if inside else None
        except GitError as error:
            raise InputError(f"“{name}” cannot be read at the policy's commit: {error.message}") from error
        if data is None:
            raise InputError(f"there is no file “{name}” at the policy's commit", hint=_BESIDE)
        return _within_limit(data, name)

    return read


_BESIDE: Final = "its path starts at the policy's folder; commit it together with the policy"


def _read(path: Path, name: str, *, follow_links: bool) -> bytes:
    try:
        data = read_own_file(path, name=name, limit=MAX_BYTES, error=OwnFileError, follow_links=follow_links)
    except OwnFileError as error:
        problem = error.diagnostics[0]
        raise InputError(f"“{name}” cannot be used: {problem.message}", hint=problem.hint) from error
    if data is None:
        raise InputError(f"there is no file “{name}”", hint="its path starts at the policy's folder")
    return _within_limit(data, name)


def _within_limit(data: bytes, name: str) -> bytes:
    if not 0 < len(data) <= MAX_BYTES:
        raise InputError(f"“{name}” is empty or larger than the limit of {MAX_BYTES} bytes")
    return data

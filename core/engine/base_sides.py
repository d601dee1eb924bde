"""What a lock file was at its base, and whom it named there as the client that keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.engine.locked_before import earlier_lock_file
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.model import Commit, FileAtRevision
from lockwarden.core.git.repository import Repository
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import client_named_in
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.client_changes import client_problems
from lockwarden.core.review.moves import moves
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_SUBMODULE: Final = "submodule"
UNREADABLE: Final = frozenset(
    {
        _SUBMODULE,
        ProblemCode.BASE_UNREADABLE,
        "too-large",
        "not-a-file",
        "folder",
        "broken-symlink",
        "symlink-outside",
        "lfs-pointer",
    }
)
"""Codes of errors that say what the file of a revision is; the others say that nobody could look."""


class KnownSides(Struct, frozen=True):
    """Lock files as they were at bases. Each is looked for once, until whoever looks anew has to `forget`."""

    _there: dict[tuple[Path, str, str, bytes], FileAtRevision | GitError | None] = msgspec.field(default_factory=dict)

    def forget(self) -> None:
        """Look for everything anew."""
        self._there.clear()

    def of(self, ground: Ground, lock_file: LockFile, second_reader: SecondReader) -> tuple[BaseSide, ...]:
        """What a lock file was on each side of a base. Raises GitError when nobody could look."""
        return tuple(
            self._side(ground.repository, lock_file, revision, second_reader, name=name)
            for name, revision in ground.sides
        )

    def client(self, ground: Ground, lock_file: LockFile) -> Client | None:
        """Whom the lock file named at a base, this side first; None where it was not there, or named nobody.

        Raises GitError when nobody could look.
        """
        found = (self._file(ground.repository, revision, lock_file) for _, revision in ground.sides)
        named = (client_named_in(each.data) for each in found if isinstance(each, FileAtRevision))
        return next((each for each in named if each is not None), None)

    def _side(
        self, repository: Repository, lock_file: LockFile, revision: Commit, second_reader: SecondReader, *, name: str
    ) -> BaseSide:
        """What a lock file was at a revision; as it is of the base, no change under review makes that worse."""
        side = BaseSide(name=name, commit=revision.id, ref=revision.ref, lock_file=None)
        there = self._file(repository, revision, lock_file)
        if there is None:
            return side
        if isinstance(there, GitError):
            return replace(side, unreadable=there.message, elsewhere=there.code == _SUBMODULE)
        side = replace(side, client=client_named_in(there.data), renamed_from=there.renamed_from or "")
        path, client = lock_file.path, lock_file.client
        try:
            earlier = (
                replace(lock_file, path=f"{path} at {name}")  # most files of a change are what they were
                if there.data == lock_file.data
                else earlier_lock_file(
                    there.data, second_reader, path=side.renamed_from or path, name=name, client=client
                )
            )
        except GitError as error:
            return replace(side, unreadable=error.message)
        return replace(side, lock_file=earlier, moved=moves(earlier, lock_file))

    def _file(self, repository: Repository, revision: Commit, lock_file: LockFile) -> FileAtRevision | GitError | None:
        """The file at a revision, or the error that says that it is none."""
        key = (repository.root, revision.id, lock_file.path, lock_file.data)
        if key not in self._there:
            try:
                self._there[key] = repository.file_at(revision, Path(lock_file.path), now=lock_file.data)
            except GitError as error:
                if error.code not in UNREADABLE:
                    raise
                self._there[key] = error
        return self._there[key]


def unreadable_at(side: BaseSide) -> Problem:
    """That a lock file could not be read at a side of the base, which is none of the change's doing."""
    return Problem(
        code=ProblemCode.BASE_UNREADABLE,
        severity=Severity.WARNING,
        message=side.unreadable,
        hint="nothing was compared with it: look at all that is locked now as if it were new",
    )


def about_the_file(sides: Sequence[BaseSide], lock_file: LockFile, *, given: Client | None) -> Iterator[Problem]:
    """What there is to say of the lock file itself; `given` is the client that the operator named."""
    for side in sides:
        if side.elsewhere:
            yield Problem(
                code=ProblemCode.LOCK_FILE_NOT_LOOKED_AT,
                severity=Severity.WARNING,
                message=f"{side.unreadable}: neither what it locked nor its policy is known here",
                hint="compare with that repository by hand: a change that makes files of a submodule can end"
                " with nothing better than this",
            )
        elif side.unreadable:
            yield unreadable_at(side)
        elif side.lock_file is None:
            yield Problem(
                code=ProblemCode.LOCK_FILE_NEW,
                severity=Severity.NOTE,
                message=f"there was no such lock file at {side.name}, so every provider is new",
            )
        elif side.renamed_from:
            yield Problem(
                code=ProblemCode.LOCK_FILE_RENAMED,
                severity=Severity.NOTE,
                message=f"at {side.name} the lock file was {side.renamed_from}",
            )
    yield from client_problems(sides, lock_file, given=given)

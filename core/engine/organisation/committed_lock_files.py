"""The lock files that one repository has at one revision, read from its objects: no working tree has a say."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.client_lock_files import as_client_reads
from lockwarden.core.engine.lock_files import Loaded, loaded_by
from lockwarden.core.engine.organisation.committed_configuration import required_at
from lockwarden.core.engine.organisation.committed_standards import OrganisationPolicy, RepositoryStandards
from lockwarden.core.engine.organisation.places import RepositoryRef
from lockwarden.core.engine.tracked_lock_files import is_lock_file
from lockwarden.core.git.clones import open_clone
from lockwarden.core.git.listing import Listed, files_of
from lockwarden.core.git.model import Commit, GitLimits, ObjectKind
from lockwarden.core.git.program import Git
from lockwarden.core.git.revisions import commit_at
from lockwarden.core.git.trees import read_file, shown
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import MAX_BYTES, parse
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.reports.organisation.result import RepositoryProblem
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError, LockFileError, UnknownRevisionError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

HEAD: Final = "HEAD"
MOST_FILES: Final = 2_000
"""So many lock files of one repository are read; further ones are counted and told."""
_LIMITS: Final = GitLimits(listing_bytes=64 * 1024 * 1024)
"""Several repositories are read at the same time."""


class CommittedFile(Struct, frozen=True, kw_only=True):
    """One lock file of a repository, as it was read."""

    path: str
    """In the repository, with slashes."""
    loaded: Loaded


class CommittedState(Struct, frozen=True, kw_only=True):
    """One repository at one revision: its lock files, and what is wrong with it."""

    place: RepositoryRef
    commit: str = ""
    files: tuple[CommittedFile, ...] = ()
    problems: tuple[RepositoryProblem, ...] = ()


class LockFileReader:
    """Reads lock files from bytes. Equal ones are parsed once and share their entries, so that they are judged once."""

    def __init__(self, second_reader: SecondReader, client: Client | None) -> None:
        self._second_reader = second_reader
        self._client = client
        self._known: dict[bytes, LockFile] = {}
        self._lock = Lock()

    def read(self, data: bytes, *, label: str, git: Git, commit: str, folder: bytes) -> LockFile:
        """A lock file as its client reads it; `label` is what it is called. Raises LockFileError."""
        with self._lock:  # the second reader's grammar is one for all
            known = self._known.get(data)
            if known is None:
                known = parse(data, path=label, second_reader=self._second_reader, client=self._client)
                self._known[data] = known
            required = partial(required_at, git, commit, folder)
            found = replace(known, path=label)
            return as_client_reads(found, self._second_reader, client=self._client, required=required)

    def forget(self, data: bytes) -> None:
        """Drop what was parsed of these bytes, so that memory is free again. They may be read anew."""
        with self._lock:
            self._known.pop(data, None)


class StateReader:
    """Reads repositories, from any thread.

    What is wrong with one repository is a problem in its state. It never stops the others.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        files: LockFileReader,
        policy: OrganisationPolicy,
        now: datetime,
        standards_at: str = HEAD,
    ) -> None:
        """`now` is the time at which keys that sign hold or have expired."""
        self._now = now
        self._environ = environ
        self._files = files
        self._policy = policy
        self._standards_at = standards_at

    def read(self, place: RepositoryRef) -> CommittedState:
        """All lock files of a repository at its revision. Raises ToolError without git."""
        if place.folder is None:
            return CommittedState(place=place, problems=() if place.problem is None else (place.problem,))
        try:
            git = open_clone(place.folder, self._environ, limits=_LIMITS)
            commit = commit_at(git, place.revision or HEAD)
            trusted = commit if commit.name == self._standards_at else commit_at(git, self._standards_at)
            listed = files_of(git, commit.id, is_lock_file)
        except UnknownRevisionError as error:
            return _refused(place, ProblemCode.REVISION_UNKNOWN, error.message, error.hint)
        except GitError as error:
            return _refused(place, ProblemCode.REPOSITORY_UNREADABLE, error.message, error.hint)
        wanted = [each for each in listed if is_lock_file(each.path) and each.kind is not ObjectKind.SUBMODULE]
        standards = RepositoryStandards(git, trusted, self._policy, now=self._now)
        room = _Room()
        files = [self._file(git, commit, each, standards, place, room) for each in wanted[:MOST_FILES]]
        return CommittedState(
            place=place, commit=commit.id, files=tuple(files), problems=tuple(_about(place, listed, wanted))
        )

    def forget(self, state: CommittedState) -> None:
        """Drop what was parsed of a repository's lock files. Call it once the state is not used any more."""
        for each in state.files:
            if each.loaded.lock_file is not None:
                self._files.forget(each.loaded.lock_file.data)

    def _file(
        self,
        git: Git,
        commit: Commit,
        listed: Listed,
        standards: RepositoryStandards,
        place: RepositoryRef,
        room: _Room,
    ) -> CommittedFile:
        path = os.fsdecode(listed.path)
        label = f"{repository_label(place)}:{path}"
        loaded = loaded_by(partial(self._read, git, commit, listed.path, label, room))
        if loaded.lock_file is None:
            return CommittedFile(path=path, loaded=replace(loaded, path=label))
        try:
            held = standards.of(listed.path)
        except GitError as error:
            unreadable = LockFileError(error.message, path=label, hint=error.hint)
            return CommittedFile(path=path, loaded=loaded_by(partial(_raise, unreadable)))
        found = Standards(
            policy=held.policy,
            approvals=held.approvals,
            policy_files=held.policy_files,
            approval_files=held.approval_files,
            problems=held.problems,
            now=self._now,
        )
        return CommittedFile(path=path, loaded=replace(loaded, standards=found))

    def _read(self, git: Git, commit: Commit, place: bytes, label: str, room: _Room) -> LockFile:
        try:
            found = read_file(git, commit.id, place)
        except GitError as error:
            raise LockFileError(error.message, path=label, hint=error.hint) from error
        data = b"" if found is None else found[1]
        room.take(data, label)
        return self._files.read(data, label=label, git=git, commit=commit.id, folder=place.rpartition(b"/")[0])


class _Room:
    """What the lock files of one repository may take together, equal ones once."""

    def __init__(self) -> None:
        self._left = MAX_BYTES
        self._seen: set[bytes] = set()

    def take(self, data: bytes, label: str) -> None:
        """Raises LockFileError when it is too much."""
        digest = hashlib.sha256(data).digest()
        if digest in self._seen:
            return
        if len(data) > self._left:
            message = f"the lock files of its repository are together larger than the limit of {MAX_BYTES} bytes"
            raise LockFileError(message, path=label, hint="see what was committed there")
        self._left -= len(data)
        self._seen.add(digest)


def repository_label(place: RepositoryRef) -> str:
    """A repository's name with its revision."""
    return f"{place.name}@{place.revision}" if place.revision else place.name


def _raise(error: LockFileError) -> LockFile:
    raise error


def _refused(place: RepositoryRef, code: ProblemCode, message: str, hint: str) -> CommittedState:
    problem = RepositoryProblem(code=code, severity=Severity.ERROR, message=message, hint=hint)
    return CommittedState(place=place, problems=(problem,))


def _about(place: RepositoryRef, listed: tuple[Listed, ...], wanted: list[Listed]) -> list[RepositoryProblem]:
    """What of a repository was not looked at, or is not there."""
    told = []
    if len(wanted) > MOST_FILES:
        told.append(
            RepositoryProblem(
                code=ProblemCode.REPOSITORY_TOO_LARGE,
                severity=Severity.ERROR,
                message=f"it has {len(wanted)} lock files, of which the first {MOST_FILES} were looked at",
                hint="look at the others with lockwarden check --recursive in a working tree",
            )
        )
    if not wanted:
        told.append(
            RepositoryProblem(
                code=ProblemCode.REPOSITORY_WITHOUT_LOCK_FILE,
                severity=Severity.NOTE,
                message=f"it has no lock file at {place.revision or HEAD}",
            )
        )
    inner = [each for each in listed if each.kind is ObjectKind.SUBMODULE]
    if inner:
        more = f" and {len(inner) - 1} more" if len(inner) > 1 else ""
        told.append(
            RepositoryProblem(
                code=ProblemCode.SUBMODULE_NOT_LOOKED_AT,
                severity=Severity.NOTE,
                message=f"the submodule {shown(inner[0].path)}{more} was not looked at",
                hint="name its own clone",
            )
        )
    return told

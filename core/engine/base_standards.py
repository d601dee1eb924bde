"""By what a change is judged: the policies and the approvals of its base, never those that it brings.

Two policies count: the one that governed the lock file where the branch left the base, and the one at the base's tip.
So a key that was pinned after the branch left counts. A branch that starts before a rule was made gains nothing by it.
They are looked for from every path that the file had or has: a file that is moved takes along what governed it.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.approvals.model import APPROVALS_FILE, NO_APPROVALS, SIGNATURE_FILES, Approval, Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.engine.approvals_files import MAX_SIGNATURE
from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.engine.policy_files import policy_of
from lockwarden.core.engine.policy_named_files import at_revision
from lockwarden.core.engine.standards_on_disk import sha256_of
from lockwarden.core.git.model import Commit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import POLICY_FILE_NAME, Policy
from lockwarden.core.review.standards import StandardFile
from lockwarden.core.values.errors import ApprovalsError, GitError, InputError
from lockwarden.core.values.line_ends import with_line_feeds

_DIGITS: Final = 12
"""Of a commit ID in a sentence."""
_NOT_READABLE: Final = frozenset({"not-a-file", "too-large"})
"""Codes of what a revision has in the place of a policy or of approvals."""
_NO_FILE_THERE: Final = frozenset(
    {"folder", "submodule", "symlink-outside", "broken-symlink", "lfs-pointer", "too-large", "outside"}
)
"""Codes of what can stand in the place of a lock file at a revision, so that it tells of no other path."""


class BaseFile(Struct, frozen=True, kw_only=True):
    """A policy or a file of approvals at a revision of the base."""

    ground: Ground
    revision: Commit
    name: str
    """Its path in the repository."""
    data: bytes

    @property
    def place(self) -> tuple[Path, bytes]:
        """What it is on disk: two files of equal places and bytes are one."""
        return self.ground.repository.root / self.name, with_line_feeds(self.data)

    def shown(self, on_disk: tuple[Path, bytes] | None) -> str:
        """What people call it: the path alone where the disk has the same."""
        return self.name if self.place == on_disk else f"{self.name} at {self.revision.id[:_DIGITS]}"

    def told(self) -> StandardFile:
        """The same for reports."""
        return StandardFile(
            path=self.name,
            digest=sha256_of(self.data),
            commit=self.revision.id,
            revision=self.ground.called(self.revision),
        )


class Governing(Struct, frozen=True, kw_only=True):
    """The policies of a base that govern a lock file."""

    files: tuple[BaseFile, ...]
    """Each once, those of the tip first."""
    at_its_place: frozenset[tuple[Path, bytes] | None]
    """What governs the path that it has now, at each of the revisions; None where nothing does."""
    unreadable: tuple[InputError, ...] = ()
    """What stands in the place of a policy and is no file that can be read."""


def governing(grounds: Sequence[Ground], lock_file: LockFile) -> Governing:
    """The policies that govern a lock file in each repository that holds it, from each of its paths upwards.

    Raises GitError when nobody can tell what a revision has.
    """
    found: dict[tuple[Path, bytes], BaseFile] = {}
    here: set[tuple[Path, bytes] | None] = set()
    unreadable: dict[str, InputError] = {}
    for ground in grounds:
        for revision in ground.revisions:
            files = []
            for place in _places(ground, revision, lock_file):
                try:
                    files.append(_nearest(ground, revision, place))
                except GitError as error:
                    files.append(None)
                    unreadable[error.message] = base_only(error)
            here.add(None if files[0] is None else files[0].place)
            for each in files:
                if each is not None:
                    found.setdefault(each.place, each)
    if len(grounds) > 1 and len(here) > 1:
        here.discard(None)  # one of the repositories has one for it
    return Governing(files=tuple(found.values()), at_its_place=frozenset(here), unreadable=tuple(unreadable.values()))


def base_only(error: GitError) -> GitError:
    """The same error, when it says what a file of a revision is. Raises it when it says that nobody could look."""
    if error.code not in _NOT_READABLE:
        raise error
    return error


def _nearest(ground: Ground, revision: Commit, place: bytes) -> BaseFile | None:
    there = ground.repository.nearest_file(revision, place, POLICY_FILE_NAME)
    return None if there is None else BaseFile(ground=ground, revision=revision, name=there[0], data=there[1])


def _places(ground: Ground, revision: Commit, lock_file: LockFile) -> tuple[bytes, ...]:
    """The paths by which the file can be governed at a revision: those it has, and those it had.

    A file that was nowhere may be any of those that are gone, moved and changed. Which of them it is most like is for
    the change to choose. So what governed each of them counts. Only one with the very same bytes is known to be it.
    """
    repository, path = ground.repository, Path(lock_file.path)
    places = [*repository.names(path)]
    try:
        there = repository.file_at(revision, path, now=lock_file.data)
    except GitError as error:
        if error.code not in _NO_FILE_THERE:
            raise
    else:
        if there is not None:
            places += [os.fsencode(each) for each in (there.renamed_from, there.linked_to) if each]
        if there is None or (there.renamed_from and with_line_feeds(there.data) != with_line_feeds(lock_file.data)):
            places += repository.gone(revision, path.name)
    return tuple(dict.fromkeys(places))


def named_at(grounds: Sequence[Ground], path: Path) -> tuple[BaseFile, ...]:
    """The file that the operator named by a path in the working tree, at the revisions of the base that have it.

    Raises GitError when it cannot be read, or when a link leads it out of the tree.
    """
    found: dict[tuple[Path, bytes], BaseFile] = {}
    for ground in grounds:
        for revision in ground.revisions:
            for name in ground.repository.names(path):
                there = ground.repository.linked_file(revision, name)
                if there is not None:
                    file = BaseFile(ground=ground, revision=revision, name=os.fsdecode(name), data=there[1])
                    found.setdefault(file.place, file)
                    break
        if found:
            break
    return tuple(found.values())


class Readings(Struct, frozen=True):
    """What was read of files of a base, so that each is read once, however many lock files it is for."""

    policies: dict[tuple[str, Path, bytes, str], Policy] = msgspec.field(default_factory=dict)
    approvals: dict[tuple[str, bytes], Approvals] = msgspec.field(default_factory=dict)
    serials: dict[Hashable, tuple[int, bool]] = msgspec.field(default_factory=dict)
    """The highest serial number of approvals that a base had under a signature, by base and policies, and whether all
    of its history is here."""

    def policy(self, file: BaseFile, *, on_disk: tuple[Path, bytes] | None) -> Policy:
        """Read a policy of the base. Raises PolicyError, which names the revision."""
        folder = (file.ground.repository.root / file.name).parent
        key = (file.shown(on_disk), folder, file.data, file.revision.id)
        if key not in self.policies:
            files = at_revision(file.ground.repository, file.revision, file.name)
            self.policies[key] = policy_of(file.data, path=key[0], folder=folder, files=files)
        return self.policies[key]

    def approvals_in(self, file: BaseFile, *, on_disk: tuple[Path, bytes] | None) -> Approvals:
        """Read approvals of the base. Raises ApprovalsError, which names the revision."""
        key = (file.shown(on_disk), file.data)
        if key not in self.approvals:
            self.approvals[key] = read_approvals(file.data, path=key[0])
        return self.approvals[key]


class BaseApprovals(Struct, frozen=True, kw_only=True):
    """The approvals that a base has."""

    counting: Approvals
    withdrawn: Approvals
    """Those that were there where the branch left it and are not any more at its tip."""
    files: tuple[BaseFile | None, ...]
    """The file at the tip, and where the branch left the base; None where there is none."""
    signatures: tuple[bytes | None, ...]
    """What lay beside each as a signature over it."""
    unreadable: tuple[InputError | None, ...]
    """Why they could not be read there; then they count for nothing."""


def approvals_of(ground: Ground, on_disk: tuple[Path, bytes] | None, readings: Readings) -> BaseApprovals:
    """The approvals of a base: what its tip has. Its own branch put them there, and nobody has withdrawn them since.

    Raises GitError when nobody can tell what a revision has.
    """
    read = [_approvals_at(ground, revision, on_disk, readings) for revision in ground.revisions]
    counting, left = read[0][1], read[-1][1]
    kept = {identity_of(each) for each in counting.records}
    withdrawn = tuple(each for each in left.records if identity_of(each) not in kept)
    return BaseApprovals(
        counting=counting,
        withdrawn=Approvals(records=withdrawn),
        files=tuple(file for file, _, _ in read),
        signatures=tuple(
            None if file is None else signature_at(ground, revision)
            for revision, (file, _, _) in zip(ground.revisions, read, strict=True)
        ),
        unreadable=tuple(error for _, _, error in read),
    )


def _approvals_at(
    ground: Ground, revision: Commit, on_disk: tuple[Path, bytes] | None, readings: Readings
) -> tuple[BaseFile | None, Approvals, InputError | None]:
    try:
        data = ground.repository.plain_file(revision, APPROVALS_FILE)
    except GitError as error:
        return None, NO_APPROVALS, base_only(error)
    if data is None:
        return None, NO_APPROVALS, None
    file = BaseFile(ground=ground, revision=revision, name=APPROVALS_FILE, data=data)
    try:
        return file, readings.approvals_in(file, on_disk=on_disk), None
    except ApprovalsError as error:
        return file, NO_APPROVALS, error


def signature_at(ground: Ground, revision: Commit) -> bytes | None:
    """The signature beside the approvals at a revision; None without one, and nothing for what is no plain file."""
    for name in SIGNATURE_FILES:
        try:
            data = ground.repository.plain_file(revision, name)
        except GitError as error:
            base_only(error)
            return b""
        if data is not None:
            return data if len(data) <= MAX_SIGNATURE else b""
    return None


def identity_of(record: Approval) -> Approval:
    """A record wherever it stands, and whoever signed it."""
    return msgspec.structs.replace(record, path="", line=0, signature=None)

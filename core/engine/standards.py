"""Finds what a lock file is held against: the policy, recorded approvals, and the revision that it is compared with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.engine.approvals_files import approvals_path, save_approvals
from lockwarden.core.engine.base_grounds import Ground, KnownGrounds, grounds_of
from lockwarden.core.engine.base_standards import Readings
from lockwarden.core.engine.locked_before import KnownHistories, earlier_lock_file, locked_before
from lockwarden.core.engine.policy_files import FoundPolicy, find_policy, load_policy, named_policy
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.engine.standards_on_disk import StandardsOnDisk, on_disk
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.model import Commit, PastRevision, Suggestion
from lockwarden.core.git.repository import Repository, folder_with_git, open_repository
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.policy.model import POLICY_FILE_NAME, Policy
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.moves import moves
from lockwarden.core.review.standards import NOWHERE, Standards
from lockwarden.core.system.own_files import save_own_file
from lockwarden.core.system.upwards import upwards
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_SUBMODULE: Final = "submodule"
_UNREADABLE: Final = frozenset(
    {_SUBMODULE, ProblemCode.BASE_UNREADABLE, "too-large", "not-a-file", "folder", "broken-symlink"}
)
"""Codes of errors that say what the file of a revision is; the others say that nobody could look."""


class StandardsFinder(Struct, frozen=True, kw_only=True):
    """Finds the standards of any lock file. It blocks, and reads files and git, never a network.

    Each repository is opened once and each policy is parsed once, however many lock files they are for.
    """

    environ: Mapping[str, str]
    directory: Path
    """Where relative names start."""
    now: Callable[[], datetime]
    second_reader: SecondReader
    """Confirms what lock files said that are not in the form that the clients write."""
    policy: str | None = None
    """The policy that the operator named; None to look for one."""
    _repositories: dict[Path, Repository] = msgspec.field(default_factory=dict)
    """By the folder upwards that has a `.git`."""
    _policies: dict[FoundPolicy, Policy] = msgspec.field(default_factory=dict)
    """By the place of the file and its bytes."""
    _grounds: KnownGrounds = msgspec.field(default_factory=KnownGrounds)
    """What bases stand for."""
    seen: SeenReleases | None = None
    """What earlier runs saw; None where nothing is kept, or believed."""
    _histories: KnownHistories = msgspec.field(default_factory=KnownHistories)
    """What the histories of bases locked."""
    _readings: Readings = msgspec.field(default_factory=Readings)
    """Files of bases."""

    def standards(self, lock_file: LockFile, *, base: str = "") -> Standards:
        """The standards of a lock file; `base` is the revision to compare with, none when it is empty.

        With a base, those of the base count, and what the working tree has is proposed. Raises InputError for a policy,
        approvals or a base that cannot be read and for a repository that git refuses, and ToolError without git.
        """
        place = Path(lock_file.path)
        repository = self.repository(place, needed=bool(base))
        today = self.now().astimezone(UTC).date()
        seen = NOWHERE if self.seen is None else self.seen.of(lock_file)
        if not base or repository is None:
            disk = self._on_disk(place, None if repository is None else repository.root)
            return Standards(
                policy=disk.policy,
                approvals=disk.approvals,
                today=today,
                seen=seen,
                problems=disk.problems,
                policy_files=disk.policy_files,
                approval_files=disk.approval_files,
            )
        held = self._at_base(lock_file, repository, base, today)
        beside = None if held.proposed is None else replace(held.proposed, seen=seen)
        return replace(held, seen=seen, proposed=beside)

    def _at_base(self, lock_file: LockFile, repository: Repository, base: str, today: date) -> Standards:
        from lockwarden.core.engine.absence import about_absence
        from lockwarden.core.engine.judged_by import judged_by

        place = Path(lock_file.path)
        grounds = self.grounds(place, repository, base)
        ground = grounds[-1]
        disk = self._on_disk(place, grounds[0].repository.root, has_base=True)
        sides = tuple(self._side(ground.repository, lock_file, revision, name=name) for name, revision in ground.sides)
        by_base = judged_by(
            grounds,
            lock_file,
            disk,
            self._readings,
            named=named_policy(self.policy, self.environ),
            directory=self.directory,
        )
        held = replace(
            by_base,
            sides=sides,
            before=locked_before(ground, lock_file, sides, self._histories, self.second_reader),
            today=today,
            problems=(*_about_the_file(sides), *about_absence(ground.repository, lock_file, sides), *by_base.problems),
        )
        beside = held.proposed
        return (
            held
            if beside is None
            else replace(held, proposed=replace(beside, sides=sides, before=held.before, today=today))
        )

    def _side(self, repository: Repository, lock_file: LockFile, revision: Commit, *, name: str) -> BaseSide:
        """What a lock file was at a revision; as it is of the base, no change under review makes that worse."""
        side = BaseSide(name=name, commit=revision.id, ref=revision.ref, lock_file=None)
        try:
            there = repository.file_at(revision, Path(lock_file.path), now=lock_file.data)
            if there is None:
                return side
            earlier = (
                replace(lock_file, path=f"{lock_file.path} at {name}")  # most files of a change are what they were
                if there.data == lock_file.data
                else self._earlier(there.data, lock_file, name)
            )
        except GitError as error:
            if error.code not in _UNREADABLE:
                raise
            return replace(side, unreadable=error.message, elsewhere=error.code == _SUBMODULE)
        return replace(side, lock_file=earlier, moved=moves(earlier, lock_file), renamed_from=there.renamed_from or "")

    def _earlier(self, data: bytes, lock_file: LockFile, name: str) -> LockFile:
        path, client = lock_file.path, lock_file.client
        return earlier_lock_file(data, self.second_reader, path=path, name=name, client=client)

    def grounds(self, place: Path, repository: Repository, base: str) -> tuple[Ground, ...]:
        """The grounds that a base gives for a file in a repository, outermost first. Raises GitError."""
        around = tuple(self._around(place, repository))
        here = Path(os.path.realpath(self.directory))
        return grounds_of(around, base, path=place, directory=here, known=self._grounds)

    def look_anew(self) -> None:
        """From now on a base is what it stands for now, not what it stood for when it was looked for before."""
        self._grounds.forget()

    def _on_disk(self, place: Path, root: Path | None, *, has_base: bool = False) -> StandardsOnDisk:
        return on_disk(
            place, root, named_policy(self.policy, self.environ), self.directory, read=self._policy, lenient=has_base
        )

    def _around(self, place: Path, repository: Repository) -> Iterator[Repository]:
        """The repositories in whose working trees a file lies, innermost first.

        Raises GitError when it lies in one repository by its name and not by the links on its way. Then whoever can
        change that repository has led it elsewhere.
        """
        named = _named_folder(place)
        found = named is None
        inner: Repository | None = repository
        while inner is not None:
            found = found or inner.root == named
            yield inner
            inner = None if inner.root.parent == inner.root else self._repository(inner.root.parent)
        if not found:
            raise GitError(
                f"{place} lies in the repository {named} by its name, and a link leads out of it",
                code="outside",
                hint="name the file by the path that the link leads to",
            )

    def policy_path(self, lock_file: LockFile) -> Path:
        """Where the policy is; where there is none, at the root of the repository, or beside the lock file."""
        place = Path(lock_file.path)
        root = self._root(place)
        found = find_policy(place, root=root, option=self.policy, environ=self.environ, directory=self.directory)
        return (root or place.parent.resolve()) / POLICY_FILE_NAME if found is None else found.path

    def save_policy(self, lock_file: LockFile, data: bytes, *, before: Policy) -> None:
        """Write the policy; raises FileChangedError when it is no longer the one that was read, and SaveError."""
        save_own_file(self.policy_path(lock_file), data, expected=before.data if before.path else None)

    def approvals_path(self, lock_file: LockFile) -> Path:
        """Where the approvals are, or would be."""
        place = Path(lock_file.path)
        return approvals_path(place, root=self._root(place))

    def save_approvals(self, lock_file: LockFile, data: bytes, *, before: Approvals) -> None:
        """Write the approvals; raises FileChangedError when they are no longer those that were read, and SaveError."""
        save_approvals(self.approvals_path(lock_file), data, before=before)

    def save_new(self, path: Path, data: bytes) -> None:
        """Write a file that must not be there yet. Raises FileChangedError and SaveError."""
        save_own_file(path, data, expected=None)

    def identity(self, lock_file: LockFile) -> str:
        """Who the operator is by git's settings; empty when they do not say."""
        from lockwarden.core.git.identity import identity

        return identity(Path(lock_file.path).parent.resolve(), self.environ)

    def revisions(self, lock_file: LockFile) -> tuple[tuple[Suggestion, ...], tuple[PastRevision, ...]]:
        """Branches worth comparing with, and the revisions that changed the lock file. Raises GitError, ToolError."""
        place = Path(lock_file.path)
        repository = self.repository(place, needed=True)
        assert repository is not None  # noqa: S101 - or it was raised
        return repository.suggestions(), repository.recent_revisions(place, now=lock_file.data)

    def _root(self, lock_file: Path) -> Path | None:
        repository = self.repository(lock_file, needed=False)
        return None if repository is None else repository.root

    def repository(self, lock_file: Path, *, needed: bool = False) -> Repository | None:
        """The repository that a file lies in, None outside of any; by its name, where a link leads out of one.

        Raises ToolError without git and GitError when git refuses the repository: then nobody knows what it asks for.
        """
        found = self._repository(lock_file)
        if found is None and (named := _named_folder(lock_file)) is not None:
            found = self._repository(named)
        if found is None and needed:
            raise GitError(
                f"{lock_file} is in no git repository, so there is no revision to compare it with",
                code="not-a-repository",
                hint="name a lock file in a repository's working tree; without a base all the rest is checked",
            )
        return found

    def _repository(self, path: Path) -> Repository | None:
        folder = folder_with_git(path)
        if folder is None:
            return None
        return self.opened(folder)

    def opened(self, folder: Path) -> Repository:
        """The repository in a folder that has a `.git`. Raises ToolError and GitError as `repository` does."""
        if folder not in self._repositories:
            self._repositories[folder] = open_repository(folder, self.environ)
        return self._repositories[folder]

    def _policy(self, found: FoundPolicy) -> Policy:
        if found not in self._policies:
            self._policies[found] = load_policy(found)
        return self._policies[found]


def _named_folder(path: Path) -> Path | None:
    """The nearest folder with a `.git` above a file by its name, whatever links lead to; without links itself."""
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - no link may be followed
    found = next((each for each in upwards(folder) if os.path.lexists(each / ".git")), None)
    return None if found is None else Path(os.path.realpath(found))


def _about_the_file(sides: tuple[BaseSide, ...]) -> Iterator[Problem]:
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
            yield Problem(
                code=ProblemCode.BASE_UNREADABLE,
                severity=Severity.WARNING,
                message=side.unreadable,
                hint="nothing of it was compared: look at the whole file as if it were new",
            )
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

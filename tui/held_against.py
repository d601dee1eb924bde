"""Finds what a lock file is held against: the policy, recorded approvals, and the revision that it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.find import approvals_path, read_approvals_file, save_approvals
from lockwarden.core.approvals.model import Approvals
from lockwarden.core.clients import Client
from lockwarden.core.errors import GitError, LockFileError, ToolError
from lockwarden.core.findings import Problem
from lockwarden.core.git.identity import identity
from lockwarden.core.git.model import PastRevision, Revision, Side, Suggestion
from lockwarden.core.git.repository import Repository, folder_with_git, open_repository
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import parse
from lockwarden.core.own_files import save_own_file
from lockwarden.core.policy.find import FoundPolicy, find_policy, load_policy
from lockwarden.core.policy.model import NO_POLICY, POLICY_FILE_NAME, Policy
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.standards import Standards
from lockwarden.core.severity import Severity
from lockwarden.tui.absence import about_absence

_HEAD = "HEAD"


def _now() -> datetime:
    return datetime.now(UTC)


class StandardsFinder(Struct, frozen=True, kw_only=True):
    """Finds the standards of any lock file. It blocks, and reads files and git, never a network.

    Each repository is opened once and each policy is parsed once, however many lock files they are for.
    """

    environ: Mapping[str, str]
    directory: Path
    """Where relative names start."""
    policy: str | None = None
    """The policy that the operator named; None to look for one."""
    now: Callable[[], datetime] = _now
    _repositories: dict[Path, Repository] = msgspec.field(default_factory=dict)
    """By the folder upwards that has a `.git`."""
    _policies: dict[FoundPolicy, Policy] = msgspec.field(default_factory=dict)
    """By the place of the file and its bytes."""

    def standards(self, lock_file: LockFile, *, base: str = "") -> Standards:
        """The standards of a lock file; `base` is the revision to compare with, none when it is empty.

        Raises InputError for a policy, approvals or a base that cannot be read, and ToolError without git.
        """
        place = Path(lock_file.path)
        repository = self.repository(place, needed=bool(base))
        root = None if repository is None else repository.root
        found = find_policy(place, root=root, option=self.policy, environ=self.environ, directory=self.directory)
        policy = NO_POLICY if found is None else self._policy(found)
        approvals = read_approvals_file(place, root=root)
        standards = Standards(policy=policy, approvals=approvals, today=self.now().astimezone(UTC).date())
        if not base or repository is None:
            return standards
        sides = tuple(_sides(repository, lock_file, base))
        problems = (
            *_about_the_file(sides),
            *self._changed_with_it(repository, sides, place, found, policy, approvals),
            *about_absence(repository, lock_file, sides),
        )
        return replace(standards, sides=sides, problems=problems)

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
        """The repository; where it is not needed, one that cannot be read is none."""
        try:
            found = self._repository(lock_file)
        except (GitError, ToolError):
            if needed:
                raise
            return None
        if found is None and needed:
            raise GitError(
                f"{lock_file} is in no git repository, so there is no revision to compare it with",
                code="not-a-repository",
                hint="leave --base out, or run it in the working tree of a repository",
            )
        return found

    def _repository(self, path: Path) -> Repository | None:
        folder = folder_with_git(path)
        if folder is None:
            return None
        if folder not in self._repositories:
            self._repositories[folder] = open_repository(folder, self.environ)
        return self._repositories[folder]

    def _policy(self, found: FoundPolicy) -> Policy:
        if found not in self._policies:
            self._policies[found] = load_policy(found)
        return self._policies[found]

    def _changed_with_it(
        self,
        repository: Repository,
        sides: tuple[BaseSide, ...],
        lock_file: Path,
        found: FoundPolicy | None,
        policy: Policy,
        approvals: Approvals,
    ) -> Iterator[Problem]:
        """A policy or approvals that the same change brings: whoever made it may have written its own absolution."""
        revisions = [repository.resolve(side.commit) for side in sides]
        within = [] if found is not None and not found.in_reach else _policy_places(found, lock_file, repository.root)
        if within and all(repository.changed_files(revision, within) for revision in revisions):
            yield _policy_changed(policy, sides[0].name)
        path = approvals_path(lock_file, root=repository.root)
        if approvals.records and all(repository.changed_files(revision, [path]) for revision in revisions):
            yield Problem(
                code="approvals-changed",
                severity=Severity.WARNING,
                message=f"{approvals.path} changes together with the lock file, against {sides[0].name}",
                hint="read who approved what; a record counts for exactly the hashes that it names",
            )


def _policy_places(found: FoundPolicy | None, lock_file: Path, root: Path) -> list[Path]:
    """Where a policy that counts for the lock file lies, or could have lain: one that was taken away changes, too."""
    if found is not None and found.chosen_by:
        return [found.path]
    folder = lock_file.parent.resolve()
    folders = [each for each in (folder, *folder.parents) if each == root or root in each.parents]
    return [each / POLICY_FILE_NAME for each in folders]


def _policy_changed(policy: Policy, base: str) -> Problem:
    what = f"the policy {policy.path} changes" if policy.path else "the policy is removed"
    return Problem(
        code="policy-changed",
        severity=Severity.ERROR,
        message=f"{what} together with the lock file, against {base}",
        hint="review the policy on its own first, or name one that the change cannot reach: --policy FILE",
    )


def base_revisions(repository: Repository, base: str) -> tuple[Side, ...]:
    """The commits that a base stands for, each with its name: one, or both sides of a merge. Raises GitError."""
    merging = repository.sides() if base == _HEAD else ()
    # What the base has become since this branch left it is no change of this branch.
    return merging or (Side(label=base, revision=repository.left_at(repository.resolve(base))),)


def _sides(repository: Repository, lock_file: LockFile, base: str) -> Iterator[BaseSide]:
    for side in base_revisions(repository, base):
        yield _side(repository, lock_file, side.revision, name=side.label)


def _side(repository: Repository, lock_file: LockFile, revision: Revision, *, name: str) -> BaseSide:
    there = repository.file_at(revision, Path(lock_file.path), now=lock_file.data)
    if there is None:
        return BaseSide(name=name, commit=revision.id, lock_file=None)
    earlier = earlier_lock_file(there.data, path=lock_file.path, name=name, client=lock_file.client)
    return BaseSide(name=name, commit=revision.id, lock_file=earlier, renamed_from=there.renamed_from or "")


def earlier_lock_file(data: bytes, *, path: str, name: str, client: Client | None = None) -> LockFile:
    """What a lock file said at a revision that is called `name`. Raises GitError when it cannot be read."""
    shown = f"{path} at {name}"
    try:
        return parse(data, path=shown, client=client)
    except LockFileError as error:
        raise GitError(
            f"{shown} cannot be compared with: {error.message}",
            code="base-unreadable",
            hint="choose a revision at which the lock file was sound",
        ) from error


def _about_the_file(sides: tuple[BaseSide, ...]) -> Iterator[Problem]:
    for side in sides:
        if side.lock_file is None:
            yield Problem(
                code="lock-file-new",
                severity=Severity.NOTE,
                message=f"there was no such lock file at {side.name}, so every provider is new",
            )
        elif side.renamed_from:
            yield Problem(
                code="lock-file-renamed",
                severity=Severity.NOTE,
                message=f"at {side.name} the lock file was {side.renamed_from}",
            )

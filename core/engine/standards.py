"""Finds what a lock file is held against: the policy, recorded approvals, and the revision that it is compared with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.engine.approvals_files import (
    approvals_path,
    read_approvals_file,
    read_signature_file,
    save_approvals,
)
from lockwarden.core.engine.client_lock_files import as_client_reads
from lockwarden.core.engine.judged_approvals import approvals_on_disk
from lockwarden.core.engine.policy_files import FoundPolicy, find_policy, load_policy, named_policy
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.engine.standards_on_disk import StandardsOnDisk, on_disk
from lockwarden.core.git.places import folder_with_git
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.policy.model import NO_POLICY, POLICY_FILE_NAME, Policy
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.lock_file_names import name_problems
from lockwarden.core.review.standards import NOWHERE, Standards
from lockwarden.core.system.own_files import save_own_file, upwards
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError

if TYPE_CHECKING:  # what only a base, or a repository, needs
    from lockwarden.core.engine.base_grounds import Ground, KnownGrounds
    from lockwarden.core.engine.base_sides import KnownSides
    from lockwarden.core.engine.base_standards import Readings
    from lockwarden.core.engine.locked_before import KnownHistories
    from lockwarden.core.git.model import PastRevision, Suggestion
    from lockwarden.core.git.repository import Repository


class StandardsFinder(Struct, frozen=True, kw_only=True, dict=True):
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
    client: Client | None = None
    """By whose rules the operator wants lock files judged; None to go by what they name."""
    _repositories: dict[Path, Repository] = msgspec.field(default_factory=dict)
    """By the folder upwards that has a `.git`."""
    _policies: dict[FoundPolicy, Policy] = msgspec.field(default_factory=dict)
    """By the place of the file and its bytes."""
    seen: SeenReleases | None = None
    """What earlier runs saw; None where nothing is kept, or believed."""

    @cached_property
    def _grounds(self) -> KnownGrounds:
        """What bases stand for."""
        from lockwarden.core.engine.base_grounds import KnownGrounds

        return KnownGrounds()

    @cached_property
    def _sides(self) -> KnownSides:
        """What lock files were at bases."""
        from lockwarden.core.engine.base_sides import KnownSides

        return KnownSides()

    @cached_property
    def _histories(self) -> KnownHistories:
        """What the histories of bases locked."""
        from lockwarden.core.engine.locked_before import KnownHistories

        return KnownHistories()

    @cached_property
    def _readings(self) -> Readings:
        """Files of bases."""
        from lockwarden.core.engine.base_standards import Readings

        return Readings()

    def standards(self, lock_file: LockFile, *, base: str = "") -> Standards:
        """The standards of a lock file; `base` is the revision to compare with, none when it is empty.

        With a base, those of the base count, and what the working tree has is proposed. Raises InputError for a policy,
        approvals or a base that cannot be read and for a repository that git refuses, and ToolError without git.
        """
        found = self._standards(lock_file, base)
        alike = (*name_problems(Path(lock_file.path).name),)
        return replace(found, problems=(*alike, *found.problems)) if alike else found

    def _standards(self, lock_file: LockFile, base: str) -> Standards:
        place = Path(lock_file.path)
        repository = self.repository(place, needed=bool(base))
        now = self.now().astimezone(UTC)
        today = now.date()
        seen = NOWHERE if self.seen is None else self.seen.of(lock_file)
        if not base or repository is None:
            disk = self._on_disk(place, None if repository is None else repository.root)
            approvals = approvals_on_disk(disk, now)
            return Standards(
                policy=disk.policy,
                approvals=approvals.counting,
                today=today,
                now=now,
                seen=seen,
                problems=(*disk.problems, *approvals.problems),
                policy_files=disk.policy_files,
                approval_files=approvals.files,
                approvals_on_disk=disk.approvals,
            )
        held = self._at_base(lock_file, repository, base, now)
        beside = None if held.proposed is None else replace(held.proposed, seen=seen, now=now)
        return replace(held, seen=seen, now=now, proposed=beside)

    def of_this_side(self, lock_file: LockFile, *, unfinished: bool) -> Standards:
        """The standards of one side of a lock file in conflict: those of the commit that is checked out.

        What a merge has brought into the working tree is the other side's word, which must not choose by what it is
        judged. Where no merge is going on, or there is no repository, those on disk count; `unfinished` says that the
        file itself is not merged, whatever it was that made it so. Raises as `standards` does.
        """
        place = Path(lock_file.path)
        repository = self.repository(place)
        if repository is None or not (unfinished or repository.sides()):
            return self.standards(lock_file)
        from lockwarden.core.engine.base_grounds import HEAD

        now = self.now().astimezone(UTC)
        by_head = self._judged(lock_file, self.grounds(place, repository, HEAD), now)
        known = {"today": now.date(), "now": now, "seen": NOWHERE if self.seen is None else self.seen.of(lock_file)}
        beside = None if by_head.proposed is None else replace(by_head.proposed, **known)
        return replace(by_head, proposed=beside, **known)

    def _judged(self, lock_file: LockFile, grounds: Sequence[Ground], now: datetime) -> Standards:
        from lockwarden.core.engine.judged_by import judged_by

        return judged_by(
            grounds,
            lock_file,
            self._on_disk(Path(lock_file.path), grounds[0].repository.root, has_base=True),
            self._readings,
            named=named_policy(self.policy, self.environ),
            directory=self.directory,
            now=now,
        )

    def _at_base(self, lock_file: LockFile, repository: Repository, base: str, now: datetime) -> Standards:
        from lockwarden.core.engine.absence import about_absence
        from lockwarden.core.engine.base_sides import about_the_file
        from lockwarden.core.engine.locked_before import locked_before

        grounds = self.grounds(Path(lock_file.path), repository, base)
        ground = grounds[-1]
        by_base = self._judged(lock_file, grounds, now)
        sides = self._sides.of(ground, lock_file, self.second_reader)
        today = now.date()
        held = replace(
            by_base,
            sides=sides,
            before=locked_before(ground, lock_file, sides, self._histories, self.second_reader),
            today=today,
            problems=(
                *about_the_file(sides, lock_file, given=self.client),
                *about_absence(ground.repository, lock_file, sides),
                *by_base.problems,
            ),
        )
        beside = held.proposed
        return (
            held
            if beside is None
            else replace(held, proposed=replace(beside, sides=sides, before=held.before, today=today))
        )

    def as_judged(self, lock_file: LockFile, *, base: str = "") -> LockFile:
        """A lock file that was read as the one by whose rules it is judged reads it.

        That is the client that the operator named, else the one that the base's lock file names, else the one that the
        file names itself: with a base, no change under review chooses whose rules count. Raises LockFileError where
        that client refuses the file, and as `standards` does.
        """
        client = self.client
        if client is None and base:
            place = Path(lock_file.path)
            repository = self.repository(place, needed=True)
            assert repository is not None  # noqa: S101 - or it was raised
            ground = self.grounds(place, repository, base)[-1]
            client = self._sides.client(ground, lock_file)
        return as_client_reads(lock_file, self.second_reader, client=client)

    def grounds(self, place: Path, repository: Repository, base: str) -> tuple[Ground, ...]:
        """The grounds that a base gives for a file in a repository, outermost first. Raises GitError."""
        from lockwarden.core.engine.base_grounds import grounds_of

        around = tuple(self._around(place, repository))
        here = Path(os.path.realpath(self.directory))
        return grounds_of(around, base, path=place, directory=here, known=self._grounds)

    def look_anew(self) -> None:
        """From now on a base is what it stands for now, not what it stood for when it was looked for before."""
        self._grounds.forget()
        self._sides.forget()

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

    def signed_approvals(self, lock_file: LockFile) -> tuple[Approvals, DocumentVerdict | None]:
        """The approvals on disk, and what the signature beside them is worth while no policy names anybody.

        Raises ApprovalsError.
        """
        from lockwarden.core.review.signed_approvals import judge_signature

        place = Path(lock_file.path)
        approvals = read_approvals_file(place, root=self._root(place))
        signature = read_signature_file(self.approvals_path(lock_file)) if approvals.path else None
        return judge_signature(approvals, signature, NO_POLICY, self.now().astimezone(UTC))

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
            from lockwarden.core.git.repository import open_repository

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

"""By what the lock files of one repository are judged: the organisation's policy, and what the repository itself says.

A repository's own policy and approvals count as they are at one revision of the operator's choice, by default what the
clone stands on: no branch or pull request chooses that. What another revision brings of them counts for nothing there.
Beside the organisation's policy that of the repository counts as well, each alone, and the strictest outcome stands.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from threading import Lock
from typing import Final

from msgspec import Struct

from lockwarden.core.approvals.model import APPROVALS_FILE, NO_APPROVALS, Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.engine.policy_files import FoundPolicy, load_policy
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.model import Commit
from lockwarden.core.git.program import Git
from lockwarden.core.git.trees import nearest, read_plain
from lockwarden.core.policy.model import NO_POLICY, POLICY_FILE_NAME, Policy, together
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.standards import StandardFile
from lockwarden.core.values.errors import ApprovalsError, GitError, PolicyError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_NO_PLAIN_FILE: Final = frozenset({"not-a-file", "too-large"})
"""Codes of what a revision has in the place of a policy or of approvals."""


class CommittedStandards(Struct, frozen=True, kw_only=True):
    """What counts for one lock file."""

    policy: Policy
    approvals: Approvals
    policy_files: tuple[StandardFile, ...]
    approval_files: tuple[StandardFile, ...]
    problems: tuple[Problem, ...]


class OrganisationPolicy:
    """The policy that the operator named, and policies of repositories, each of which is parsed once."""

    def __init__(self, found: FoundPolicy | None) -> None:
        """Raises PolicyError when the policy cannot be used."""
        self.policy = NO_POLICY if found is None else load_policy(found)
        self.files: tuple[StandardFile, ...] = ()
        if found is not None:
            self.files = (StandardFile(path=found.name, digest=_digest(found.data), outside=True),)
        self._with: dict[tuple[str, Path, bytes], Policy] = {}
        self._lock = Lock()

    def with_own(self, data: bytes, *, name: str, folder: Path) -> Policy:
        """The policy with a repository's own beside it; what is the same is one value. Raises PolicyError."""
        key = (name, folder if b"mirror" in data else Path(), data)  # only mirrors can be folders
        with self._lock:
            if key not in self._with:
                own = read_policy(data, path=name, folder=folder)
                self._with[key] = together((self.policy, own) if self.policy.path else (own,))
            return self._with[key]


class RepositoryStandards:
    """The standards of one repository's lock files, as a revision has them. Everything here blocks."""

    def __init__(self, git: Git, trusted: Commit, organisation: OrganisationPolicy) -> None:
        """`trusted` is the commit whose policy and approvals count."""
        self._git = git
        self._trusted = trusted
        self._organisation = organisation
        self._approvals: tuple[Approvals, tuple[StandardFile, ...], tuple[Problem, ...]] | None = None

    def of(self, place: bytes) -> CommittedStandards:
        """What counts for the lock file at a path, which the trusted commit need not have.

        What cannot be read counts for nothing, and leaves the answer open. Raises GitError when nobody could look.
        """
        policy = self._organisation.policy
        files = self._organisation.files
        problems: tuple[Problem, ...] = ()
        try:
            found = nearest(self._git, self._trusted.id, place, os.fsencode(POLICY_FILE_NAME))
            if found is not None:
                name = os.fsdecode(found[0])
                folder = self._git.folder / Path(name).parent
                policy = self._organisation.with_own(found[1], name=name, folder=folder)
                files = (*files, self._told(name, found[1]))
        except GitError as error:
            problems = (self._unreadable(error),)
        except PolicyError as error:
            problems = (self._unreadable(error),)
        approvals, approval_files, about_approvals = self._own_approvals()
        return CommittedStandards(
            policy=policy,
            approvals=approvals,
            policy_files=files,
            approval_files=approval_files,
            problems=(*problems, *about_approvals),
        )

    def _own_approvals(self) -> tuple[Approvals, tuple[StandardFile, ...], tuple[Problem, ...]]:
        if self._approvals is None:
            self._approvals = self._read_approvals()
        return self._approvals

    def _read_approvals(self) -> tuple[Approvals, tuple[StandardFile, ...], tuple[Problem, ...]]:
        try:
            data = read_plain(self._git, self._trusted.id, os.fsencode(APPROVALS_FILE))
            if data is None:
                return NO_APPROVALS, (), ()
            return read_approvals(data, path=APPROVALS_FILE), (self._told(APPROVALS_FILE, data),), ()
        except GitError as error:
            return NO_APPROVALS, (), (self._unreadable(error),)
        except ApprovalsError as error:
            return NO_APPROVALS, (), (self._unreadable(error),)

    def _told(self, name: str, data: bytes) -> StandardFile:
        trusted = self._trusted
        return StandardFile(path=name, digest=_digest(data), commit=trusted.id, revision=trusted.name)

    def _unreadable(self, error: GitError | PolicyError | ApprovalsError) -> Problem:
        if isinstance(error, GitError) and error.code not in _NO_PLAIN_FILE:
            raise error
        return Problem(
            code=ProblemCode.BASE_STANDARDS_UNREADABLE,
            severity=Severity.WARNING,
            message=f"nothing is judged by what {self._trusted.name} has here, and what it asks for is not known:"
            f" {error}",
            hint="repair it in the repository; until then the answer stays open",
        )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

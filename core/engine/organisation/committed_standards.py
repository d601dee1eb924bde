"""By what the lock files of one repository are judged: the organisation's policy, and what the repository itself says.

A repository's own policy and approvals count as they are at one revision of the operator's choice, by default what the
clone stands on: no branch or pull request chooses that. What another revision brings of them counts for nothing there.
Beside the organisation's policy that of the repository counts as well, each alone, and the strictest outcome stands.
"""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import APPROVALS_FILE, NO_APPROVALS, SIGNATURE_FILES, Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.engine.judged_approvals import as_wanted
from lockwarden.core.engine.policy_files import FoundPolicy, load_policy, policy_of
from lockwarden.core.engine.policy_named_files import committed_beside
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.model import Commit
from lockwarden.core.git.program import Git
from lockwarden.core.git.trees import nearest, read_plain
from lockwarden.core.policy.model import NO_POLICY, POLICY_FILE_NAME, Policy, together
from lockwarden.core.policy.other_signers import NamedFile
from lockwarden.core.review.signed_approvals import judge_signature
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

    def with_own(self, data: bytes, *, name: str, folder: Path, files: NamedFile) -> Policy:
        """The organisation's policy, and a repository's own beside it: both count. Raises PolicyError.

        Equal policies give the same value, so that what they judge alike is judged once.
        """
        # Mirrors can be folders, keys, roots and lists of signers are files: all else is the same wherever it lies.
        placed = any(word in data for word in (b"mirror", b"public_key", b"trusted_root", b"allowed_signers"))
        key = (name, folder if placed else Path(), data)
        with self._lock:
            if key not in self._with:
                own = policy_of(data, path=name, folder=folder, files=files)
                self._with[key] = together((self.policy, own) if self.policy.path else (own,))
            return self._with[key]


class RepositoryStandards:
    """The standards of one repository's lock files, as a revision has them. Everything here blocks."""

    def __init__(self, git: Git, trusted: Commit, organisation: OrganisationPolicy, *, now: datetime) -> None:
        """`trusted` is the commit whose policy and approvals count; `now` the time at which keys hold."""
        self._git = git
        self._now = now
        self._trusted = trusted
        self._organisation = organisation
        self._signature: bytes | None = None
        self._approvals: tuple[Approvals, tuple[StandardFile, ...], tuple[Problem, ...]] | None = None

    def of(self, place: bytes) -> CommittedStandards:
        """What counts for the lock file at a path, which the trusted commit need not have.

        A policy or approvals that cannot be read count for nothing, and leave the answer open by a problem. Raises
        GitError when git could not look at all.
        """
        policy = self._organisation.policy
        files = self._organisation.files
        problems: tuple[Problem, ...] = ()
        try:
            found = nearest(self._git, self._trusted.id, place, os.fsencode(POLICY_FILE_NAME))
            if found is not None:
                name = os.fsdecode(found[0])
                folder = self._git.folder / Path(name).parent
                beside = committed_beside(name, lambda path: read_plain(self._git, self._trusted.id, path))
                policy = self._organisation.with_own(found[1], name=name, folder=folder, files=beside)
                files = (*files, self._told(name, found[1]))
        except GitError as error:
            problems = (self._unreadable(error),)
        except PolicyError as error:
            problems = (self._unreadable(error),)
        approvals, approval_files, about_approvals = self._own_approvals()
        marked, verdict = judge_signature(approvals, self._signature if approvals.path else None, policy, self._now)
        approvals, unsigned = as_wanted(marked, policy)
        approval_files = tuple(replace(each, signature=verdict) for each in approval_files)
        return CommittedStandards(
            policy=policy,
            approvals=approvals,
            policy_files=files,
            approval_files=approval_files,
            problems=(*problems, *about_approvals, *unsigned),
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
            self._signature = self._read_signature()
            return read_approvals(data, path=APPROVALS_FILE), (self._told(APPROVALS_FILE, data),), ()
        except GitError as error:
            return NO_APPROVALS, (), (self._unreadable(error),)
        except ApprovalsError as error:
            return NO_APPROVALS, (), (self._unreadable(error),)

    def _read_signature(self) -> bytes | None:
        """What lies beside the approvals; what is no plain file is no signature, and nothing that could be one."""
        for name in SIGNATURE_FILES:
            try:
                data = read_plain(self._git, self._trusted.id, os.fsencode(name))
            except GitError as error:
                if error.code not in _NO_PLAIN_FILE:
                    raise
                return b""
            if data is not None:
                return data
        return None

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

"""The port to the files beside a lock file and to its repository: what the app needs of them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.git.model import PastRevision, Suggestion
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.standards import Standards


class Keeper(Protocol):
    """Finds and keeps what a lock file is held against. Everything blocks and raises LockwardenError."""

    def standards(self, lock_file: LockFile, *, base: str) -> Standards:
        """Its policy, its approvals, and its state at the revision `base`, if one is named."""
        ...

    def policy_path(self, lock_file: LockFile) -> Path:
        """Where its policy is, or would be."""
        ...

    def save_policy(self, lock_file: LockFile, data: bytes, *, before: Policy) -> None:
        """Write the policy, unless the file on disk is no longer the one that was read."""
        ...

    def approvals_path(self, lock_file: LockFile) -> Path:
        """Where its approvals are, or would be."""
        ...

    def save_approvals(self, lock_file: LockFile, data: bytes, *, before: Approvals) -> None:
        """Write the approvals, unless the file on disk is no longer the one that was read."""
        ...

    def save_new(self, path: Path, data: bytes) -> None:
        """Write a file that must not be there yet."""
        ...

    def identity(self, lock_file: LockFile) -> str:
        """Who the operator is by git's settings; empty when they do not say."""
        ...

    def revisions(self, lock_file: LockFile) -> tuple[tuple[Suggestion, ...], tuple[PastRevision, ...]]:
        """Branches worth comparing with, and the revisions that changed the lock file, newest first."""
        ...

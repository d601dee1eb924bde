"""A keeper of nothing, and one whose files are in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from lockwarden.core.approvals.model import NO_APPROVALS, Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.model import PastRevision, Suggestion
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.errors import LockwardenError, UnknownRevisionError


@dataclass
class MemoryKeeper:
    """Policy and approvals as bytes; states of the lock file by the name of their revision."""

    policy: bytes = b""
    approvals: bytes = b""
    bases: dict[str, LockFile | None] = field(default_factory=dict)
    unreadable: str = ""
    """Why no state of the lock file can be read, if so."""
    who: str = "Ada Example <ada@example.test>"
    past: tuple[PastRevision, ...] = ()
    suggested: tuple[Suggestion, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What is known of policy, approvals and base themselves, when there is a base."""
    today: date = date(2026, 6, 1)
    refusal: LockwardenError | None = None
    """What every question and every writing ends with, if anything."""
    looked_anew: int = 0
    new_files: dict[Path, bytes] = field(default_factory=dict)

    def standards(self, lock_file: LockFile, *, base: str) -> Standards:
        self._refuse()
        sides: tuple[BaseSide, ...] = ()
        if base and base not in self.bases:
            raise UnknownRevisionError(f"there is no revision {base} in this repository", code="unknown-revision")
        if base:
            sides = (BaseSide(name=base, commit="0" * 40, lock_file=self.bases[base], unreadable=self.unreadable),)
        return Standards(
            policy=read_policy(self.policy, path=".lockwarden.hcl", folder=Path("/")) if self.policy else NO_POLICY,
            approvals=read_approvals(self.approvals, path=".lockwarden/approvals.hcl")
            if self.approvals
            else NO_APPROVALS,
            sides=sides,
            problems=self.problems if base else (),
            today=self.today,
        )

    def as_judged(self, lock_file: LockFile, *, base: str) -> LockFile:
        return lock_file

    def look_anew(self) -> None:
        self.looked_anew += 1

    def policy_path(self, lock_file: LockFile) -> Path:
        return Path("repository/.lockwarden.hcl")

    def save_policy(self, lock_file: LockFile, data: bytes, *, before: Policy) -> None:
        self._refuse()
        assert before.data == self.policy
        self.policy = data

    def approvals_path(self, lock_file: LockFile) -> Path:
        return Path("repository/.lockwarden/approvals.hcl")

    def save_approvals(self, lock_file: LockFile, data: bytes, *, before: Approvals) -> None:
        self._refuse()
        assert before.data == self.approvals
        self.approvals = data

    def save_new(self, path: Path, data: bytes) -> None:
        self._refuse()
        assert path not in self.new_files
        self.new_files[path] = data

    def identity(self, lock_file: LockFile) -> str:
        return self.who

    def revisions(self, lock_file: LockFile) -> tuple[tuple[Suggestion, ...], tuple[PastRevision, ...]]:
        self._refuse()
        return self.suggested, self.past

    def _refuse(self) -> None:
        if self.refusal is not None:
            raise self.refusal

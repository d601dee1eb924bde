"""What a lock file was held against, in the JSON reports: its base, its changes, policies and approvals."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec import Meta, Struct

from lockwarden.core.approvals.model import Approval
from lockwarden.core.reports.findings import LocatedFinding
from lockwarden.core.reports.json_values import Time, hashes_json, time_json
from lockwarden.core.reports.module_tellings import ModuleTelling
from lockwarden.core.reports.standards_lines import place_of
from lockwarden.core.review.change_kinds import Change, ChangeKind
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import StandardFile, Standards
from lockwarden.core.values.severity import Severity


class LoudestJson(Struct, frozen=True, kw_only=True):
    """What a reader should see first: the loudest error, else a change that warns."""

    code: str
    """Of a problem, or a verdict."""
    severity: Annotated[Severity, Meta(extra_json_schema={"enum": ["error", "warning"]})]
    name: str
    """The code in a few words."""
    path: str
    """Which lock file, or which file of a configuration."""
    address: str | None
    """Null when it is about the lock file itself, or about a module."""
    version: str | None
    message: str

    @classmethod
    def of(cls, told: LocatedFinding | ModuleTelling | None) -> Self | None:
        """None when nothing is loud."""
        if told is None:
            return None
        provider = told.provider if isinstance(told, LocatedFinding) else None
        return cls(
            code=told.finding.code,
            severity=told.finding.severity,
            name=told.finding.name,
            path=told.path,
            address=None if provider is None else str(provider.address),
            version=None if provider is None else str(provider.entry.version),
            message=told.finding.message,
        )


class SideJson(Struct, frozen=True, kw_only=True):
    """One revision that the lock file is held against."""

    name: str
    """The revision as it was written, or the label of the side."""
    ref: str
    """The revision in full, such as refs/remotes/origin/main; empty where an ID names it, and for a side of a merge
    without a name."""
    commit: str
    """The full commit ID."""
    present: bool
    """Whether the lock file was there."""
    renamed_from: str
    """The path that the lock file had there, when it was another one; else empty."""

    @classmethod
    def of(cls, side: BaseSide) -> Self:
        """Which it is; what it locks is told as changes."""
        return cls(
            name=side.name,
            ref=side.ref,
            commit=side.commit,
            present=side.lock_file is not None,
            renamed_from=side.renamed_from,
        )


class RemovedJson(Struct, frozen=True, kw_only=True):
    """An entry that is gone."""

    address: str
    version: str
    hashes: list[str]


class BaseJson(Struct, frozen=True, kw_only=True):
    """The earlier state that the lock file is held against."""

    sides: list[SideJson]
    """One, or the two of a merge in progress."""
    removed: list[RemovedJson]
    """Entries that every side has and the lock file has not."""

    @classmethod
    def of(cls, review: Review) -> Self | None:
        """None when there is no such state."""
        sides = review.standards.sides
        if not sides:
            return None
        return cls(
            sides=[SideJson.of(side) for side in sides],
            removed=[
                RemovedJson(address=str(each.address), version=str(each.version), hashes=hashes_json(each.hash_set))
                for each in review.removed
            ],
        )


class StandardFileJson(Struct, frozen=True, kw_only=True):
    """A policy or a file of recorded approvals, as it was read."""

    path: str
    revision: str
    """The full ID of the commit; “working tree” for a file on disk, “outside” for one that the operator named and that
    no change of the repository reaches."""
    name: str
    """What that commit is called; empty for a file on disk."""
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of its bytes."""
    proposed: bool
    """The change brings it, and it counts for nothing."""

    @classmethod
    def of(cls, file: StandardFile) -> Self:
        """By what it can be found and compared."""
        return cls(
            path=file.path, revision=place_of(file), name=file.revision, digest=file.digest, proposed=file.proposed
        )


class StandardsJson(Struct, frozen=True, kw_only=True):
    """What the lock file was held against. With a base, the base's files count, and what the change brings is
    proposed."""

    policies: list[StandardFileJson]
    """Every policy that counts, then what the change proposes. Empty when there is none."""
    approvals: list[StandardFileJson]
    """The same of files of recorded approvals."""

    @classmethod
    def of(cls, standards: Standards) -> Self:
        """The files of one lock file's standards."""
        return cls(
            policies=[StandardFileJson.of(each) for each in standards.policy_files],
            approvals=[StandardFileJson.of(each) for each in standards.approval_files],
        )


class ChangeJson(Struct, frozen=True, kw_only=True):
    """One thing that the change of an entry against the base does. It is among the problems, too."""

    kind: ChangeKind
    severity: Severity
    message: str
    hint: str
    """What to do about it; may be empty."""

    @classmethod
    def of(cls, change: Change) -> Self:
        """One change of one provider."""
        return cls(kind=change.kind, severity=change.severity, message=change.message, hint=change.hint)


class ApprovalJson(Struct, frozen=True, kw_only=True):
    """The record that accepts the hash today. It never accepts a disowned hash."""

    by: str
    """A claim of whoever wrote the record."""
    at: Time
    until: str
    """The last day on which it holds; a year after it was made where the record names none."""
    reason: str
    record: str
    """File and line."""

    @classmethod
    def of(cls, approval: Approval) -> Self:
        """Who says so, until when and why."""
        return cls(
            by=approval.by,
            at=time_json(approval.at),
            until=approval.ends.isoformat(),
            reason=approval.reason,
            record=str(approval),
        )

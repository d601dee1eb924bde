"""What a lock file was held against, in the JSON reports: its base, its changes, policies and approvals."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec import Meta, Struct

from lockwarden.core.approvals.model import Approval, ApprovalSignature
from lockwarden.core.reports.findings import LocatedFinding
from lockwarden.core.reports.json_values import Time, hashes_json, time_json
from lockwarden.core.reports.located_module_findings import LocatedModuleFinding
from lockwarden.core.reports.standards_lines import where_read
from lockwarden.core.review.change_kinds import Change, ChangeKind
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import StandardFile, Standards
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme


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
    def of(cls, told: LocatedFinding | LocatedModuleFinding | None) -> Self | None:
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


class BaseSideJson(Struct, frozen=True, kw_only=True):
    """One revision that the lock file is held against."""

    name: str
    """The revision as it was written, or the label of the side."""
    ref: str
    """The revision in full, such as refs/remotes/origin/main; empty where an ID names it, and for a side of a merge
    without a name."""
    commit: str
    """The full commit ID."""
    present: bool
    """Whether the lock file was there, readable or not."""
    unreadable: str
    """Why the lock file that was there could not be read, so that nothing is compared with it; else empty."""
    renamed_from: str
    """The path that the lock file had there, when it was another one; else empty."""

    @classmethod
    def of(cls, side: BaseSide) -> Self:
        """Which it is; what it locks is told as changes."""
        return cls(
            name=side.name,
            ref=side.ref,
            commit=side.commit,
            present=side.lock_file is not None or bool(side.unreadable),
            unreadable=side.unreadable,
            renamed_from=side.renamed_from,
        )


class RemovedJson(Struct, frozen=True, kw_only=True):
    """An entry that is gone."""

    address: str
    version: str
    hashes: list[str]


class BaseJson(Struct, frozen=True, kw_only=True):
    """The earlier state that the lock file is held against."""

    sides: list[BaseSideJson]
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
            sides=[BaseSideJson.of(side) for side in sides],
            removed=[
                RemovedJson(address=str(each.address), version=str(each.version), hashes=hashes_json(each.hash_set))
                for each in review.removed
            ],
        )


class ApprovalsSignatureJson(Struct, frozen=True, kw_only=True):
    """What came of the signature beside a file of approvals."""

    scheme: SignatureScheme | None
    """Null where nobody can tell."""
    signer: str
    """The key's fingerprint, or the whole key; empty where nobody can tell."""
    owner: str
    """Whose key it is, by the policy or its list of allowed signers; may be empty."""
    state: EvidenceState
    detail: str
    """The reason behind a state other than good, or why the file is an older one or may be one; else empty."""
    serial: int
    """Of the file; 0 where it has none."""
    counts: bool
    """It is good, by a key that every policy which counts names, and the file is known to be no older one."""

    @classmethod
    def of(cls, verdict: DocumentVerdict | None) -> Self | None:
        """None without a signature."""
        if verdict is None:
            return None
        return cls(
            scheme=verdict.scheme,
            signer=verdict.signer,
            owner=verdict.owner,
            state=verdict.state,
            detail=verdict.detail or verdict.replayed or verdict.age_unknown,
            serial=verdict.serial,
            counts=verdict.counts,
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
    signature: ApprovalsSignatureJson | None
    """Of approvals: what came of the signature beside them. Null without one, and for a policy."""

    @classmethod
    def of(cls, file: StandardFile) -> Self:
        """By what it can be found and compared."""
        return cls(
            path=file.path,
            revision=where_read(file),
            name=file.revision,
            digest=file.digest,
            proposed=file.proposed,
            signature=ApprovalsSignatureJson.of(file.signature),
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


class RecordSignatureJson(Struct, frozen=True, kw_only=True):
    """The signature that a record stands under, good and by a key that every policy which counts names."""

    scheme: SignatureScheme
    signer: str
    """The key's fingerprint, or the whole key."""
    owner: str
    """Whose key it is, by the policy or its list of allowed signers; may be empty."""
    serial: int
    """Of the file that was signed."""
    rules: list[str]
    """What names the key: places in policies, or in a list of allowed signers."""

    @classmethod
    def of(cls, signature: ApprovalSignature | None) -> Self | None:
        """None where none counts."""
        if signature is None:
            return None
        return cls(
            scheme=signature.scheme,
            signer=signature.signer,
            owner=signature.owner,
            serial=signature.serial,
            rules=[*signature.rules],
        )


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
    platform: str | None
    """Of which the record says that its hashes are; null where it does not say."""
    signature: RecordSignatureJson | None
    """Null where none counts; then only the file's author says who accepts."""

    @classmethod
    def of(cls, approval: Approval) -> Self:
        """Who says so, until when and why."""
        return cls(
            by=approval.by,
            at=time_json(approval.at),
            until=approval.ends.isoformat(),
            reason=approval.reason,
            record=str(approval),
            platform=None if approval.platform is None else str(approval.platform),
            signature=RecordSignatureJson.of(approval.signature),
        )

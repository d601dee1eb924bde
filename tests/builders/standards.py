"""What a lock file is held against: earlier states of it, a policy, recorded approvals."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime

from builders.audits import ADDRESS, FINGERPRINT, VERSION
from lockwarden.core.approvals.model import NO_APPROVALS, Approval, Approvals
from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.policy.model import NO_POLICY, Policy, Rule, TrustedKey
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern

EVERYWHERE = (ProviderPattern.parse("*/*/*"),)
TODAY = date(2026, 6, 1)
COMMIT = "c0ffee0123456789c0ffee0123456789c0ffee01"


def side(
    *entries: LockedProvider,
    name: str = "origin/main",
    present: bool = True,
    renamed_from: str = "",
    audits: Iterable[Audit] = (),
) -> BaseSide:
    """An earlier state with these entries."""
    lock_file = LockFile(path=".terraform.lock.hcl", data=b"", providers=entries, warnings=(), client=Client.OPENTOFU)
    return BaseSide(
        name=name,
        commit=COMMIT,
        lock_file=lock_file if present else None,
        renamed_from=renamed_from,
        audits=tuple(audits),
    )


def trusting(*fingerprints: str, line: int = 3) -> Policy:
    """A policy that names these keys for every provider, one rule each."""
    keys = (
        TrustedKey(
            rule=Rule(".lockwarden.hcl", line + place), fingerprint=each, owner="Example Releases", providers=EVERYWHERE
        )
        for place, each in enumerate(fingerprints or (FINGERPRINT,))
    )
    return Policy(path=".lockwarden.hcl", keys=tuple(keys))


def approval(
    *hashes: Hash,
    address: ProviderAddress = ADDRESS,
    by: str = "Ada Example <ada@example.test>",
    reason: str = "built by us from the released sources",
    until: date | None = date(2026, 12, 31),
) -> Approval:
    """A record that accepts these hashes."""
    return Approval(
        path=".lockwarden/approvals.hcl",
        line=2,
        address=address,
        version=VERSION,
        hashes=frozenset(hashes),
        verdict="unexplained",
        signers=(),
        by=by,
        at=datetime(2026, 5, 20, 10, 0, tzinfo=UTC),
        reason=reason,
        until=until,
    )


def standards(
    *sides: BaseSide,
    policy: Policy = NO_POLICY,
    approvals: Iterable[Approval] = (),
    problems: Iterable[Problem] = (),
) -> Standards:
    """All of it together, on one fixed day."""
    records = tuple(approvals)
    return Standards(
        policy=policy,
        approvals=Approvals(path=".lockwarden/approvals.hcl", records=records) if records else NO_APPROVALS,
        today=TODAY,
        sides=sides,
        problems=tuple(problems),
    )

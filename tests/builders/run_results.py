"""Results of whole runs as values, with everything that a test does not care about filled in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from builders.audits import ADDRESS, FINGERPRINT, LINUX, ORIGIN, SIGNED_AT, SUMS, VERSION
from lockwarden.core.evidence.source_answers import Audit, DocumentSignature
from lockwarden.core.lockfile.model import LockedHash, LockedProvider, LockFile
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import (
    Conclusion,
    ConclusionKind,
    KeyJudgement,
    KeySeen,
    KeyState,
    SignatureState,
)
from lockwarden.core.values.versions import Version

KEY = KeySeen(
    fingerprint=FINGERPRINT,
    key_id=FINGERPRINT[-16:],
    user_ids=("Example Releases <releases@example.test>",),
    algorithm="rsa4096",
    created=datetime(2024, 1, 2, tzinfo=UTC),
    expires=None,
    state=KeyState.VALID,
)
SIGNATURE = DocumentSignature(
    document=SUMS,
    judgements=(
        KeyJudgement(
            position=0,
            state=SignatureState.GOOD,
            keys=(KEY,),
            fingerprint=FINGERPRINT,
            signing_fingerprint=FINGERPRINT,
            signed_at=SIGNED_AT,
            valid_when_signed=True,
        ),
    ),
    issuers=(FINGERPRINT,),
    conclusion=Conclusion(kind=ConclusionKind.ACCEPTED, key_id=FINGERPRINT[-16:]),
)
PATH = "infra/.terraform.lock.hcl"


def locked(
    *hashes: Hash, address: ProviderAddress = ADDRESS, line: int = 1, version: Version = VERSION
) -> LockedProvider:
    """An entry as it stands in a file: its hashes begin four lines after the block."""
    return LockedProvider(
        address=address,
        version=version,
        constraints=">= 1.0.0",
        hashes=tuple(LockedHash(hash=each, line=line + 4 + place) for place, each in enumerate(hashes)),
        line=line,
    )


def review_of(
    entries: Iterable[LockedProvider],
    *audits: Audit,
    platforms: Iterable[Platform] = (LINUX,),
    path: str = PATH,
    standards: Standards = NO_STANDARDS,
) -> Review:
    """The review of a lock file with these entries after these audits."""
    lock_file = LockFile(path=path, data=b"", providers=tuple(entries), warnings=(), client=Client.OPENTOFU)
    review = Review.start(lock_file, settings=ClientSettings(), platforms=platforms, standards=standards)
    for audit in audits:
        review = review.with_audit(audit)
    return review


def run_of(*reviews: Review) -> RunResult:
    """A run over some lock files that could all be read."""
    files = tuple(FileResult(path=review.lock_file.path, review=review) for review in reviews)
    return RunResult(sources=(ORIGIN,), files=files)

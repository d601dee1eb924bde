"""Signatures beside GPG's of a run: who made which, over what, and what came of them under every policy that counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lockwarden.core.approvals.model import ApprovalSignature
from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signature_schemes import EvidenceState, SignedDocument, SignedKind, Signer
from lockwarden.core.values.versions import Version


class OtherSigning(Struct, frozen=True, kw_only=True):
    """One signature that a source gave out for a provider version, or that is over approvals of it."""

    address: ProviderAddress
    version: Version
    source: str
    signature: SeenSignature
    hashes: frozenset[Hash]
    """Those that the document leads to."""


def signings_of(standards: Standards, audit: Audit) -> tuple[OtherSigning, ...]:
    """The other signatures of one audit. Of several policies, each has to name a signer for it to count."""
    by_policy = [tuple(_signings(each.applied_policy(audit).audit)) for each in standards.each]
    return tuple(min(judged, key=lambda each: each.signature.counts) for judged in zip(*by_policy, strict=True))


def signings_in_run(reviews: Iterable[Review]) -> tuple[OtherSigning, ...]:
    """Those of all lock files of a run, and over the approvals that they are held against, each once."""
    return tuple(dict.fromkeys(signing for review in reviews for signing in _of_review(review)))


def _of_review(review: Review) -> Iterator[OtherSigning]:
    for provider in review.providers:
        if provider.audit is not None:
            yield from signings_of(review.standards, provider.audit)
        yield from _over_approvals(provider.entry, review.standards)


def _over_approvals(entry: LockedProvider, standards: Standards) -> Iterator[OtherSigning]:
    """Signatures that count over approvals of what is locked; of another, the problems of the lock file tell."""
    found: defaultdict[tuple[str, ApprovalSignature], set[Hash]] = defaultdict(set)
    for each in standards.approvals.records:
        about = (each.address, each.version) == (entry.address, entry.version)
        if about and each.signature is not None and each.holds(standards.today):
            found[each.path, each.signature].update(each.hashes)
    for (path, signature), hashes in found.items():
        seen = SeenSignature(
            scheme=signature.scheme,
            signer=Signer(scheme=signature.scheme, fingerprint=signature.signer),
            document=SignedDocument(kind=SignedKind.APPROVALS, digest=_digest(signature, standards), name=path),
            state=EvidenceState.GOOD,
            claims=(("serial", str(signature.serial)),),
            found_at=f"beside {path}",
            rule=" and ".join(signature.rules),
        )
        yield OtherSigning(
            address=entry.address, version=entry.version, source=path, signature=seen, hashes=frozenset(hashes)
        )


def _digest(signature: ApprovalSignature, standards: Standards) -> str:
    """That of the file which was signed: the base can have one, and the change another."""
    known = {
        (each.signature.signer, each.signature.serial): each.digest
        for each in standards.approval_files
        if each.signature is not None
    }
    return f"sha256:{known.get((signature.signer, signature.serial), '')}"


def _signings(audit: Audit) -> Iterator[OtherSigning]:
    for answer in audit.source_answers:
        for seen in answer.other_signatures:
            yield OtherSigning(
                address=audit.address,
                version=audit.version,
                source=answer.source.id,
                signature=seen,
                hashes=frozenset(
                    hash_
                    for hash_, each in answer.observations
                    if isinstance(each, OtherSignature) and each.signature == seen
                ),
            )

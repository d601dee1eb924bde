"""Signatures beside GPG's of a run: who made which, over what, and what came of them under every policy that counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version


class OtherSigning(Struct, frozen=True, kw_only=True):
    """One signature that a source gave out for a provider version."""

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
    """Those of all lock files of a run, each once."""
    return tuple(
        dict.fromkeys(
            signing
            for review in reviews
            for provider in review.providers
            if provider.audit is not None
            for signing in signings_of(review.standards, provider.audit)
        )
    )


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

"""Which hashes a record may accept, and the record of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from lockwarden.core.approvals.model import Approval
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.requirements import no_record, unsigned_hashes, without_signature
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.seen import row_of
from lockwarden.core.review.standards import evidence_under
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signature_schemes import DOCUMENT_SCHEMES


def recordable(review: Review, provider: ProviderReview, keys: Sequence[HashKey]) -> tuple[HashRow, ...]:
    """The rows of these that a record could accept: unexplained or wrongly unsigned ones, and additions.

    A record never helps a disowned hash, and of an unchecked one nobody can say yet what is accepted. Of a provider
    whose signing key has changed, a record accepts one hash at a time.
    """
    if provider.audit is None or (len(keys) > 1 and provider.alarmed):
        return ()
    rows = [row for key in keys if (row := row_of(provider, key)) is not None]
    unsigned = _unsigned(review, provider, provider.audit) if any(_is_confirmed(row) for row in rows) else frozenset()
    return tuple(row for row in rows if _is_recordable(review, provider, row, unsigned))


def _is_recordable(review: Review, provider: ProviderReview, row: HashRow, unsigned: frozenset[Hash]) -> bool:
    if not row.locked:
        return review.decision(provider, row) is Decision.ADD
    return row.verdict is Verdict.UNEXPLAINED or row.hash in unsigned


def _is_confirmed(row: HashRow) -> bool:
    return row.locked and row.verdict is Verdict.CONFIRMED


def _unsigned(review: Review, provider: ProviderReview, audit: Audit) -> frozenset[Hash]:
    """Confirmed hashes without a signature, where the policy requires one: elsewhere nobody misses it."""
    standards = review.standards
    found: set[Hash] = set()
    requirements = standards.policy.requirements_for(provider.address)
    schemes = frozenset(scheme for each in requirements for scheme in each.signatures) & DOCUMENT_SCHEMES
    if not schemes and not any(each.signed for each in requirements):
        return frozenset()
    evidence = evidence_under(standards.applied_policy(audit), review.platforms)
    if any(each.signed for each in requirements):
        found.update(unsigned_hashes(provider.entry, evidence))
    for scheme in schemes:
        found.update(without_signature(provider.entry, evidence, scheme, no_record)[0])
    return frozenset(found)


def approval_of(
    review: Review,
    provider: ProviderReview,
    rows: tuple[HashRow, ...],
    *,
    reason: str,
    by: str,
    at: datetime,
    until: date | None,
) -> Approval:
    """The record of what a person accepts, with the keys whose signature counts today.

    Where all hashes are known to be of one platform, it says so. It proves nothing about `by`.
    """
    dispositions = {} if provider.audit is None else review.standards.applied_policy(provider.audit).audit.dispositions
    signers = {each for known in dispositions.values() for each in known.signed_by_fingerprints}
    platforms = {each for row in rows for each in row.platforms}
    of_one = len(platforms) == 1 and all(row.platforms for row in rows)
    return Approval(
        path="",
        line=0,
        address=provider.address,
        version=provider.entry.version,
        hashes=frozenset(row.hash for row in rows),
        verdict=", ".join(dict.fromkeys(str(row.verdict) for row in rows)),
        signers=tuple(sorted(signers)),
        by=by,
        at=at,
        reason=reason,
        until=until,
        platform=platforms.pop() if of_one else None,
    )

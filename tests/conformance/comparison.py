"""What a review says of one run of a client, and how that differs from what the client did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from conformance.deviations import Aspect
from conformance.recordings import Result

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.verdicts import Verdict


def installable(review: ProviderReview) -> bool:
    """Whether a client would install the package of some source, as far as the audit can tell."""
    assert review.audit is not None
    packages = [package for answer in review.audit.source_answers for package in answer.packages]
    return any(package.outcome is Outcome.ANSWERED and not package.client_refusal for package in packages)


def differences(
    review: ProviderReview, written: Sequence[str], result: Result, names: Mapping[str, str]
) -> dict[Aspect, str]:
    """How a review, and the hashes that would be written after it, differ from the result of a client."""
    assert review.audit is not None
    found: dict[Aspect, str] = {}
    if hashes := hash_difference(written, result.hashes, names):
        found[Aspect.HASHES] = hashes
    if installable(review) != result.succeeded:
        found[Aspect.REFUSAL] = "installed" if installable(review) else "refused"
    if not result.succeeded:
        return found
    if review.audit.summary != result.summary:
        found[Aspect.SUMMARY] = str(review.audit.summary)
    ids = {key_id for each in review.audit.dispositions.values() for key_id in each.signed_by_gpg_key_ids}
    if ", ".join(sorted(ids)) != result.key_id:
        found[Aspect.KEYS] = ", ".join(sorted(ids))
    return found


def hash_difference(ours: Sequence[str], theirs: Sequence[str], names: Mapping[str, str]) -> str:
    """How one list of hashes differs from another, in words; empty when they are the same in the same order."""
    told = []
    if more := set(ours) - set(theirs):
        told.append(f"more: {_in_words(more, names)}")
    if fewer := set(theirs) - set(ours):
        told.append(f"fewer: {_in_words(fewer, names)}")
    if not told and list(ours) != list(theirs):
        told.append("in another order")
    return "; ".join(told)


def verdict_difference(review: ProviderReview, result: Result, names: Mapping[str, str]) -> str:
    """Which locked hashes are not confirmed though the client succeeded, or are though it failed; in words."""
    wrong = {
        row.hash.text: row.verdict.value
        for row in review.rows
        if row.locked and (row.verdict is Verdict.CONFIRMED) != result.succeeded
    }
    return ", ".join(sorted(f"{names.get(hash_, hash_)} {verdict}" for hash_, verdict in wrong.items()))


def _in_words(hashes: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join(sorted(names.get(each, each) for each in hashes))

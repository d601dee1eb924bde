"""Reviews of the world in which every verdict occurs, before its audit and after it."""

from __future__ import annotations

from fakes.lock_files import EDGE, PLANTED, every_verdict
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings

SUSPECT = HashKey.of(EDGE.address, PLANTED)


def not_audited() -> Review:
    """Nothing was asked yet."""
    return Review.start(every_verdict().lock_file(), settings=ClientSettings(), platforms=EDGE.platforms[:1])


def audited() -> Review:
    """Every audit has ended."""
    review = not_audited()
    for audit in every_verdict().audits:
        review = review.with_audit(audit)
    return review


def edge(review: Review) -> ProviderReview:
    """The provider with the planted hash."""
    return review.provider(EDGE.address)


def deciding(review: Review, *choices: tuple[HashKey, Decision]) -> Review:
    """The review with decisions made in one step."""
    return review.with_decisions(review.decisions.decide(choices))

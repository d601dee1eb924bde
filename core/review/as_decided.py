"""One provider as the lock file would have it with the decisions that are not written yet. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from lockwarden.core.coverage.matrix import CoverageMatrix, named_platforms
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedHash, LockedProvider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review


def entry_as_decided(review: Review, provider: ProviderReview) -> LockedProvider:
    """The entry with the decisions made; the same value where they change nothing. What comes in has no line yet."""
    change = review.change(provider)
    if change is None:
        return provider.entry
    kept = tuple(each for each in provider.entry.hashes if each.hash not in change.drop)
    added = tuple(LockedHash(hash=each, line=provider.entry.line) for each in sorted(change.add))
    return replace(provider.entry, hashes=(*kept, *added))


def matrix_of(review: Review, provider: ProviderReview, entry: LockedProvider) -> CoverageMatrix | None:
    """Where a client installs with this entry by the provider's audit; None before that has ended."""
    return None if provider.audit is None else matrix_by(review, provider.audit, entry)


def matrix_by(review: Review, audit: Audit, entry: LockedProvider) -> CoverageMatrix:
    """The same by an audit: what was asked for and every platform that a source names."""
    platforms = named_platforms(audit, review.platforms)
    return CoverageMatrix.of(entry, audit, settings=review.settings, platforms=platforms)

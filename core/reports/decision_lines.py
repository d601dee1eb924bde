"""What was decided on the screen, in lines: the decisions that are not in the lock file yet."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.review.review import Review
from lockwarden.core.review.writing import unwritten


def decided(review: Review) -> Iterator[tuple[str, str, str]]:
    """Each decision that the lock file lacks: the decision, the hash, and the provider with its version."""
    for provider, row, decision in unwritten(review):
        yield str(decision), row.hash.text, f"{provider.address} {provider.entry.version}"

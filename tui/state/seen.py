"""Whether a hash stands as a person has seen it, so that a key decides of nothing that came in beneath it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.tui.state.review_state import row_of

REACTION: Final = 0.3
"""Seconds that a person takes from seeing something to pressing a key because of it."""
JUST_CHANGED: Final = "this has changed just now, so nothing was decided: look again"

CHANGED_MEANWHILE: Final = "results came in meanwhile, so nothing was written: look again"


def as_seen(seen: Review | None, now: Review, keys: Iterable[HashKey]) -> bool:
    """Whether all of these hashes stand now as they did in the review that a person had time to see."""
    if seen is None:
        return False
    before, after = ({str(each.address): each for each in review.providers} for review in (seen, now))
    return all(_alike(before.get(key.address), after.get(key.address), key) for key in keys)


def _alike(before: ProviderReview | None, after: ProviderReview | None, key: HashKey) -> bool:
    return before is after or _standing(before, key) == _standing(after, key)


def _standing(provider: ProviderReview | None, key: HashKey) -> tuple[object, ...] | None:
    """What a person decides of a hash by; None where there is no such row."""
    row = None if provider is None else row_of(provider, key)
    if provider is None or row is None:
        return None
    return (provider.entry.version, provider.waiting, provider.alarmed, row.locked, row.verdict, row.objects)

"""Which row a key means, and whether it stands as a person has seen it, so that nothing unseen is decided of. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow


def keys_of(provider: ProviderReview, rows: Sequence[HashRow]) -> tuple[HashKey, ...]:
    """The keys of a provider's rows."""
    return tuple(HashKey.of(provider.address, row.hash) for row in rows)


def row_of(provider: ProviderReview, key: HashKey) -> HashRow | None:
    """The row that a key means, or None when it is of another provider or no longer there."""
    if key.address != str(provider.address):
        return None
    return next((row for row in provider.rows if row.hash.text == key.hash), None)


def as_seen(seen: Review | None, now: Review, keys: Iterable[HashKey]) -> bool:
    """Whether all of these hashes stand now as they did in the review that a person had time to see."""
    if seen is None:
        return False
    before, after = ({str(each.address): each for each in review.providers} for review in (seen, now))
    return all(_alike(before.get(key.address), after.get(key.address), key) for key in keys)


def _alike(before: ProviderReview | None, after: ProviderReview | None, key: HashKey) -> bool:
    return before is after or _decided_by(before, key) == _decided_by(after, key)


def _decided_by(provider: ProviderReview | None, key: HashKey) -> tuple[object, ...] | None:
    """What a person decides of a hash by; None where there is no such row."""
    row = None if provider is None else row_of(provider, key)
    if provider is None or row is None:
        return None
    return (provider.entry.version, provider.waiting, provider.alarmed, row.locked, row.verdict, row.objects)

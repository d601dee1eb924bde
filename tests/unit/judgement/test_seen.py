"""Whether a hash stands as a person has seen it."""

from __future__ import annotations

from fakes.lock_files import EDGE, NULL
from fakes.reviews import SUSPECT, audited, deciding, edge, not_audited
from msgspec.structs import replace

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.seen import as_seen, keys_of, row_of
from lockwarden.core.values.hashes import Hash


def test_a_hash_stands_as_it_was_seen_while_its_verdict_is_the_same() -> None:
    review, waiting = audited(), not_audited()
    gone = HashKey.of(EDGE.address, Hash("zh:gone"))

    assert as_seen(review, deciding(review, (SUSPECT, Decision.DROP)), [SUSPECT])
    assert as_seen(audited(), audited(), [SUSPECT])
    assert as_seen(review, waiting, [gone])
    assert not as_seen(waiting, review, [SUSPECT])
    assert not as_seen(None, review, [])
    assert not as_seen(audited(), replace(review, providers=()), [SUSPECT])


def test_a_key_means_a_row_of_its_own_provider_only() -> None:
    review = audited()
    rows = edge(review).rows

    assert [row_of(edge(review), key) for key in keys_of(edge(review), rows)] == list(rows)
    assert row_of(review.provider(NULL.address), SUSPECT) is None
    assert row_of(edge(review), HashKey.of(EDGE.address, Hash("zh:gone"))) is None

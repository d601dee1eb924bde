"""What a key has decided, in one line."""

from __future__ import annotations

from fakes.lock_files import EDGE, MADE_UP, PLANTED, RELAY
from fakes.sessions import audited, review_of

from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.tui.render.decided import step_in_words

REVIEW = review_of(audited())
SUSPECT, OTHER = HashKey.of(EDGE.address, PLANTED), HashKey.of(RELAY.address, MADE_UP)
NOTHING = Decisions()


def told(*choices: tuple[HashKey, Decision]) -> str:
    return step_in_words(NOTHING, NOTHING.decide(choices), REVIEW)


def test_one_decision_names_its_hash_and_its_provider() -> None:
    assert told((SUSPECT, Decision.DROP)).startswith(f"drop {PLANTED.text[:8]}")
    assert told((SUSPECT, Decision.DROP)).endswith(" of corp/edge")
    assert told((SUSPECT, Decision.UNDECIDED)).endswith(" of corp/edge undecided")


def test_several_are_counted_by_what_was_decided() -> None:
    more = HashKey.of(EDGE.address, EDGE.manifest)

    assert told((SUSPECT, Decision.DROP), (more, Decision.DROP)) == "drop 2 hashes of corp/edge"
    assert told((SUSPECT, Decision.DROP), (OTHER, Decision.KEEP)) == "keep 1 hash, drop 1 hash of 2 providers"


def test_a_provider_that_is_no_longer_locked_is_named_by_its_address_and_nothing_in_it_acts() -> None:
    gone = HashKey("registry.example.test/acme/gone", "zh:\x1b[2J")

    assert told((gone, Decision.DROP)) == "drop zh:<U+001B>[2J of registry.example.test/acme/gone"

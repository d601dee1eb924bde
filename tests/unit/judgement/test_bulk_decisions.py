"""What a key decides of one hash or several, and what it passes over."""

from __future__ import annotations

from fakes.lock_files import EDGE, MADE_UP, NULL, RELAY, every_verdict
from fakes.pull_request import GAUGE, KILN, POLICY, held, keeper
from fakes.reviews import SUSPECT, audited, deciding, edge, not_audited

from lockwarden.core.review.bulk_decisions import BulkDecision, accept_suggested, decide_next
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash

WORLD = every_verdict()


def listed(review: Review) -> frozenset[HashKey]:
    """Every hash, as where nothing is filtered."""
    return frozenset(key for each in review.providers for key in keys_of(each, each.rows))


def test_one_hash_goes_round_what_its_verdict_allows() -> None:
    review = audited()
    seen = []
    for _ in range(3):
        act = decide_next(review, edge(review), (), SUSPECT)
        review = deciding(review, *act.made)
        seen.append(act.made)

    assert seen == [((SUSPECT, Decision.DROP),), ((SUSPECT, Decision.KEEP),), ((SUSPECT, Decision.UNDECIDED),)]
    assert not act.summary


def test_a_hash_that_is_not_there_decides_nothing() -> None:
    review = audited()

    assert decide_next(review, edge(review), (), HashKey.of(EDGE.address, MADE_UP)).made == ()


def test_a_range_takes_the_decision_of_its_last_hash_where_it_is_allowed() -> None:
    review = audited()
    keys = keys_of(edge(review), edge(review).rows)
    confirmed = next(
        HashKey.of(EDGE.address, row.hash) for row in edge(review).rows if row.verdict is Verdict.CONFIRMED
    )
    act = decide_next(review, edge(review), (*keys, HashKey.of(EDGE.address, MADE_UP)), confirmed)

    locked = [key for key, row in zip(keys, edge(review).rows, strict=True) if row.locked]
    assert [key for key, _ in act.made] == locked
    assert {decision for _, decision in act.made} == {Decision.DROP}
    assert act.summary.startswith(f"drop: {len(locked)} hashes")
    assert "passed over" in act.summary


def test_a_finding_in_a_range_can_be_dropped_but_never_kept() -> None:
    review = audited()
    provider = edge(review)
    keys = keys_of(provider, provider.rows)
    confirmed = HashKey.of(EDGE.address, EDGE.manifest)
    dropped = deciding(review, *decide_next(review, provider, keys, confirmed).made)
    kept = decide_next(dropped, edge(dropped), keys, confirmed)

    assert (SUSPECT, Decision.DROP) in decide_next(review, provider, keys, confirmed).made
    assert {decision for _, decision in kept.made} == {Decision.KEEP}
    assert SUSPECT not in [key for key, _ in kept.made]
    assert "1 passed over: a finding is kept one by one only" in kept.summary


def test_a_round_that_the_aim_refuses_goes_on_for_the_others() -> None:
    review = audited()
    confirmed = HashKey.of(EDGE.address, EDGE.manifest)
    marked = (SUSPECT, confirmed)
    seen = []
    for _ in range(4):
        act = decide_next(review, edge(review), marked, SUSPECT)
        review = deciding(review, *act.made)
        seen.append((act.made, act.summary))

    assert seen == [
        (((SUSPECT, Decision.DROP), (confirmed, Decision.DROP)), "drop: 2 hashes"),
        (((confirmed, Decision.KEEP),), "keep: 1 hash; 1 passed over: a finding is kept one by one only"),
        (((SUSPECT, Decision.UNDECIDED),), "undecided: 1 hash; 1 passed over: undecided is no choice for it"),
        (((SUSPECT, Decision.DROP), (confirmed, Decision.DROP)), "drop: 2 hashes"),
    ]


def test_accepting_takes_what_is_new_and_names_the_findings_that_it_leaves() -> None:
    review = audited()
    act = accept_suggested(review, [edge(review)], review, listed(review))

    assert {key.hash for key, _ in act.made} == {EDGE.zh("linux_arm64").text, EDGE.zh("darwin_amd64").text}
    assert {decision for _, decision in act.made} == {Decision.ADD}
    assert act.summary == "2 hashes accepted; 1 finding not, which are decided one by one"


def test_accepting_for_all_counts_the_providers() -> None:
    review = audited()

    assert accept_suggested(review, review.providers, review, listed(review)).summary.startswith(
        "7 hashes of 2 providers accepted; 2 findings not"
    )


def test_accepting_nothing_says_so() -> None:
    review = deciding(audited(), *accept_suggested(audited(), audited().providers, audited(), listed(audited())).made)

    assert accept_suggested(review, [review.provider(RELAY.address)], review, listed(review)) == BulkDecision(
        made=(), summary="nothing is suggested; 1 finding not, which are decided one by one"
    )


def test_accepting_while_providers_wait_says_so() -> None:
    waiting = Review.start(WORLD.lock_file(), settings=ClientSettings(), platforms=())

    assert (
        accept_suggested(waiting, waiting.providers, waiting, listed(waiting)).summary
        == "nothing is suggested; 6 providers not audited yet"
    )


def test_no_bulk_decision_ever_adds_or_keeps_a_finding() -> None:
    review = audited()
    source_answers = {
        HashKey.of(each.address, row.hash) for each in review.providers for row in each.rows if row.verdict.is_finding
    }

    assert len(source_answers) == 2
    assert not source_answers & {
        key for key, _ in accept_suggested(review, review.providers, review, listed(review)).made
    }


def test_a_hash_of_another_scheme_is_not_suggested() -> None:
    review = audited()

    assert Hash("md5:x").text not in {
        key.hash for key, _ in accept_suggested(review, [review.provider(NULL.address)], review, listed(review)).made
    }


def alarmed() -> tuple[Review, ProviderReview]:
    review = held()
    return review, review.provider(KILN.address)


def test_of_a_provider_whose_signing_key_changed_nothing_is_accepted_together() -> None:
    review, provider = alarmed()
    keys = keys_of(provider, provider.rows)
    dropped = decide_next(review, provider, keys, keys[0])
    kept = decide_next(deciding(review, *dropped.made), provider, keys, keys[0])
    alone = decide_next(deciding(review, *dropped.made), provider, (), keys[0])

    assert {decision for _, decision in dropped.made} == {Decision.DROP}
    assert {decision for _, decision in kept.made} == {Decision.UNDECIDED}
    assert kept.summary == "undecided: 7 hashes; keep left out: a finding is kept one by one only"
    assert alone.made == ((keys[0], Decision.KEEP),)
    assert accept_suggested(review, [provider], review, listed(review)).made == ()
    assert (
        "1 provider not, since the signing key has changed"
        in accept_suggested(review, [provider], review, listed(review)).summary
    )


def test_additions_of_an_alarmed_provider_are_passed_over_in_a_range_and_named() -> None:
    review = held(keeper(policy=POLICY.replace(b"/acme/*", b"/acme/gauge").replace(b"6A1B", b"0A1B")))
    gauge = review.provider(GAUGE.address)
    offered = [HashKey.of(gauge.address, row.hash) for row in gauge.rows if not row.locked]
    act = decide_next(review, gauge, offered, offered[0])

    assert gauge.alarmed
    assert act.made == ()
    assert "the signing key has changed, so each is decided alone" in act.summary


def test_what_nobody_has_seen_is_not_accepted() -> None:
    review = audited()
    waiting = not_audited()

    assert accept_suggested(review, review.providers, None, listed(review)).made == ()
    assert accept_suggested(review, review.providers, waiting, listed(review)).summary.startswith(
        "nothing more is suggested; "
    )
    assert accept_suggested(review, review.providers, waiting, listed(review)).summary.endswith("7 came in just now")


def test_what_the_list_hides_is_not_accepted_and_counted() -> None:
    review = audited()
    new = [key for key, _ in accept_suggested(review, review.providers, review, listed(review)).made]

    some = accept_suggested(review, review.providers, review, listed(review) - {new[0]})
    none = accept_suggested(review, review.providers, review, ())

    assert [key for key, _ in some.made] == new[1:]
    assert some.summary.endswith("; 1 hash not, which the list hides")
    assert none.made == ()
    assert none.summary.startswith("nothing listed is suggested; ")
    assert none.summary.endswith(f"; {len(new)} hashes not, which the list hides")

"""What a key decides, and what it passes over."""

from __future__ import annotations

from fakes.lock_files import EDGE, MADE_UP, NULL, PLANTED, RELAY, every_verdict
from fakes.pull_request import ANVIL, GAUGE, KILN, POLICY, changed, held, keeper, record
from msgspec.structs import replace

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.tui.state.key_decisions import Act, accepted, cycled, recordable, remaining
from lockwarden.tui.state.review_state import ReviewState, keys_of
from lockwarden.tui.state.seen import as_seen

WORLD = every_verdict()
SUSPECT = HashKey.of(EDGE.address, PLANTED)


def audited() -> Review:
    review = not_audited()
    for audit in WORLD.audits:
        review = review.with_audit(audit)
    return review


def not_audited() -> Review:
    return Review.start(WORLD.lock_file(), settings=ClientSettings(), platforms=EDGE.platforms[:1])


def edge(review: Review) -> ProviderReview:
    return review.provider(EDGE.address)


def took(review: Review, act: Act) -> Review:
    return review.with_decisions(review.decisions.decide(act.made))


def test_one_hash_goes_round_what_its_verdict_allows() -> None:
    review = audited()
    seen = []
    for _ in range(3):
        act = cycled(review, edge(review), (), SUSPECT)
        review = took(review, act)
        seen.append(act.made)

    assert seen == [((SUSPECT, Decision.DROP),), ((SUSPECT, Decision.KEEP),), ((SUSPECT, Decision.UNDECIDED),)]
    assert not act.told


def test_a_hash_that_is_not_there_decides_nothing() -> None:
    review = audited()

    assert cycled(review, edge(review), (), HashKey.of(EDGE.address, MADE_UP)).made == ()


def test_a_range_takes_the_decision_of_its_last_hash_where_it_is_allowed() -> None:
    review = audited()
    keys = keys_of(edge(review), edge(review).rows)
    confirmed = next(
        HashKey.of(EDGE.address, row.hash) for row in edge(review).rows if row.verdict is Verdict.CONFIRMED
    )
    act = cycled(review, edge(review), (*keys, HashKey.of(EDGE.address, MADE_UP)), confirmed)

    locked = [key for key, row in zip(keys, edge(review).rows, strict=True) if row.locked]
    assert [key for key, _ in act.made] == locked
    assert {decision for _, decision in act.made} == {Decision.DROP}
    assert act.told.startswith(f"drop: {len(locked)} hashes")
    assert "passed over" in act.told


def test_a_finding_in_a_range_can_be_dropped_but_never_kept() -> None:
    review = audited()
    provider = edge(review)
    keys = keys_of(provider, provider.rows)
    confirmed = HashKey.of(EDGE.address, EDGE.manifest)
    dropped = took(review, cycled(review, provider, keys, confirmed))
    kept = cycled(dropped, edge(dropped), keys, confirmed)

    assert (SUSPECT, Decision.DROP) in cycled(review, provider, keys, confirmed).made
    assert {decision for _, decision in kept.made} == {Decision.KEEP}
    assert SUSPECT not in [key for key, _ in kept.made]
    assert "1 passed over: a finding is kept one by one only" in kept.told


def test_accepting_takes_what_is_new_and_names_the_findings_that_it_leaves() -> None:
    review = audited()
    act = accepted(review, [edge(review)], review)

    assert {key.hash for key, _ in act.made} == {EDGE.zh("linux_arm64").text, EDGE.zh("darwin_amd64").text}
    assert {decision for _, decision in act.made} == {Decision.ADD}
    assert act.told == "2 hashes accepted; 1 finding not, which are decided one by one"


def test_accepting_for_all_counts_the_providers() -> None:
    review = audited()

    assert accepted(review, review.providers, review).told.startswith(
        "7 hashes of 2 providers accepted; 2 findings not"
    )


def test_accepting_nothing_says_so() -> None:
    review = took(audited(), accepted(audited(), audited().providers, audited()))

    assert accepted(review, [review.provider(RELAY.address)], review) == Act(
        made=(), told="nothing is suggested; 1 finding not, which are decided one by one"
    )


def test_accepting_while_providers_wait_says_so() -> None:
    waiting = Review.start(WORLD.lock_file(), settings=ClientSettings(), platforms=())

    assert accepted(waiting, waiting.providers, waiting).told == "nothing is suggested; 6 providers not audited yet"


def test_no_bulk_decision_ever_adds_or_keeps_a_finding() -> None:
    review = audited()
    findings = {
        HashKey.of(each.address, row.hash) for each in review.providers for row in each.rows if row.verdict.is_finding
    }

    assert len(findings) == 2
    assert not findings & {key for key, _ in accepted(review, review.providers, review).made}


def test_findings_that_stay_are_named_until_they_are_dropped() -> None:
    review = audited()
    first = {each.key: (each.decision, each.made) for each in remaining(review)}
    dropped = took(review, cycled(review, edge(review), (), SUSPECT))
    kept = took(dropped, cycled(dropped, edge(dropped), (), SUSPECT))

    assert first == {
        SUSPECT: (Decision.UNDECIDED, False),
        HashKey.of(RELAY.address, MADE_UP): (Decision.UNDECIDED, False),
    }
    assert SUSPECT not in {each.key for each in remaining(dropped)}
    assert {each.key: each.made for each in remaining(kept)}[SUSPECT] is True


def test_an_addition_that_no_rule_would_record_is_named() -> None:
    review = audited()
    offered = next(row for row in edge(review).rows if row.verdict is Verdict.OFFERED)
    key = HashKey.of(EDGE.address, offered.hash)
    added = took(review, cycled(review, edge(review), (), key))

    assert [each.verdict for each in remaining(added) if each.key == key] == [Verdict.OFFERED]


def test_what_waits_for_its_audit_is_no_finding_yet() -> None:
    assert remaining(Review.start(WORLD.lock_file(), settings=ClientSettings(), platforms=())) == ()


def test_a_hash_of_another_scheme_is_not_suggested() -> None:
    review = audited()

    assert Hash("md5:x").text not in {
        key.hash for key, _ in accepted(review, [review.provider(NULL.address)], review).made
    }


def alarmed() -> tuple[Review, ProviderReview]:
    review = held()
    return review, review.provider(KILN.address)


def chosen(provider: ProviderReview, *hashes: Hash) -> ReviewState:
    """The state with the provider selected, and a range from the first of two hashes to the second."""
    keys = [HashKey.of(provider.address, each) for each in hashes]
    rows = [HashKey.of(provider.address, row.hash) for row in provider.rows]
    begin, end = (rows.index(keys[0]), rows.index(keys[-1])) if len(keys) > 1 else (0, -1)
    marks = frozenset(rows[begin : end + 1])
    return ReviewState(provider=provider.address, hash=keys[-1], anchor=keys[0] if marks else None, marks=marks)


def test_of_a_provider_whose_signing_key_changed_nothing_is_accepted_together() -> None:
    review, provider = alarmed()
    keys = keys_of(provider, provider.rows)
    dropped = cycled(review, provider, keys, keys[0])
    kept = cycled(took(review, dropped), provider, keys, keys[0])
    alone = cycled(took(review, dropped), provider, (), keys[0])

    assert {decision for _, decision in dropped.made} == {Decision.DROP}
    assert kept.made == ()
    assert alone.made == ((keys[0], Decision.KEEP),)
    assert accepted(review, [provider], review).made == ()
    assert "1 provider not, since the signing key has changed" in accepted(review, [provider], review).told


def test_additions_of_an_alarmed_provider_are_passed_over_in_a_range_and_named() -> None:
    review = held(keeper(policy=POLICY.replace(b"/acme/*", b"/acme/gauge").replace(b"6A1B", b"0A1B")))
    gauge = review.provider(GAUGE.address)
    offered = [HashKey.of(gauge.address, row.hash) for row in gauge.rows if not row.locked]
    act = cycled(review, gauge, offered, offered[0])

    assert gauge.alarmed
    assert act.made == ()
    assert "the signing key has changed, so each is decided alone" in act.told


def test_an_approved_finding_is_not_left_to_think_of() -> None:
    accepted_one = held(keeper(approvals=record(ANVIL, MADE_UP)))

    assert MADE_UP.text in {each.key.hash for each in remaining(held())}
    assert MADE_UP.text not in {each.key.hash for each in remaining(accepted_one)}


def test_a_record_can_accept_unexplained_hashes_and_additions_never_disowned_or_signed_ones() -> None:
    review = held()
    anvil, gauge = review.provider(ANVIL.address), review.provider(GAUGE.address)
    back = HashKey.of(gauge.address, GAUGE.h1("linux_amd64"))
    added = review.with_decisions(review.decisions.decide([(back, Decision.ADD)]))
    disowned = audited()

    assert [row.hash for row in recordable(review, chosen(anvil, MADE_UP))] == [MADE_UP]
    assert recordable(review, chosen(anvil, ANVIL.zh("linux_amd64"))) == ()
    assert recordable(review, chosen(gauge, GAUGE.h1("linux_amd64"))) == ()
    assert [row.hash for row in recordable(added, chosen(gauge, GAUGE.h1("linux_amd64")))] == [GAUGE.h1("linux_amd64")]
    assert recordable(disowned, chosen(edge(disowned), PLANTED)) == ()
    assert recordable(review, ReviewState()) == ()


def test_a_marked_range_is_recorded_together_but_not_where_the_signing_key_changed() -> None:
    review, kiln = alarmed()
    anvil = review.provider(ANVIL.address)
    whole = chosen(anvil, anvil.rows[0].hash, anvil.rows[-1].hash)

    assert [row.hash for row in recordable(review, whole)] == [MADE_UP]
    assert recordable(review, chosen(kiln, kiln.rows[0].hash, kiln.rows[1].hash)) == ()
    assert len(recordable(review, chosen(kiln, kiln.rows[0].hash))) == 1


def test_a_hash_without_a_signature_can_be_recorded_where_the_policy_requires_one() -> None:
    unsigned = replace(
        changed().audits[1],
        findings=tuple(
            replace(each, signatures=(), observations=tuple(o for o in each.observations if o[1].kind != "signed by"))
            for each in changed().audits[1].findings
        ),
    )
    required = b'require {\n  providers = ["*/*/*"]\n  signed    = true\n}\n'
    for policy, expected in ((required, [ANVIL.zh("linux_amd64")]), (b"", [])):
        review = held(keeper(policy=policy)).with_audit(unsigned)
        anvil = review.provider(ANVIL.address)
        assert anvil.counts[Verdict.CONFIRMED]
        assert [row.hash for row in recordable(review, chosen(anvil, ANVIL.zh("linux_amd64")))] == expected


def test_what_nobody_has_seen_is_not_accepted() -> None:
    review = audited()
    waiting = not_audited()

    assert accepted(review, review.providers, None).made == ()
    assert accepted(review, review.providers, waiting).told.startswith("nothing more is suggested; ")
    assert accepted(review, review.providers, waiting).told.endswith("7 came in just now")


def test_a_hash_stands_as_it_was_seen_while_its_verdict_is_the_same() -> None:
    review, waiting = audited(), not_audited()
    key = HashKey.of(EDGE.address, PLANTED)
    gone = HashKey.of(EDGE.address, Hash("zh:gone"))

    assert as_seen(review, review.with_decisions(review.decisions.decide([(key, Decision.DROP)])), [key])
    assert as_seen(review, waiting, [gone])
    assert not as_seen(waiting, review, [key])
    assert not as_seen(None, review, [])
    assert not as_seen(audited(), replace(review, providers=()), [key])

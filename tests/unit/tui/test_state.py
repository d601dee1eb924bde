"""Where a person is in the review: selection by name, arrangement, marks, findings."""

from __future__ import annotations

from fakes.lock_files import CLOUD, EDGE, MADE_UP, NULL, PLANTED, RANDOM, RELAY, TIME, every_verdict
from msgspec.structs import replace

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of, row_of
from lockwarden.core.values.clients import ClientSettings
from lockwarden.tui.state import review_state as state
from lockwarden.tui.state.filters import parse_filter
from lockwarden.tui.state.review_state import Pane, ReviewState

WORLD = every_verdict()


def waiting() -> Review:
    return Review.start(WORLD.lock_file(), settings=ClientSettings(), platforms=EDGE.platforms[:1])


def audited() -> Review:
    review = waiting()
    for audit in WORLD.audits:
        review = review.with_audit(audit)
    return review


def begun(review: Review) -> ReviewState:
    return state.arranged(ReviewState(), review)


def test_before_the_audit_providers_stand_by_name() -> None:
    order = begun(waiting()).order

    assert order == (RANDOM.address, NULL.address, RELAY.address, TIME.address, CLOUD.address, EDGE.address)


def test_after_the_audit_the_worst_stands_first_and_is_selected() -> None:
    now = begun(audited())

    assert now.order[0] == EDGE.address
    assert now.order == (EDGE.address, RELAY.address, CLOUD.address, NULL.address, RANDOM.address, TIME.address)
    assert now.provider == EDGE.address
    assert now.hash == HashKey.of(EDGE.address, PLANTED)


def test_what_a_person_selected_stays_selected_when_the_audit_ends() -> None:
    before = state.with_provider(begun(waiting()), waiting(), TIME.address)
    chosen = before.hash
    after = state.arranged(before, audited())

    assert after.order != before.order
    assert (after.provider, after.hash) == (TIME.address, chosen)


def test_the_order_does_not_change_while_results_arrive() -> None:
    before = begun(waiting())
    review = waiting().with_audit(WORLD.audits[4])

    assert state.settled(before, review).order == before.order


def test_the_selected_hash_stays_when_its_rows_settle() -> None:
    review = waiting()
    before = state.with_provider(begun(review), review, EDGE.address)
    before = state.with_hash(before, review, HashKey.of(EDGE.address, EDGE.h1("darwin_arm64")))
    after = state.settled(before, audited())

    assert after.hash == before.hash


def test_a_hash_that_is_gone_gives_way_to_the_first_row() -> None:
    review = audited()
    here = replace(begun(review), touched=True, hash=HashKey(str(EDGE.address), "zh:gone"))

    assert state.settled(here, review).hash == HashKey.of(EDGE.address, PLANTED)


def test_selecting_the_same_provider_again_keeps_the_hash() -> None:
    review = audited()
    here = state.with_hash(begun(review), review, HashKey.of(EDGE.address, EDGE.manifest))

    assert state.with_provider(here, review, EDGE.address).hash == here.hash
    assert state.with_provider(here, review, TIME.address).hash != here.hash


def test_a_filter_that_lets_nothing_through_selects_nothing() -> None:
    review = audited()
    here = state.with_filter(begun(review), review, parse_filter("nonsense"))

    assert (here.provider, here.hash) == (None, None)
    assert state.selected_provider(here, review) is None
    assert state.selected_row(here, review) is None
    assert state.visible_providers(here, review) == ()
    assert state.marked(here, review) == ()


def test_a_filter_narrows_providers_and_rows() -> None:
    review = audited()
    here = state.with_filter(begun(review), review, parse_filter("verdict:unexplained"))

    assert [each.address for each in state.visible_providers(here, review)] == [RELAY.address]
    assert here.hash == HashKey.of(RELAY.address, MADE_UP)
    rows = state.visible_rows(here, review.provider(RELAY.address))
    assert [row.hash for row in rows] == [MADE_UP]


def test_the_state_without_a_review_selects_nothing() -> None:
    review = audited()

    assert state.selected_provider(ReviewState(), review) is None
    assert state.selected_row(ReviewState(), review) is None


def test_a_row_is_found_by_its_key_alone() -> None:
    provider = audited().provider(EDGE.address)

    assert row_of(provider, HashKey.of(EDGE.address, PLANTED)) is not None
    assert row_of(provider, HashKey.of(TIME.address, PLANTED)) is None
    assert row_of(provider, HashKey.of(EDGE.address, MADE_UP)) is None


def test_a_mark_covers_everything_between_it_and_the_selection_in_both_directions() -> None:
    review = audited()
    keys = keys_of(review.provider(EDGE.address), review.provider(EDGE.address).rows)
    here = state.with_mark(state.with_hash(begun(review), review, keys[4]))

    assert state.marked(here, review) == (keys[4],)
    assert state.marked(state.with_hash(here, review, keys[6]), review) == keys[4:7]
    assert state.marked(state.with_hash(here, review, keys[1]), review) == keys[1:5]
    assert state.marked(state.with_mark(here), review) == ()


def test_rows_that_came_between_marked_ones_are_not_marked_by_moving_on() -> None:
    before, after = waiting(), audited()
    first, *_, last = keys_of(before.provider(EDGE.address), before.provider(EDGE.address).rows)
    here = state.with_hash(state.with_provider(begun(before), before, EDGE.address), before, first)
    here = state.with_hash(state.with_mark(here), before, last)
    marks = here.marks
    rows = keys_of(after.provider(EDGE.address), after.provider(EDGE.address).rows)
    here = state.settled(here, after)

    assert set(rows) > marks
    assert set(state.marked(here, after)) == marks
    at = rows.index(last)
    on = rows[at + 1] if at + 1 < len(rows) else rows[at - 1]
    assert set(state.marked(state.with_hash(here, after, on), after)) <= marks | {on}


def test_moving_back_gives_up_what_was_passed() -> None:
    review = audited()
    keys = keys_of(review.provider(EDGE.address), review.provider(EDGE.address).rows)
    here = state.with_mark(state.with_hash(begun(review), review, keys[2]))
    there = state.with_hash(state.with_hash(here, review, keys[6]), review, keys[3])

    assert state.marked(there, review) == keys[2:4]
    assert state.marked(state.with_hash(there, review, keys[0]), review) == keys[:3]


def test_a_range_ends_when_the_cursor_is_put_elsewhere() -> None:
    review = audited()
    keys = keys_of(review.provider(EDGE.address), review.provider(EDGE.address).rows)
    here = state.with_mark(state.with_hash(begun(review), review, keys[2]))
    gone = state.settled(replace(here, hash=HashKey(str(EDGE.address), "zh:gone")), review)

    assert (gone.anchor, state.marked(gone, review)) == (None, ())
    assert state.with_hash(here, review, HashKey("x", "zh:y")).marks == {keys[2]}


def test_a_mark_ends_with_its_provider_and_when_it_is_filtered_away() -> None:
    review = audited()
    here = state.with_mark(begun(review))

    assert state.with_provider(here, review, TIME.address).anchor is None
    assert state.with_filter(here, review, parse_filter("verdict:new")).anchor is None
    assert state.marked(state.settled(replace(here, anchor=HashKey("x", "zh:y")), review), review) == ()


def test_the_why_pane_goes_on_speaking_of_what_was_looked_at() -> None:
    here = state.with_pane(ReviewState(), Pane.PROVIDERS)

    assert here.subject is Pane.PROVIDERS
    assert state.with_pane(here, Pane.WHY).subject is Pane.PROVIDERS
    assert state.with_pane(here, Pane.HASHES).subject is Pane.HASHES


def test_findings_are_visited_in_order_and_around() -> None:
    review = audited()
    here = state.with_provider(begun(review), review, TIME.address)
    first = state.with_next_finding(here, review, step=1)
    second = state.with_next_finding(first, review, step=1)

    assert first.hash == HashKey.of(EDGE.address, PLANTED)
    assert second.hash == HashKey.of(RELAY.address, MADE_UP)
    assert (second.provider, second.pane) == (RELAY.address, Pane.HASHES)
    assert state.with_next_finding(second, review, step=1).hash == first.hash
    assert state.with_next_finding(second, review, step=-1).hash == first.hash
    assert state.with_next_finding(first, review, step=-1).hash == second.hash


def test_a_provider_that_is_objected_to_without_a_finding_is_visited_itself() -> None:
    lock_file = WORLD.lock_file()
    bare = replace(lock_file, providers=(replace(lock_file.providers[0], hashes=()), *lock_file.providers[1:]))
    review = Review.start(bare, settings=ClientSettings(), platforms=EDGE.platforms[:1])
    here = state.with_next_finding(begun(review), review, step=1)

    assert (here.provider, here.pane, here.subject) == (bare.providers[0].address, Pane.PROVIDERS, Pane.PROVIDERS)
    assert state.has_finding(here, review)


def test_without_a_finding_nothing_moves() -> None:
    review = waiting()
    here = begun(review)

    assert state.with_next_finding(here, review, step=1) is here
    assert not state.has_finding(here, review)


def test_findings_are_looked_for_from_outside_of_what_is_shown() -> None:
    review = audited()
    lost = replace(begun(review), provider=None, hash=None)

    assert state.with_next_finding(lost, review, step=1).hash == HashKey.of(EDGE.address, PLANTED)
    assert state.with_next_finding(lost, review, step=-1).hash == HashKey.of(RELAY.address, MADE_UP)

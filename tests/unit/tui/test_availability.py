"""Which actions mean something, and the reasons of those that do not."""

from __future__ import annotations

import pytest
from builders.reading import SECOND_READER, parse
from fakes.lock_files import EDGE, HEADER, HOST, PLANTED, RELAY, block
from fakes.releases import audit, origin, release
from fakes.sessions import EMPTY, SETTINGS, audited, begun, decided, heard, review_of
from msgspec.structs import replace

from lockwarden.core.evidence.events import ProviderAudited
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.hashes import Hash
from lockwarden.tui.screens.bindings import GROUPS, REVIEW_BINDINGS
from lockwarden.tui.state import review_state as state
from lockwarden.tui.state import session
from lockwarden.tui.state.availability import why_not
from lockwarden.tui.state.filters import parse_filter
from lockwarden.tui.state.placeholders import loading
from lockwarden.tui.state.review_state import Pane, ReviewState
from lockwarden.tui.state.session import Session

SUSPECT = HashKey.of(EDGE.address, PLANTED)
NAMES = {key.action.partition("(")[0] for key in REVIEW_BINDINGS}


def at(now: Session) -> ReviewState:
    return state.arranged(ReviewState(), review_of(now))


def test_every_key_has_a_public_name_a_sentence_and_at_most_two_words() -> None:
    for key in REVIEW_BINDINGS:
        assert key.id is not None
        assert key.id.startswith("review.")
        assert key.tooltip
        assert 1 <= len(key.description.split()) <= 2
        assert key.group in GROUPS
        assert not key.priority


def test_no_key_stands_twice() -> None:
    keys = [each for key in REVIEW_BINDINGS for each in key.key.split(",")]

    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("action", sorted(NAMES - {"back", "help", "leave", "ask_again"}))
def test_without_a_review_only_help_leaving_and_asking_again_mean_something(action: str) -> None:
    assert why_not(action, EMPTY, ReviewState()) == "there is no review yet"
    assert why_not(action, session.with_placeholder(audited(), loading("x")), at(audited())) == "there is no review yet"


@pytest.mark.parametrize("action", ["back", "help", "leave", "ask_again"])
def test_help_leaving_and_asking_again_always_mean_something(action: str) -> None:
    assert not why_not(action, EMPTY, ReviewState())
    assert not why_not(action, audited(), at(audited()))


def test_asking_again_waits_for_the_audit() -> None:
    running = session.restarted(begun())

    assert why_not("ask_again", running, at(running)) == "the audit is still running; ⟨back⟩ cancels it"


@pytest.mark.parametrize("action", sorted(NAMES - {"undo", "redo", "diff", "write", "changes_only", "record"}))
def test_on_a_finding_nearly_everything_means_something(action: str) -> None:
    assert not why_not(action, audited(), at(audited()))


def test_a_provider_that_waits_cannot_be_decided() -> None:
    now = begun()

    assert "not audited yet" in why_not("decide", now, at(now))
    assert why_not("accept", now, at(now)) == "nothing is suggested for this provider"
    assert why_not("accept_all", now, at(now)) == "nothing is suggested for any provider"
    assert why_not("finding", now, at(now)) == "there is no finding here"


def test_undo_and_redo_need_something_to_go_to() -> None:
    now = audited()
    done = decided(now, (SUSPECT, Decision.DROP))
    undone = session.decided(done, review_of(done).decisions.undo())

    assert why_not("undo", now, at(now)) == "nothing was decided yet"
    assert why_not("redo", done, at(done)) == "nothing was undone"
    assert not why_not("undo", done, at(done))
    assert not why_not("redo", undone, at(undone))


@pytest.mark.parametrize("action", ["diff", "write"])
def test_writing_needs_a_change(action: str) -> None:
    assert why_not(action, audited(), at(audited())) == "no decision changes the lock file yet"
    assert not why_not(action, decided(audited(), (SUSPECT, Decision.DROP)), at(audited()))


@pytest.mark.parametrize("action", ["decide", "mark", "copy"])
def test_with_nothing_selected_nothing_can_be_decided(action: str) -> None:
    now = audited()
    nowhere = state.with_filter(at(now), review_of(now), parse_filter("nonsense"))

    assert why_not(action, now, nowhere) == "no hash is selected"


def test_nothing_is_suggested_for_a_provider_without_new_hashes() -> None:
    now = audited()
    there = state.with_provider(at(now), review_of(now), RELAY.address)

    assert why_not("accept", now, there) == "nothing is suggested for this provider"
    assert why_not("accept", now, replace(there, provider=None)) == "nothing is suggested for this provider"


def test_a_hash_that_can_never_match_cannot_be_added() -> None:
    made = release(f"{HOST}/acme/odd", "1.0.0", platforms=["linux_amd64"])
    said = origin(made)
    odd = replace(said, observations=((Hash("md5:x"), said.observations[0][1]), *said.observations))
    lock_file = parse((HEADER + block(str(made.address), "1.0.0", [made.manifest])).encode(), path="x")
    now = heard(session.opened(EMPTY, lock_file, SETTINGS), ProviderAudited(audit=audit(made, odd)))
    there = state.with_hash(at(now), review_of(now), HashKey(str(made.address), "md5:x"))

    assert "can never match" in why_not("decide", now, there)


@pytest.mark.parametrize("action", ["decide", "record", "mark", "copy"])
@pytest.mark.parametrize("pane", [Pane.PROVIDERS, Pane.WHY])
def test_while_the_provider_is_looked_at_nothing_is_about_a_hash(action: str, pane: Pane) -> None:
    now = audited()
    looking = state.with_pane(state.with_pane(at(now), Pane.PROVIDERS), pane)

    assert "the provider has the focus" in why_not(action, now, looking)
    assert "the provider has the focus" not in why_not(action, now, state.with_pane(looking, Pane.HASHES))


def test_of_each_hash_that_cannot_be_recorded_it_is_told_why() -> None:
    told: dict[Verdict, set[str]] = {}
    now = audited()
    review = review_of(now)
    for provider in review.providers:
        for row in provider.rows:
            beside = state.with_provider(at(now), review, provider.address)
            there = state.with_hash(beside, review, HashKey.of(provider.address, row.hash))
            told.setdefault(row.verdict, set()).add(why_not("record", now, there))

    assert told == {
        Verdict.UNEXPLAINED: {""},
        Verdict.DISOWNED: {"a record never accepts a disowned hash: drop it"},
        Verdict.UNCHECKED: {
            "of an unchecked hash nobody knows yet what a record would accept: settle that first",
        },
        Verdict.CONFIRMED: {
            "this hash is confirmed and the policy requires no more, so there is nothing to record",
        },
        Verdict.NEW: {"this hash is neither in the lock file nor to be added, so there is nothing to record"},
        Verdict.OFFERED: {"this hash is neither in the lock file nor to be added, so there is nothing to record"},
    }


def test_of_a_range_without_anything_to_record_it_is_told_what_a_record_accepts() -> None:
    now = audited()
    there = state.with_provider(at(now), review_of(now), RELAY.address)
    confirmed = [HashKey.of(RELAY.address, each) for each in (RELAY.zh("linux_amd64"), RELAY.zh("darwin_arm64"))]
    ranged = state.with_mark(state.with_hash(there, review_of(now), confirmed[0]))

    assert "none of these hashes can be recorded" in why_not(
        "record", now, state.with_hash(ranged, review_of(now), confirmed[1])
    )


def test_undo_reaches_behind_a_write_while_the_file_is_what_was_written() -> None:
    now = decided(audited(), (SUSPECT, Decision.DROP))
    after = parse(review_of(now).next_lock_file(SECOND_READER), path="x.hcl")
    written = session.written(now, after, SETTINGS)
    last = written.retractable

    assert last is not None
    assert last.before == review_of(now).lock_file.data
    assert not why_not("undo", written, at(written))
    other = session.opened(written, parse(after.data + b"# another\n", path="x.hcl"), SETTINGS)
    assert why_not("undo", other, at(other)).startswith("the lock file is no longer what was written")

    back = session.taken_back(session.written(written, review_of(now).lock_file, SETTINGS), last)
    assert review_of(back).decisions == review_of(now).decisions
    assert back.last_write is None


def test_what_is_written_without_a_review_before_cannot_be_taken_back() -> None:
    assert session.written(EMPTY, review_of(audited()).lock_file, SETTINGS).last_write is None

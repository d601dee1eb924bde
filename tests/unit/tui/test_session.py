"""The steps from one moment of the app to the next."""

from __future__ import annotations

from builders.reading import SECOND_READER, parse
from fakes.lock_files import EDGE, HEADER, NULL, PLANTED, RELAY, every_verdict
from fakes.running import AUTO, LINUX, SOURCES
from fakes.sessions import EVENTS, SETTINGS, audited, begun, decided, heard, review_of
from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.errors import ToolError
from lockwarden.tui.state import session
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.state.session import Session

WORLD = every_verdict()
SUSPECT = HashKey.of(EDGE.address, PLANTED)


def test_a_lock_file_without_providers_has_a_face_that_says_what_to_do() -> None:
    now = session.opened(Session(sources=SOURCES, platforms=AUTO), parse(HEADER.encode(), path="x.hcl"), SETTINGS)

    assert now.placeholder is not None
    assert "locks no provider" in now.placeholder.title
    assert "tofu providers lock" in now.placeholder.rows[0][1]


def test_events_fill_the_review_and_the_progress() -> None:
    now = audited()

    assert now.progress.phase is Phase.FINISHED
    assert review_of(now).counts[Verdict.DISOWNED] == 1
    assert not any(each.waiting for each in review_of(now).providers)


def test_starting_anew_forgets_what_was_found_and_keeps_what_was_decided() -> None:
    now = session.restarted(decided(audited(), (SUSPECT, Decision.DROP)))

    assert all(each.waiting for each in review_of(now).providers)
    assert review_of(now).decisions.of(SUSPECT) is Decision.DROP
    assert now.progress.running
    assert session.restarted(Session(sources=SOURCES, platforms=AUTO)).review is None


def test_an_audit_that_failed_says_why_until_the_next_one() -> None:
    failure = ToolError("gpg is missing", hint="install it")
    now = session.ended(audited(), Phase.FAILED, failure)

    assert now.failure is failure
    assert now.progress.phase is Phase.FAILED
    assert session.restarted(now).failure is None


def test_only_decisions_that_change_the_file_would_be_lost() -> None:
    now = audited()

    assert not now.unwritten
    assert not Session(sources=SOURCES, platforms=AUTO).unwritten
    assert not decided(now, (SUSPECT, Decision.KEEP)).unwritten
    assert decided(now, (SUSPECT, Decision.DROP)).unwritten
    assert not decided(now, (HashKey("nobody/a/b", "zh:x"), Decision.DROP)).unwritten


def test_deciding_without_a_review_changes_nothing() -> None:
    empty = Session(sources=SOURCES, platforms=AUTO)

    assert session.decided(empty, Decisions()) is empty


def test_after_writing_the_audits_stay_and_what_was_written_is_done_with() -> None:
    new = HashKey.of(NULL.address, NULL.zh("linux_arm64"))
    stays = HashKey.of(RELAY.address, next(r.hash for r in review_of(audited()).provider(RELAY.address).rows))
    before = decided(audited(), (SUSPECT, Decision.DROP), (new, Decision.ADD), (stays, Decision.KEEP))
    lock_file = parse(review_of(before).next_lock_file(SECOND_READER), path="x.hcl")
    after = review_of(session.written(before, lock_file, SETTINGS))

    verdicts = {row.hash.text: row.verdict for row in after.provider(NULL.address).rows}
    assert verdicts[new.hash] is Verdict.CONFIRMED
    assert PLANTED not in {row.hash for row in after.provider(EDGE.address).rows}
    assert dict(after.decisions.made) == {stays: Decision.KEEP}
    assert not after.decisions.past
    assert not after.changes


def test_after_writing_an_audit_of_another_version_does_not_count() -> None:
    before = audited()
    text = WORLD.data.replace(b'version     = "0.9.1"', b'version     = "0.9.2"')
    after = review_of(session.written(before, parse(text, path="x.hcl"), SETTINGS))

    assert after.provider(RELAY.address).waiting
    assert not after.provider(EDGE.address).waiting


def test_with_every_platform_the_packages_of_all_of_them_are_wanted() -> None:
    every = replace(begun(), platforms=PlatformChoice(wanted=frozenset({LINUX}), every=True))
    wide = review_of(heard(every, *EVENTS)).provider(EDGE.address)
    narrow = review_of(audited()).provider(EDGE.address)

    assert wide.counts[Verdict.NEW] >= narrow.counts[Verdict.NEW]
    assert review_of(heard(every, *EVENTS)).platforms == {LINUX}


def test_another_choice_replaces_only_what_is_given() -> None:
    now = begun()

    assert session.with_choice(now, None, None) == now
    assert session.with_choice(now, SOURCES[:1], None).sources == SOURCES[:1]
    assert session.with_choice(now, None, PlatformChoice(wanted=frozenset())).platforms.wanted == frozenset()

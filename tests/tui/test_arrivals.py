"""Results that arrive between a look and a key: a decision reaches what was marked and seen, and nothing else."""

from __future__ import annotations

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import EDGE, NULL, PLANTED, every_verdict
from fakes.running import Disk, PreparedAudit

from lockwarden.core.evidence.events import ProviderAudited
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.attention import JUST_CHANGED
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.state import files
from lockwarden.tui.state.review_state import marked

SUSPECT = HashKey.of(EDGE.address, PLANTED)


def waiting(*, disk: Disk | None = None) -> tuple[PreparedAudit, LockwardenApp]:
    audit = PreparedAudit(every_verdict().audits, held=True, held_after=0)
    return audit, app_of(every_verdict(), audit=audit, disk=disk)


async def at(d: Driver, key: HashKey) -> None:
    """Select a hash, as a person does."""
    await d.press("h", "g")
    while str(d.state.provider) != key.address:
        await d.press("j")
    await d.press("l", "g")
    while d.state.hash != key:
        await d.press("j")


async def at_the_gate(d: Driver, audit: PreparedAudit) -> None:
    await d.until_held(audit)
    await d.until(lambda: d.review_screen.attention.seen is d.app.session.review)


async def all_arrived(d: Driver, audit: PreparedAudit) -> None:
    audit.gate.set()
    await d.settle()


def everything_arrives_just_now(d: Driver) -> None:
    """Show the results of all providers, and give a person no time to see them."""
    d.app.reaction = 3600
    told = [ProviderAudited(audit=each) for each in every_verdict().audits]
    d.app.show(files.after_events(d.app.files, d.review.settings, told))


async def time_passes(d: Driver) -> None:
    """Let a person see what is on the screen."""
    d.app.reaction = 0
    d.review_screen.results_arrived()
    await d.handled()


def test_a_marked_range_is_what_was_marked_however_many_results_arrive() -> None:
    audit, app = waiting()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await at(d, HashKey.of(EDGE.address, EDGE.h1("linux_amd64")))
        await d.press("g", "x", "G")
        before = frozenset(marked(d.state, d.review))
        assert len(before) == len(d.provider.rows)
        await all_arrived(d, audit)
        assert len(d.provider.rows) > len(before)
        assert frozenset(marked(d.state, d.review)) == before
        await d.press("space")
        assert d.review.decisions.made
        assert d.review.decisions.made.keys() <= before

    drive(app, scenario, settled=False)


def test_moving_on_marks_no_row_that_came_between_those_that_were_passed() -> None:
    audit, app = waiting()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await at(d, SUSPECT)
        await d.press("g", "x", "j", "j")
        before = frozenset(marked(d.state, d.review))
        await all_arrived(d, audit)
        here = d.state.hash
        await d.press("j")
        after = frozenset(marked(d.state, d.review))
        assert after <= before | {here, d.state.hash}

    drive(app, scenario, settled=False)


def test_a_key_that_was_pressed_before_results_were_drawn_decides_nothing() -> None:
    audit, app = waiting()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await at(d, SUSPECT)
        everything_arrives_just_now(d)
        await d.press("space")
        assert JUST_CHANGED in d.text
        assert not d.review.decisions.made
        await time_passes(d)
        await d.press("space")
        assert d.decided(SUSPECT) is Decision.DROP

    drive(app, scenario, settled=False)


def test_what_nobody_had_the_time_to_see_is_not_decided() -> None:
    audit, app = waiting()
    app.reaction = 3600

    async def scenario(d: Driver) -> None:
        await all_arrived(d, audit)
        for key in ("space", "a", "A"):
            await d.press(key)
        assert not d.review.decisions.made

    drive(app, scenario, settled=False)


def test_what_is_accepted_was_suggested_when_the_key_was_pressed() -> None:
    audit, app = waiting()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        everything_arrives_just_now(d)
        await d.press("A")
        assert "came in just now" in d.text
        assert not d.review.decisions.made
        await time_passes(d)
        await d.press("A")
        assert d.decided(HashKey.of(NULL.address, NULL.zh("linux_arm64"))) is Decision.ADD

    drive(app, scenario, settled=False)


def test_the_palette_decides_what_was_seen_before_it_was_opened() -> None:
    audit, app = waiting()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await at(d, SUSPECT)
        await d.open_palette("keep, add, drop", "Decide this hash or the marked range: keep, add, drop")
        everything_arrives_just_now(d)
        await d.handled()
        await d.press("enter")
        await d.until_shown(JUST_CHANGED)
        assert not d.review.decisions.made

    drive(app, scenario, settled=False)


async def a_decision_is_about_the_hash_that_the_cursor_was_moved_to_just_before(d: Driver) -> None:
    d.hit("j", "space")
    await d.until(lambda: d.review.decisions.made)
    assert set(d.review.decisions.made) == {HashKey.of(EDGE.address, d.provider.rows[1].hash)}


async def the_details_of_a_hash_decide_that_hash_alone(d: Driver) -> None:
    await d.press("x", "j", "j", "enter")
    assert d.shows(DetailScreen)
    await d.press("space")
    assert set(d.review.decisions.made) == {d.state.hash}


def test_what_changed_while_the_difference_was_looked_at_is_looked_at_again() -> None:
    disk = Disk(every_verdict().data)
    audit = PreparedAudit(every_verdict().audits[4:], held=False)
    app = app_of(every_verdict(), audit=audit, disk=disk)

    async def scenario(d: Driver) -> None:
        await at(d, SUSPECT)
        await d.press("space", "w")
        assert d.shows(DiffScreen)
        everything_arrives_just_now(d)
        await d.press("right", "enter")
        assert d.shows(DiffScreen)
        assert CHANGED_MEANWHILE in d.prose
        assert not disk.saved
        await d.press("right", "enter")
        await d.until(lambda: d.shows(ReviewScreen) and disk.saved)

    drive(app, scenario)


def test_several_files_are_written_as_they_were_looked_at() -> None:
    from fakes.many_files import FilesOnDisk, drop_the_planted_hash, files_app, repository

    disk = FilesOnDisk(dict(repository()))
    app = files_app(disk)

    async def scenario(d: Driver) -> None:
        await d.press("enter")
        await drop_the_planted_hash(d)
        await d.press("q", "w")
        await d.until_shown("Writing adds")
        path, review = next((each, d.app.files.sessions[each].review) for each in d.app.files.unwritten)
        assert review is not None
        d.app.show(files.decided(d.app.files, path, review.decisions.undo())[0])
        await d.press("right", "enter")
        await d.settle()
        assert not disk.saved

    drive(app, scenario)


def test_what_is_known_already_is_decided_as_it_stands() -> None:
    drive(
        app_of(every_verdict()),
        a_decision_is_about_the_hash_that_the_cursor_was_moved_to_just_before,
        the_details_of_a_hash_decide_that_hash_alone,
    )

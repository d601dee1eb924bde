"""Nothing is lost unsaid: decisions, sources that were put together, and the work of an audit."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict
from fakes.running import NOW, Disk, PreparedAudit
from msgspec.structs import replace
from textual.events import Paste
from textual.widgets import Input

from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.choice import ChoiceScreen, LeaveScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.sources import SourcesScreen
from lockwarden.tui.state.progress import Phase

MIRROR = "https://new.example.test/"


@pytest.mark.parametrize(
    "size", [(60, 20), *(pytest.param(each, marks=pytest.mark.thorough) for each in ((80, 24), (120, 40)))]
)
def test_decisions_that_are_not_written_are_always_on_the_screen(size: tuple[int, int]) -> None:
    async def scenario(d: Driver) -> None:
        assert "unwritten" not in d.text
        await d.press("space")
        assert "● 1 decision unwritten" in d.text
        assert "disowned" in d.text
        await d.press("d")
        assert d.shows(DiffScreen)
        await d.press("escape", "z")
        assert "unwritten" not in d.text

    drive(app_of(every_verdict()), scenario, size=size)


def test_leaving_offers_to_write_to_leave_and_to_stay_and_each_key_does_what_it_says() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await d.press("space", "q")
        assert d.shows(LeaveScreen)
        assert "1 decision would be lost" in d.text
        for told in ("Stay (esc)", "Write (w)", "Leave (y)"):
            assert told in d.text
        await d.press("enter")
        assert d.shows(ReviewScreen)
        await d.press("q", "escape")
        assert d.shows(ReviewScreen)
        await d.press("q", "w")
        assert d.shows(DiffScreen)
        await d.press("escape", "q", "y")
        await d.settle()

    assert drive(app_of(every_verdict(), disk=disk), scenario) == 1
    assert not disk.saved


async def esc_in_a_line_of_the_sources_leaves_the_line(d: Driver) -> None:
    await d.press("s", "i")
    assert isinstance(d.screen.focused, Input)
    await d.press("escape")
    assert d.shows(SourcesScreen)
    assert not isinstance(d.screen.focused, Input)
    await d.press("escape")
    assert d.shows(ReviewScreen)


async def what_is_typed_or_pasted_beside_the_line_lands_in_it(d: Driver) -> None:
    await d.press("s", "h")
    assert isinstance(d.screen.focused, Input)
    assert d.screen.focused.value == "h"
    await d.fill("")
    await d.press("escape")
    d.app.post_message(Paste(f"{MIRROR}\n"))
    await d.handled()
    assert isinstance(d.screen.focused, Input)
    assert d.screen.focused.value == MIRROR


@pytest.mark.parametrize(
    ("discarded_entered", "asked_entered"), [(True, False), pytest.param(False, True, marks=pytest.mark.thorough)]
)
def test_sources_that_nothing_was_asked_with_are_asked_about(discarded_entered: bool, asked_entered: bool) -> None:
    audit = PreparedAudit(every_verdict().audits)

    async def scenario(d: Driver) -> None:
        await d.press("s", "i")
        await d.fill(MIRROR)
        await d.press("enter", "escape") if discarded_entered else await d.press("escape")
        await d.press("escape")
        assert d.shows(ChoiceScreen)
        for told in ("Stay (esc)", "Ask (r)", "Discard (y)"):
            assert told in d.text
        await d.press("escape")
        assert d.shows(SourcesScreen)
        await d.press("q", "y")
        assert d.shows(ReviewScreen)
        assert len(audit.runs) == 1
        await d.press("s", "i")
        await d.fill(MIRROR)
        await d.press("enter", "escape") if asked_entered else await d.press("escape")
        await d.press("escape", "r")
        await d.settle()
        assert d.shows(ReviewScreen)
        assert MIRROR in [each.location for each in audit.runs[-1][0]]

    drive(app_of(every_verdict(), audit=audit), scenario)
    assert len(audit.runs) == 2


async def what_was_typed_and_cannot_be_read_is_not_asked_with_and_not_lost(d: Driver) -> None:
    await d.press("s", "i")
    await d.fill("nonsense")
    await d.press("escape", "escape", "r")
    assert d.shows(SourcesScreen)
    assert "is not a source" in d.text
    assert "nonsense" in d.text


def held(seconds: float) -> tuple[LockwardenApp, PreparedAudit]:
    """An app whose audit waits, and whose clock has moved by so much when it is asked the next time."""
    audit = PreparedAudit(every_verdict().audits, held=True)
    app = app_of(every_verdict(), audit=audit)
    times = iter([NOW])
    app.setup = replace(app.setup, now=lambda: next(times, NOW + timedelta(seconds=seconds)))
    return app, audit


def test_an_audit_that_has_run_for_a_while_is_cancelled_only_when_that_is_meant() -> None:
    app, audit = held(5)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        await d.press("escape")
        assert d.shows(ChoiceScreen)
        assert "Let it run (esc)" in d.text
        await d.press("escape")
        assert d.phase() is Phase.RUNNING
        await d.press("escape", "y")
        await d.settle()
        assert d.phase() is Phase.CANCELLED

    drive(app, scenario, settled=False)


def test_an_audit_that_has_just_begun_is_cancelled_at_once() -> None:
    app, audit = held(4.9)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        await d.press("escape")
        await d.settle()
        assert d.phase() is Phase.CANCELLED

    drive(app, scenario, settled=False)


def test_an_audit_that_ended_while_it_was_asked_about_is_not_cancelled() -> None:
    app, audit = held(60)

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        await d.press("escape")
        audit.gate.set()
        await d.settle()
        await d.press("y")
        assert d.phase() is Phase.FINISHED
        assert "cancelled" not in d.text

    drive(app, scenario, settled=False)


def test_leaving_asks_only_for_what_would_be_lost() -> None:
    drive(
        app_of(every_verdict()),
        esc_in_a_line_of_the_sources_leaves_the_line,
        what_is_typed_or_pasted_beside_the_line_lands_in_it,
        what_was_typed_and_cannot_be_read_is_not_asked_with_and_not_lost,
    )

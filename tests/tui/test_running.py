"""While the audit runs: progress, cancelling, deciding, other sources, leaving."""

from __future__ import annotations

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import EDGE, NULL, RANDOM, TIME, every_verdict, many
from fakes.running import LINUX, SOURCES, Disk, PreparedAudit

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.screens.sources import SourcesScreen
from lockwarden.tui.state.progress import Phase


def held(after: int = 2) -> PreparedAudit:
    return PreparedAudit(every_verdict().audits, held=True, held_after=after)


async def at_the_gate(d: Driver, audit: PreparedAudit) -> None:
    await d.until_held(audit)


def test_progress_and_results_show_while_others_are_awaited() -> None:
    audit = held()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        assert "2/6 providers" in d.text
        assert "━" in d.lines[0]
        assert "asking direct" in d.text
        assert "4 waiting" in d.text
        assert d.review.provider(NULL.address).audit is not None
        audit.gate.set()
        await d.settle()
        assert "6/6 providers" in d.text

    drive(app_of(every_verdict(), audit=audit), scenario, settled=False)


def test_what_is_not_audited_yet_cannot_be_decided_and_nothing_moves_under_the_cursor_when_results_arrive() -> None:
    audit = held(after=0)

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await d.press("space")
        assert "not audited yet" in d.lines[-1]
        assert not d.review.decisions.made
        await d.press("h", "j", "j", "j", "l", "j", "R")
        assert "not audited yet" in d.lines[-1]
        here = (d.state.provider, d.state.hash)
        assert d.state.provider == TIME.address
        audit.gate.set()
        await d.settle()
        assert (d.state.provider, d.state.hash) == here
        assert "not audited yet" not in d.lines[-1]
        assert d.review_screen.query_one("#table").has_focus

    drive(app_of(every_verdict(), audit=audit), scenario, settled=False)


def test_any_key_pins_the_selection() -> None:
    audit = held(after=1)

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        here = d.state.provider
        await d.press("z")
        audit.gate.set()
        await d.settle()
        assert d.state.provider == here
        assert d.state.order[0] == EDGE.address

    drive(app_of(every_verdict(), audit=audit), scenario, settled=False)


def test_esc_cancels_and_what_is_known_stays() -> None:
    audit = held()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await d.press("escape")
        await d.settle()
        assert d.phase() is Phase.CANCELLED
        assert audit.cleaned_up == 1
        assert d.review.provider(NULL.address).counts[Verdict.NEW] == 5
        assert "The audit was cancelled" in d.text
        assert "not audited" in d.text
        assert "Do not commit yet" in d.text
        await d.press("y", "n")
        audit.held = False
        await d.press("r")
        await d.settle()
        assert d.phase() is Phase.FINISHED
        assert "cancelled" not in d.text

    drive(app_of(every_verdict(), audit=audit), scenario, settled=False)


def test_a_cancelled_audit_without_findings_never_looks_finished() -> None:
    audit = held(after=1)

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await d.press("escape")
        await d.settle()
        assert "Not everything was checked" in d.text

    code = drive(app_of(every_verdict(), audit=audit), scenario, settled=False)
    assert code == -1


def test_leaving_in_the_middle_ends_the_audit_and_changes_no_file() -> None:
    audit = held(after=1)
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await d.press("q")
        await d.settle()

    assert drive(app_of(every_verdict(), audit=audit, disk=disk), scenario, settled=False) == 3
    assert audit.cleaned_up == 1
    assert not disk.saved


def test_other_sources_cancel_the_running_audit_and_start_again() -> None:
    audit = held()

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        await d.press("s")
        assert d.shows(SourcesScreen)
        audit.held = False
        await d.press("j", "x", "r")
        await d.settle()
        assert audit.runs[-1][0] == SOURCES[:1]
        assert audit.cleaned_up == 2
        assert d.phase() is Phase.FINISHED
        assert "the running audit was cancelled" in d.lines[-1]

    drive(app_of(every_verdict(), audit=audit), scenario, settled=False)


def test_results_of_an_audit_that_was_given_up_come_too_late() -> None:
    audit = held(after=0)

    async def scenario(d: Driver) -> None:
        await at_the_gate(d, audit)
        audit.waiting.clear()
        d.app.audits.start()
        await at_the_gate(d, audit)
        assert all(each.waiting for each in d.review.providers)
        assert d.app.session.progress.running
        audit.gate.set()
        await d.settle()
        assert not any(each.waiting for each in d.review.providers)

    drive(app_of(every_verdict(), audit=audit), scenario, settled=False)


def test_sources_are_added_checked_and_run() -> None:
    audit = PreparedAudit(every_verdict().audits)

    async def scenario(d: Driver) -> None:
        await d.press("s", "i")
        await d.write("nowhere")
        await d.press("enter")
        assert "“nowhere” is not a source" in d.text
        assert "write direct, or an https:// URL" in d.text
        await d.press(*["backspace"] * 7)
        await d.write("https://other.example.test/")
        await d.press("enter")
        assert "other.example.test" in d.text
        assert "not asked yet" in d.text
        await d.write("https://other.example.test/")
        await d.press("enter")
        assert "this source is in the list already" in d.text
        await d.press("escape", "escape", "y")
        assert len(audit.runs) == 1

        await d.press("s", "i")
        await d.write("https://other.example.test/")
        await d.press("enter", "shift+tab", "r")
        await d.settle()
        assert [spec.location for spec in audit.runs[-1][0]][-1] == "https://other.example.test/"

    drive(app_of(every_verdict(), audit=audit), scenario)


def test_platforms_are_picked_and_run() -> None:
    audit = PreparedAudit(every_verdict().audits)

    async def scenario(d: Driver) -> None:
        await d.press("s")
        d.screen.query_one("#mode").focus()
        await d.press("down", "down", "enter", "r")
        await d.settle()
        assert audit.runs[-1][1] == PlatformChoice(wanted=frozenset({LINUX}), every=True)

        await d.press("s")
        d.screen.query_one("#mode").focus()
        await d.press("end", "space", "tab", "down", "space", "tab")
        await d.write("plan9")
        await d.press("enter")
        assert "“plan9” is not a platform" in d.text
        await d.write("_mips")
        await d.press("enter")
        assert "[x] plan9_mips" in d.text or d.screen.query_one("#ticks").max_scroll_y > 0
        d.screen.query_one("#sources").focus()
        await d.press("r")
        await d.settle()
        assert audit.runs[-1][1].wanted == {LINUX, Platform("darwin", "arm64"), Platform("plan9", "mips")}

    drive(app_of(every_verdict(), audit=audit), scenario)


def test_a_choice_that_cannot_be_run_says_what_is_missing() -> None:
    audit = PreparedAudit(every_verdict().audits)

    async def scenario(d: Driver) -> None:
        await d.press("s", "x", "x", "x", "r")
        assert "add at least one source" in d.text
        await d.press("escape", "y", "s")
        d.screen.query_one("#mode").focus()
        await d.press("end", "enter", "tab", "enter", "tab", "tab", "enter")
        assert "choose at least one platform" in d.text

    drive(app_of(every_verdict(), audit=audit), scenario)
    assert len(audit.runs) == 1


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.thorough)])
def test_a_large_lock_file_is_reviewed_without_a_row_for_each_event(count: int) -> None:
    world = many(count, 17)
    app = app_of(world)

    async def scenario(d: Driver) -> None:
        assert d.review.counts[Verdict.DISOWNED] == count
        await d.press("n", "n", "N", "j", "space")
        assert len(d.review.decisions.made) == 1
        await d.press("slash")
        await d.write(f"p{count - 1:04}")
        assert len(d.provider.rows) == 17
        assert d.provider.address.type == f"p{count - 1:04}"

    drive(app, scenario)


async def every_width_shows_its_answer_whole_and_no_horizontal_scroll_bar(d: Driver) -> None:
    for width in (40, 60, 69, 70, 80, 99, 100, 120, 200):
        await d.pilot.resize_terminal(width, 24)
        await d.handled()
        assert "Do not commit yet" in d.text
        table = d.review_screen.query_one("#table")
        assert not table.show_horizontal_scrollbar
        assert table.virtual_size.width <= table.size.width
        assert "disowned" in d.text
    assert d.provider.address == EDGE.address


def test_a_narrow_screen_shows_one_pane_at_a_time_and_loses_none() -> None:
    async def scenario(d: Driver) -> None:
        assert "Verdict" in d.text
        assert "Why disowned" not in d.text
        await d.press("l")
        assert "Why disowned" in d.text
        assert "Verdict " not in d.text
        await d.press("h", "h")
        assert "Findings in 2 of 6" in d.text
        assert "acme/relay" in d.text
        await d.press("end", "enter")
        assert d.provider.address == TIME.address
        await d.press("enter")
        assert "zh:" in d.text or "h1:" in d.text
        assert "decision" in d.text
        await d.press("escape", "escape")
        assert "Findings in 2 of 6" in d.text

    drive(app_of(every_verdict()), scenario, size=(60, 20))


async def an_international_or_foreign_host_is_named_above_its_hashes(d: Driver) -> None:
    await d.press("h", "end", "up")
    assert d.provider.address == RANDOM.address
    assert "registry.example.test/acme/random 3.6.0" in d.text


def test_every_width_and_every_host() -> None:
    drive(
        app_of(every_verdict()),
        every_width_shows_its_answer_whole_and_no_horizontal_scroll_bar,
        an_international_or_foreign_host_is_named_above_its_hashes,
    )

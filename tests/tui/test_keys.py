"""Every key of the review, pressed."""

from __future__ import annotations

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import EDGE, MADE_UP, NULL, PLANTED, RELAY, every_verdict, many
from fakes.running import PreparedAudit
from textual._compositor import Compositor
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.sources import SourcesScreen
from lockwarden.tui.state.review_state import Pane
from lockwarden.tui.widgets.hash_table import HashTable
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.provider_list import ProviderList

SUSPECT = HashKey.of(EDGE.address, PLANTED)


async def the_review_opens_on_the_worst_finding_of_which_space_goes_round_the_decisions(d: Driver) -> None:
    assert d.row.hash == PLANTED
    assert isinstance(d.screen.focused, HashTable)
    assert "Do not commit yet" in d.text
    assert "this is not one of them" in d.text
    for key, reason in (
        ("w", "no decision changes the lock file yet"),
        ("z", "nothing was decided yet"),
        ("Z", "nothing was undone"),
    ):
        await d.press(key)
        assert d.shows(ReviewScreen)
        assert reason in d.lines[-1]
    seen = [d.decision]
    for _ in range(3):
        await d.press("space")
        seen.append(d.decision)
    assert seen == [Decision.UNDECIDED, Decision.DROP, Decision.KEEP, Decision.UNDECIDED]


async def arrows_and_letters_move_the_cursor(d: Driver) -> None:
    rows = [row.hash.text for row in d.provider.rows]
    for key, place in (("down", 1), ("j", 2), ("up", 1), ("k", 0), ("G", len(rows) - 1), ("g", 0), ("end", -1)):
        await d.press(key)
        assert d.state.hash is not None
        assert d.state.hash.hash == rows[place]


async def panes_are_left_and_entered_by_arrows_letters_and_tab(d: Driver) -> None:
    seen = []
    for key in ("left", "right", "h", "l", "l", "h", "tab", "tab", "tab", "shift+tab"):
        await d.press(key)
        seen.append(d.state.pane)
    assert seen == [
        Pane.PROVIDERS,
        Pane.HASHES,
        Pane.PROVIDERS,
        Pane.HASHES,
        Pane.WHY,
        Pane.HASHES,
        Pane.WHY,
        Pane.PROVIDERS,
        Pane.HASHES,
        Pane.PROVIDERS,
    ]


async def moving_in_the_providers_shows_their_hashes_and_enter_goes_there(d: Driver) -> None:
    await d.press("h", "j")
    assert d.provider.address == RELAY.address
    assert d.row.hash == MADE_UP
    assert "About this provider" in d.text
    await d.press("enter")
    assert d.state.pane is Pane.HASHES
    assert "Why unexplained" in d.text


async def n_and_capital_n_visit_the_findings(d: Driver) -> None:
    await d.press("j", "n")
    assert d.row.hash == MADE_UP
    await d.press("N")
    assert d.row.hash == PLANTED
    await d.press("N")
    assert d.row.hash == MADE_UP


async def a_accepts_for_this_provider_and_capital_a_for_all_but_never_a_finding(d: Driver) -> None:
    await d.press("a")
    assert set(d.review.decisions.made.values()) == {Decision.ADD}
    assert {key.address for key in d.review.decisions.made} == {str(EDGE.address)}
    await d.press("A")
    assert {key.address for key in d.review.decisions.made} == {str(EDGE.address), str(NULL.address)}
    assert d.decided(SUSPECT) is None
    assert "2 findings not, which are decided one by one" in d.text


async def undo_takes_back_a_bulk_as_one_step_and_redo_makes_it_again(d: Driver) -> None:
    await d.press("space", "A")
    decided = dict(d.review.decisions.made)
    await d.press("z")
    assert dict(d.review.decisions.made) == {SUSPECT: Decision.DROP}
    await d.press("Z")
    assert dict(d.review.decisions.made) == decided
    await d.press("z", "z")
    assert not d.review.decisions.made


async def a_marked_range_is_decided_at_once_and_esc_or_x_again_gives_the_mark_up(d: Driver) -> None:
    await d.press("j", "x", "j", "j", "space")
    keys = [key.hash for key, made in d.review.decisions.made.items() if made is Decision.DROP]
    assert keys == [row.hash.text for row in d.provider.rows[1:4]]
    assert "3 marked" in d.text
    await d.press("escape")
    assert "marked" not in d.text
    assert len(d.review.decisions.made) == 3
    await d.press("x")
    assert "1 marked" in d.text
    await d.press("x")
    assert "marked" not in d.text


async def slash_filters_while_typing_enter_keeps_it_and_esc_clears_it(d: Driver) -> None:
    await d.press("slash")
    await d.write("verdict:new")
    assert {row.verdict for row in d.provider.rows if row.hash.text in d.text} <= {Verdict.NEW}
    assert "7 of" in d.text
    await d.press("enter", "j")
    assert d.row.verdict is Verdict.NEW
    await d.press("escape")
    assert not d.state.filter.active
    assert d.row.verdict is Verdict.NEW


def test_keys_typed_into_the_filter_are_text_and_what_means_nothing_says_so() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("slash")
        await d.write("qwa zz")
        assert d.state.filter.words == ("qwa", "zz")
        assert not d.review.decisions.made
        assert d.shows(ReviewScreen)
        assert "Nothing matches the filter" in d.text
        await d.press("escape")
        assert not d.state.filter.active
        await d.press("slash")
        await d.write("verdict:zzz")
        assert "/ verdict:zzz " in d.text
        assert "no verdict is called “zzz”; there are disowned, unexplained, unchecked, confirmed, new" in d.prose
        assert "offered, finding, approved" in d.prose
        await d.press("enter")
        await d.write(",new")  # it is typed on, not taken for keys
        assert d.state.filter.text == "verdict:zzz,new"
        await d.press("escape")
        assert "zzz" not in d.text
        assert d.state.filter.text == ""

    drive(app_of(every_verdict()), scenario, size=(60, 24))


async def enter_opens_everything_about_a_hash_and_the_same_keys_work_there(d: Driver) -> None:
    await d.press("enter")
    assert d.shows(DetailScreen)
    assert PLANTED.text in d.text
    assert "6A1B 5E0C 9D27 F384 AA10 B7C3 FCAC 6356 9E8F 3F24" in d.text
    await d.press("space")
    assert d.decided(SUSPECT) is Decision.DROP
    await d.press("n")
    assert MADE_UP.text in d.text
    await d.press("N", "z", "y", "j", "k")
    assert d.decided(SUSPECT) is None
    assert d.app.clipboard == PLANTED.text
    await d.press("escape")
    assert d.shows(ReviewScreen)


async def y_copies_the_whole_hash_and_its_message_goes_with_the_next_key(d: Driver) -> None:
    await d.press("y")
    assert d.app.clipboard == PLANTED.text
    assert f"copied {PLANTED.text}" in d.text
    await d.press("j")
    assert "copied" not in d.text


async def the_why_pane_opens_the_detail_of_what_it_speaks_of(d: Driver) -> None:
    await d.press("h", "shift+tab", "enter")
    assert d.shows(DetailScreen)
    assert "claims to be" in d.text
    assert ">= 1.8.0, < 3.0.0" in d.text


def test_help_shows_every_key_and_every_verdict() -> None:
    async def scenario(d: Driver) -> None:
        for key in ("question_mark", "f1"):
            await d.press(key)
            assert d.shows(HelpScreen)
            assert "Undo the last decision" in d.text
            assert "left h" in d.text or "← h" in d.text
            for verdict in Verdict:
                assert verdict in d.text
            await d.press("j", "k", "escape")
            assert d.shows(ReviewScreen)

    drive(app_of(every_verdict()), scenario, size=(120, 140))


async def s_opens_the_sources_and_d_and_w_the_difference(d: Driver) -> None:
    await d.press("s")
    assert d.shows(SourcesScreen)
    await d.press("escape", "space", "d")
    assert d.shows(DiffScreen)
    assert "Write" not in d.text
    await d.press("escape", "w")
    assert d.shows(DiffScreen)
    await d.press("q")
    assert d.shows(ReviewScreen)


def test_r_asks_again_and_keeps_the_decisions() -> None:
    audit = PreparedAudit(every_verdict().audits)

    async def scenario(d: Driver) -> None:
        await d.press("space", "r")
        await d.settle()
        assert len(audit.runs) == 2
        assert d.decided(SUSPECT) is Decision.DROP
        assert d.row.hash == PLANTED

    drive(app_of(every_verdict(), audit=audit), scenario)


def test_q_leaves_with_what_a_script_is_told() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("q")
        await d.settle()

    assert drive(app_of(every_verdict()), scenario) == 1


def test_leaving_twice_in_a_row_leaves() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("space", "ctrl+q", "ctrl+q")
        await d.settle()

    assert drive(app_of(every_verdict()), scenario) == 1


async def the_palette_holds_everything_that_is_on_a_key(d: Driver) -> None:
    await d.run_from_palette("undo the last", "Undo the last decision, or take the last write back")
    await d.until(lambda: "nothing was decided yet" in d.lines[-1])
    await d.run_from_palette("show only new", "Show only new hashes")
    await d.until(lambda: d.state.filter.verdicts == {Verdict.NEW})


async def keys_that_come_faster_than_they_are_answered_all_count(d: Driver) -> None:
    for _ in range(3):
        d.app.simulate_key("j")
    await d.handled()
    assert d.row.hash == d.provider.rows[3].hash
    await d.press("h")
    for _ in range(3):
        d.app.simulate_key("j")
    await d.handled()
    assert d.provider.address == d.state.order[3]
    assert d.review_screen.query_one(ProviderList).cursor == d.state.order[3]
    await d.press("g")
    assert d.provider.address == d.state.order[0]


async def what_is_typed_into_a_line_faster_than_it_is_answered_counts_in_its_order(d: Driver) -> None:
    await d.press("slash")
    d.hit(*"neww", "backspace", *"er", "ctrl+a", *"a ", "end", "backspace", "enter")
    await d.until(lambda: d.state.filter.text == "a newe" and not isinstance(d.screen.focused, Input))
    await d.press("escape")


async def another_theme_draws_the_table_anew_and_keeps_the_selection(d: Driver) -> None:
    await d.press("j", "j")
    here = d.state.hash
    before = {style.color for style in d.styles("confirmed")}
    d.app.theme = "lockwarden-light"
    await d.settle()
    assert {style.color for style in d.styles("confirmed")} != before
    assert d.state.hash == here
    assert d.review_screen.query_one(HashTable).cursor == here


def test_telling_of_a_decision_moves_nothing_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[object] = []
    reflow = Compositor.reflow

    def counting(compositor: Compositor, parent: Widget, size: Size) -> object:
        laid_out.append(parent)
        return reflow(compositor, parent, size)

    async def scenario(d: Driver) -> None:
        await d.press("space", "z")
        monkeypatch.setattr(Compositor, "reflow", counting)
        await d.press("space")
        assert "drop" in d.lines[-1]
        await d.press("z")
        assert "undone" in d.lines[-1]
        await d.press("x")
        assert "Decide" in d.lines[-1]
        assert laid_out == []

    drive(app_of(every_verdict()), scenario)


def test_a_message_takes_as_many_lines_as_it_needs_and_others_at_another_width() -> None:
    sentence = "a message that is longer than one line of a narrow screen, and shorter than one line of a wide one"

    async def scenario(d: Driver) -> None:
        d.app.say(sentence)
        for width, lines in ((120, 1), (60, 2), (110, 1)):
            await d.pilot.resize_terminal(width, 20)
            await d.settle()
            assert " ".join(" ".join(d.lines[-lines:]).split()) == sentence
        await d.press("x")
        assert "Decide" in d.lines[-1]

    drive(app_of(every_verdict()), scenario)


def test_what_is_said_on_a_screen_that_is_closed_just_now_is_no_fault() -> None:
    async def scenario(d: Driver) -> None:
        await d.screen.query(Notice).remove()
        d.app.say("a lock file has changed")

    drive(app_of(many(1, 2)), scenario)


def test_every_key_of_the_review() -> None:
    drive(
        app_of(every_verdict()),
        the_review_opens_on_the_worst_finding_of_which_space_goes_round_the_decisions,
        arrows_and_letters_move_the_cursor,
        panes_are_left_and_entered_by_arrows_letters_and_tab,
        moving_in_the_providers_shows_their_hashes_and_enter_goes_there,
        n_and_capital_n_visit_the_findings,
        a_accepts_for_this_provider_and_capital_a_for_all_but_never_a_finding,
        undo_takes_back_a_bulk_as_one_step_and_redo_makes_it_again,
        a_marked_range_is_decided_at_once_and_esc_or_x_again_gives_the_mark_up,
        slash_filters_while_typing_enter_keeps_it_and_esc_clears_it,
        y_copies_the_whole_hash_and_its_message_goes_with_the_next_key,
        s_opens_the_sources_and_d_and_w_the_difference,
        what_is_typed_into_a_line_faster_than_it_is_answered_counts_in_its_order,
        the_palette_holds_everything_that_is_on_a_key,
        keys_that_come_faster_than_they_are_answered_all_count,
        another_theme_draws_the_table_anew_and_keeps_the_selection,
    )


def test_everything_about_a_hash_and_a_provider() -> None:
    drive(
        app_of(every_verdict()),
        enter_opens_everything_about_a_hash_and_the_same_keys_work_there,
        the_why_pane_opens_the_detail_of_what_it_speaks_of,
        size=(120, 60),
    )

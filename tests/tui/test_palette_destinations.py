"""The palette leads to providers and lock files by their names."""

from __future__ import annotations

from pathlib import Path

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import RELAY, every_verdict
from fakes.many_files import EDGE_ENTRY, NULL_ENTRY, files_app, of
from fakes.pull_request import change_app
from textual.widgets import Input

from lockwarden.tui.screens.coverage import CoverageScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.palette import HelpfulPalette
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.signing_keys import SigningKeysScreen
from lockwarden.tui.state.review_state import Pane


async def a_provider_is_gone_to_though_a_filter_hides_it(d: Driver) -> None:
    await d.press("slash")
    await d.fill("verdict:disowned")
    await d.press("enter")
    await d.run_from_palette(
        RELAY.address.type, f"Go to {RELAY.address.short} {d.review.provider(RELAY.address).entry.version}"
    )
    await d.handled()
    assert d.provider.address == RELAY.address
    assert d.state.pane is Pane.HASHES
    assert not d.state.filter.active


async def the_palette_says_where_help_is_and_opens_it(d: Driver) -> None:
    d.hit("ctrl+p")
    await d.until_shown("F1: help")
    d.hit("f1")
    await d.until(lambda: d.shows(HelpScreen))
    await d.press("escape")
    assert d.shows(ReviewScreen)


async def enter_runs_what_was_found_for_the_words_that_were_typed_however_fast(d: Driver) -> None:
    d.hit("ctrl+p", *"signing keys", "enter")
    await d.until(lambda: d.shows(SigningKeysScreen))
    await d.press("escape")
    d.hit("ctrl+p", *"nothing", "enter", *["backspace"] * 7, *"show only new", "enter")
    await d.until(lambda: d.state.filter.text == "verdict:new")
    d.hit("ctrl+p", *"show all hashes", "enter")
    await d.until(lambda: not d.state.filter.active)


async def enter_behind_which_a_person_typed_on_runs_nothing(d: Driver) -> None:
    d.hit("ctrl+p", *"signing", "enter", *" keys")
    await d.until(lambda: isinstance(d.screen.focused, Input) and d.screen.focused.value == "signing keys")
    await d.settle()
    assert d.shows(HelpfulPalette)
    await d.press("escape")


async def the_palette_knows_the_words_of_the_line_of_keys(d: Driver) -> None:
    d.hit("ctrl+p", *"coverage", "enter")
    await d.until(lambda: d.shows(CoverageScreen))
    await d.press("escape")


def test_a_provider_that_the_change_does_not_touch_is_gone_to_as_well() -> None:
    async def scenario(d: Driver) -> None:
        assert "acme/null" not in d.text
        name = next(name for name, _ in d.review_screen.destinations if "acme/null" in name)
        await d.run_from_palette("acme/null", f"Go to {name}")
        await d.handled()
        assert d.provider.address.type == "null"

    drive(change_app(), scenario)


def test_a_file_is_gone_to_from_another_ones_review() -> None:
    hostile = Path("b[link='x']/\x1b]8;;evil/.terraform.lock.hcl")
    files = {Path("a/.terraform.lock.hcl"): of(NULL_ENTRY), hostile: of(EDGE_ENTRY)}

    async def scenario(d: Driver) -> None:
        await d.press("enter")
        first = d.screen
        await d.run_from_palette("evil", f"Go to {hostile}")
        await d.until(lambda: d.shows(ReviewScreen) and d.screen is not first)
        assert d.app.files.current == hostile
        assert "\x1b" not in d.text

    drive(files_app(files), scenario)


def test_the_palette_leads_everywhere() -> None:
    drive(
        app_of(every_verdict()),
        a_provider_is_gone_to_though_a_filter_hides_it,
        the_palette_says_where_help_is_and_opens_it,
        enter_runs_what_was_found_for_the_words_that_were_typed_however_fast,
        enter_behind_which_a_person_typed_on_runs_nothing,
        the_palette_knows_the_words_of_the_line_of_keys,
    )

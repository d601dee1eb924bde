"""A key decides of what has the focus and can be seen, and every decision is told at the end of the screen."""

from __future__ import annotations

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import EDGE, PLANTED, every_verdict

from lockwarden.core.review.decisions import HashKey
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.state.review_state import Pane

SUSPECT = HashKey.of(EDGE.address, PLANTED)


@pytest.mark.parametrize(
    "size", [(60, 20), *(pytest.param(each, marks=pytest.mark.thorough) for each in ((80, 24), (120, 40)))]
)
def test_in_the_list_of_providers_no_key_is_about_a_hash(size: tuple[int, int]) -> None:
    async def scenario(d: Driver) -> None:
        await d.press("h")
        for key in ("space", "R", "x", "y"):
            await d.press(key)
            assert d.state.pane is Pane.PROVIDERS
            assert not d.review.decisions.made
            assert d.state.anchor is None
            assert not d.app.clipboard
            assert "the provider has the focus, and no hash: go to its hashes first" in d.prose
            d.review_screen.notice_a_person()
            await d.handled()
            assert "the provider has the focus" not in d.prose

    drive(app_of(every_verdict()), scenario, size=size)


async def the_reasons_of_a_provider_decide_nothing_and_those_of_a_hash_do(d: Driver) -> None:
    await d.press("h")
    await d.press("shift+tab")
    assert d.state.pane is Pane.WHY
    await d.press("space")
    assert not d.review.decisions.made
    await d.press("h", "l", "space")
    assert d.state.pane is Pane.WHY
    assert d.decided(SUSPECT) == "drop"


def test_the_screen_about_a_provider_decides_of_no_hash_and_says_so() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("i")
        for key in ("space", "R", "y"):
            await d.press(key)
            assert d.shows(DetailScreen)
            assert not d.review.decisions.made
            assert "no hash is shown: go back, and open one with enter" in d.prose
            await d.press("j")
            assert "no hash is shown" not in d.prose

    drive(app_of(every_verdict()), scenario, size=(80, 24))


def test_every_decision_is_told_with_its_hash_and_its_provider() -> None:
    async def scenario(d: Driver) -> None:
        start = PLANTED.text[:8]
        for key, told in (
            ("space", f" drop {start}"),
            ("space", f" keep {start}"),
            ("space", f" leave {start}"),
            ("z", f" undone: leave {start}"),
            ("Z", f" done again: leave {start}"),
        ):
            await d.press(key)
            line = next(each for each in d.lines[-2:] if each.startswith(told))
            assert "of corp/edge" in f"{line.rstrip()} {d.lines[-1].strip()}"
        await d.press("A")
        assert "hashes of" in d.prose
        await d.press("z")
        assert any(each.startswith(" undone: add ") for each in d.lines[-2:])

    drive(app_of(every_verdict()), scenario, size=(60, 20))


async def what_is_decided_of_a_hash_on_its_own_screen_is_told_there(d: Driver) -> None:
    await d.press("enter", "space")
    assert d.shows(DetailScreen)
    assert d.lines[-1].startswith(f" drop {PLANTED.text[:8]}")


def test_what_the_filter_hides_is_not_accepted() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("slash")
        await d.write("verdict:confirmed")
        await d.press("enter", "A")
        assert not d.review.decisions.made
        assert "which the list hides" in d.lines[-1]
        await d.press("escape", "A")
        assert str(EDGE.address) in {key.address for key in d.review.decisions.made}

    drive(app_of(every_verdict()), scenario, size=(120, 40))


def test_what_was_seen_is_decided() -> None:
    drive(
        app_of(every_verdict()),
        the_reasons_of_a_provider_decide_nothing_and_those_of_a_hash_do,
        what_is_decided_of_a_hash_on_its_own_screen_is_told_there,
    )

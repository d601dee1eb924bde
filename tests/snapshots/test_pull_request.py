"""How a change of the lock file looks: the review against its base, keys, coverage, a policy before it is written.

Every value is fixed; look at a changed picture before you accept it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from fakes.driving import Driver
from fakes.pull_request import change_app
from textual.pilot import Pilot

from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.file_diff import FileDiffScreen

Compare = Callable[..., bool]
WIDE = [(120, 40), pytest.param((80, 24), marks=pytest.mark.thorough)]
SMALL = [pytest.param((120, 40), marks=pytest.mark.thorough), (80, 24)]
IDS = ["120x40", "80x24"]


def after(app: LockwardenApp, *keys: str, writing: bool = False) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait for the audit, then press keys; `writing` when they lead to a difference that waits for an answer."""

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.settle()
        await driver.press(*keys)
        await (driver.reach(FileDiffScreen) if writing else driver.settle())

    return before


@pytest.mark.parametrize("size", WIDE, ids=IDS)
def test_review_against_a_base(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    assert snap_compare(app, terminal_size=size, run_before=after(app, "h", "j", "l"))


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_signing_keys(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    assert snap_compare(app, terminal_size=size, run_before=after(app, "K"))


@pytest.mark.parametrize("size", WIDE, ids=IDS)
def test_coverage(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    assert snap_compare(app, terminal_size=size, run_before=after(app, "h", "j", "c"))


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_policy_before_writing(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    keys = ("K", "j", "t", "tab", "right", "enter")
    assert snap_compare(app, terminal_size=size, run_before=after(app, *keys, writing=True))

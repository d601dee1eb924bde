"""How the list of several lock files looks, and the difference before all of them are written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from fakes.driving import Driver
from fakes.many_files import files_app, repository
from textual.pilot import Pilot

from lockwarden.tui.app import LockwardenApp

Compare = Callable[..., bool]
WIDE = [(120, 40), pytest.param((80, 24), marks=pytest.mark.thorough)]
SMALL = [pytest.param((120, 40), marks=pytest.mark.thorough), (80, 24)]
IDS = ["120x40", "80x24"]


def after(app: LockwardenApp, *keys: str) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait for the audit, then press keys."""

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.settle()
        await driver.press(*keys)
        await driver.settle()

    return before


@pytest.mark.parametrize("size", WIDE, ids=IDS)
def test_list_of_lock_files(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = files_app(repository())
    assert snap_compare(app, terminal_size=size, run_before=after(app, "enter", "n", "space", "q", "j"))


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_all_differences_before_writing(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = files_app(repository())
    assert snap_compare(app, terminal_size=size, run_before=after(app, "enter", "n", "space", "q", "w"))

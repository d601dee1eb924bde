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
SIZES = pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])


def after(app: LockwardenApp, *keys: str, writing: bool = False) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait for the audit, then press keys; `writing` when they lead to a difference that waits for an answer."""

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.settle()
        await driver.press(*keys)
        await (driver.reach(FileDiffScreen) if writing else driver.settle())

    return before


@SIZES
def test_review_against_a_base(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    assert snap_compare(app, terminal_size=size, run_before=after(app, "h", "j", "l"))


@SIZES
def test_signing_keys(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    assert snap_compare(app, terminal_size=size, run_before=after(app, "K"))


@SIZES
def test_coverage(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    assert snap_compare(app, terminal_size=size, run_before=after(app, "h", "j", "c"))


@SIZES
def test_policy_before_writing(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = change_app()
    keys = ("K", "j", "t", "tab", "right", "enter")
    assert snap_compare(app, terminal_size=size, run_before=after(app, *keys, writing=True))

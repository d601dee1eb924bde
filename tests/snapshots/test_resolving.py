"""How the screen of a lock file in conflict looks. Look at a changed picture before you accept it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fakes.conflicts import conflict_app
from fakes.driving import Driver
from textual.pilot import Pilot


@pytest.mark.parametrize(
    "size", [(120, 40), pytest.param((80, 24), marks=pytest.mark.thorough)], ids=["120x40", "80x24"]
)
def test_both_sides(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    app, _ = conflict_app()

    async def before(pilot: Pilot[int]) -> None:
        await Driver(app, pilot).settle()

    assert snap_compare(app, terminal_size=size, run_before=before)

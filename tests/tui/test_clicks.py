"""What a click does."""

from __future__ import annotations

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import RELAY, every_verdict

from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.widgets.hash_table import HashTable
from lockwarden.tui.widgets.provider_list import ProviderList


def test_a_count_is_a_filter_when_it_is_clicked_and_again_none() -> None:
    async def scenario(d: Driver) -> None:
        for wanted in ({Verdict.UNEXPLAINED}, set()):
            await d.click("#answer", offset=(d.lines[1].index("unexplained") + 1, 0))
            assert d.state.filter.verdicts == wanted

    drive(app_of(every_verdict()), scenario)


def test_a_count_that_no_list_can_be_narrowed_to_opens_what_it_counts() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("space")
        await d.click("#answer", offset=(d.lines[1].index("unwritten") + 1, 0))
        assert d.shows(DiffScreen)

    drive(app_of(every_verdict()), scenario)


def test_everything_can_be_clicked() -> None:
    async def scenario(d: Driver) -> None:
        await d.click(ProviderList, offset=(4, 3))
        assert d.provider.address == RELAY.address
        await d.click(HashTable, offset=(20, 2))
        assert d.row.hash == d.provider.rows[1].hash
        await d.click(HashTable, offset=(20, 2))
        assert d.shows(DetailScreen)
        await d.press("escape")
        await d.click("#keys", offset=(2, 0))
        assert d.decision is Decision.DROP

    drive(app_of(every_verdict()), scenario)


def test_a_double_click_on_the_reasons_opens_everything() -> None:
    async def scenario(d: Driver) -> None:
        await d.click("#why", offset=(5, 2), times=2)
        assert d.shows(DetailScreen)

    drive(app_of(every_verdict()), scenario)

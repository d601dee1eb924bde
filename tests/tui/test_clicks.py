"""What a click does."""

from __future__ import annotations

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import RELAY, every_verdict
from fakes.many_files import OLD, PROD, files_app, repository
from msgspec.structs import replace

from lockwarden.core.review.answers import Answer
from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.widgets.hash_table import HashTable
from lockwarden.tui.widgets.provider_list import ProviderList


async def a_count_is_a_filter_when_it_is_clicked_and_again_none(d: Driver) -> None:
    for wanted in ({Verdict.UNEXPLAINED}, set()):
        await d.click("#answer", offset=(d.lines[1].index("unexplained") + 1, 0))
        assert d.state.filter.verdicts == wanted


async def a_count_that_no_list_can_be_narrowed_to_opens_what_it_counts(d: Driver) -> None:
    await d.press("space")
    await d.click("#answer", offset=(d.lines[1].index("unwritten") + 1, 0))
    assert d.shows(DiffScreen)


def test_a_count_of_all_files_lists_those_that_it_stands_for_until_esc() -> None:
    async def choose(d: Driver, words: str) -> None:
        line = next(place for place, text in enumerate(d.lines) if words in text)
        above = d.screen.query_one("#summary").region
        await d.click("#summary", offset=(d.lines[line].index(words) + 1 - above.x, line - above.y))

    async def scenario(d: Driver) -> None:
        everything = d.app.files.listed
        await choose(d, "1 drifts")
        assert d.app.files.listed == (OLD,)
        assert d.app.files.current == OLD
        assert f"1 of {len(everything)}" in d.text
        # What is selected stays listed, though its answer is another one meanwhile.
        assert OLD in replace(d.app.files, chosen=str(Answer.FINDINGS)).listed
        await choose(d, "with findings")
        assert OLD not in d.app.files.listed
        assert PROD in d.app.files.listed
        assert d.app.files.current in d.app.files.listed
        await choose(d, "with findings")
        assert d.app.files.listed == everything
        await choose(d, "1 drifts")
        await d.press("escape")
        assert d.app.files.listed == everything

    drive(files_app(repository()), scenario)


def test_a_count_of_one_file_opens_its_review_filtered_by_it() -> None:
    async def scenario(d: Driver) -> None:
        below = d.screen.query_one("#file-detail").region
        line = next(place for place, text in enumerate(d.lines) if place > below.y and "disowned" in text)
        await d.click("#file-detail", offset=(d.lines[line].index("disowned") + 1 - below.x, line - below.y))
        assert d.shows(ReviewScreen)
        assert d.state.filter.verdicts == {Verdict.DISOWNED}

    drive(files_app(repository()), scenario)


async def everything_can_be_clicked(d: Driver) -> None:
    await d.click(ProviderList, offset=(4, 3))
    assert d.provider.address == RELAY.address
    await d.click(HashTable, offset=(20, 2))
    assert d.row.hash == d.provider.rows[1].hash
    await d.click(HashTable, offset=(20, 2))
    assert d.shows(DetailScreen)
    await d.press("escape")
    await d.click("#keys", offset=(2, 0))
    assert d.decision is Decision.DROP


async def a_double_click_on_the_reasons_opens_everything(d: Driver) -> None:
    await d.click("#why", offset=(5, 2), times=2)
    assert d.shows(DetailScreen)


def test_everything_is_clicked() -> None:
    drive(
        app_of(every_verdict()),
        a_count_is_a_filter_when_it_is_clicked_and_again_none,
        a_count_that_no_list_can_be_narrowed_to_opens_what_it_counts,
        everything_can_be_clicked,
        a_double_click_on_the_reasons_opens_everything,
    )

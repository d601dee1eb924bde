"""What was decided on the screen is written after a look at the difference, and nothing else is."""

from __future__ import annotations

from builders.reading import parse
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import NULL, PLANTED, every_verdict, many
from fakes.running import Disk

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.screens.review import ReviewScreen


def test_many_findings_that_stay_are_all_named_around_the_difference() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("space", "d")
        assert "and 2 more, named below the difference" in d.text
        await d.press("j", "k", "pagedown", "pageup")
        assert d.text.count("disowned stays, undecided") == 7

    drive(app_of(many(8, 4)), scenario, size=(120, 40))


def test_what_is_decided_on_screen_is_written_and_nothing_else() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w")
        assert f'-     "{PLANTED.text}",' in d.text
        await d.press("right", "enter")
        await d.settle()
        assert PLANTED not in {row.hash for row in d.provider.rows}
        assert "written" in d.lines[-1]
        assert not d.review.changes

    drive(app_of(every_verdict(), disk=disk), scenario, size=(120, 40))
    line = f'    "{PLANTED.text}",\n'.encode()
    assert disk.saved == [every_verdict().data.replace(line, b"")]


def test_after_writing_an_added_hash_is_locked_and_confirmed() -> None:
    disk = Disk(every_verdict().data)
    added = HashKey.of(NULL.address, NULL.zh("linux_arm64"))

    async def scenario(d: Driver) -> None:
        await d.press("A", "w", "right", "enter")
        await d.settle()
        rows = {row.hash.text: row for row in d.review.provider(NULL.address).rows}
        assert rows[added.hash].locked
        assert rows[added.hash].verdict is Verdict.CONFIRMED

    drive(app_of(every_verdict(), disk=disk), scenario)
    entry = parse(disk.data, path="x").provider(NULL.address)
    assert entry is not None
    assert added.hash in {each.hash.text for each in entry.hashes}


def test_enter_on_the_difference_writes_nothing() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w", "enter")
        await d.settle()
        assert d.shows(ReviewScreen)

    drive(app_of(every_verdict(), disk=disk), scenario)
    assert not disk.saved

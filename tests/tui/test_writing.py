"""What was decided on the screen is written after a look at the difference, and nothing else is."""

from __future__ import annotations

from builders.reading import parse
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import NULL, PLANTED, every_verdict, many
from fakes.running import Disk

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.coverage import CoverageScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.review import ReviewScreen


def test_many_findings_that_stay_are_all_named_around_the_difference() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("space", "d")
        assert "and 2 more, named below the difference" in d.text
        await d.press("j", "k", "pagedown", "pageup")
        assert d.text.count("disowned stays, undecided") == 7

    drive(app_of(many(8, 4)), scenario, size=(120, 40))


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


async def enter_on_the_difference_writes_nothing(d: Driver) -> None:
    await d.press("space", "w", "enter")
    await d.settle()
    assert d.shows(ReviewScreen)


async def drop_all(d: Driver, *, but: str = "") -> None:
    """Drop every locked hash of the selected provider."""
    keys = [HashKey.of(d.provider.address, row.hash) for row in d.provider.rows if row.locked]
    chosen = [(key, Decision.DROP) for key in keys if key.hash != but]
    d.app.decide(d.review.decisions.decide(chosen))
    await d.handled()


def test_what_strips_protection_is_told_first_and_asked_once_more_by_name() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await drop_all(d, but=PLANTED.text)
        await d.press("w")
        assert "✗ corp/edge: nobody vouches for what is left (1 hash)" in d.prose
        assert "init would fail on" in d.prose
        assert d.prose.index("nobody vouches") < d.prose.index("Writing adds 0 hashes and drops")
        await d.press("right", "enter")
        assert d.shows(ConfirmScreen)
        assert "This takes away the protection of corp/edge" in d.prose
        assert "Write corp/edge without protection" in d.prose
        await d.press("enter")
        await d.settle()
        assert not disk.saved
        await d.press("w", "right", "enter", "right", "enter")
        await d.settle()
        assert "written" in d.lines[-1]

    drive(app_of(every_verdict(), disk=disk), scenario, size=(80, 24))
    assert len(disk.saved) == 1


async def dropping_every_hash_says_that_any_package_is_accepted(d: Driver) -> None:
    await drop_all(d)
    await d.press("d")
    assert "no usable hash is left, so every client accepts any package for it" in d.prose
    assert "init would fail" not in d.prose


async def what_results_change_while_the_second_question_stands_is_looked_at_again(d: Driver) -> None:
    await drop_all(d)
    await d.press("w", "right", "enter")
    d.app.decide(d.review.decisions.undo())
    await d.press("space", "right", "enter")
    assert d.shows(DiffScreen)
    assert "look again" in d.prose


async def coverage_is_that_of_the_file_as_decided(d: Driver) -> None:
    await d.press("c")
    assert "unwritten" not in d.text
    before = d.text
    await d.press("escape")
    await drop_all(d, but=PLANTED.text)
    await d.press("c")
    assert d.shows(CoverageScreen)
    assert "decisions unwritten" in d.text
    assert d.text.count("✗ refused") > before.count("✗ refused")


def test_what_is_decided_is_written_and_nothing_else_and_can_be_taken_back_once_with_its_decisions_unwritten() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w")
        assert f'-     "{PLANTED.text}",' in d.text
        await d.press("right", "enter")
        await d.settle()
        assert PLANTED not in {row.hash for row in d.provider.rows}
        assert "written" in d.lines[-1]
        assert not d.review.changes
        await d.press("z")
        assert d.shows(FileDiffScreen)
        assert f'+     "{PLANTED.text}",' in d.text
        await d.press("right", "enter")
        await d.settle()
        assert "taken back" in d.lines[-1]
        assert d.decided(HashKey.of(d.review.providers[4].address, PLANTED)) is Decision.DROP
        assert len(d.review.changes) == 1
        await d.press("z", "z")
        assert "nothing was decided yet" in d.lines[-1]

    drive(app_of(every_verdict(), disk=disk), scenario, size=(120, 40))
    line = f'    "{PLANTED.text}",\n'.encode()
    assert disk.saved == [every_verdict().data.replace(line, b""), every_verdict().data]


def test_taking_back_a_write_that_gave_protection_is_warned_of_and_asked_about_once() -> None:
    begin, end = (every_verdict().data.index(each) for each in (b"  hashes = [", b"  ]\n"))
    data = every_verdict().data[:begin] + every_verdict().data[end + len(b"  ]\n") :]
    disk = Disk(data)

    async def scenario(d: Driver) -> None:
        d.review_screen.go_to(NULL.address)
        await d.handled()
        await d.press("a", "w", "right", "enter")
        await d.settle()
        await d.press("z")
        told = "acme/null: no usable hash is left, so every client accepts any package for it"
        assert d.prose.index("This takes the last write back") < d.prose.index(told) < d.prose.index("@@")
        assert "leave the file as it is, unless this is what you want" in d.prose
        assert "take decisions back" not in d.prose
        assert "Take it back" in d.prose
        await d.press("enter")
        await d.settle()
        assert len(disk.saved) == 1
        await d.press("z", "right", "enter")
        await d.settle()
        assert "taken back" in d.prose

    drive(app_of(every_verdict(), disk=disk), scenario, size=(80, 24))
    assert disk.saved[1:] == [data]


def test_a_file_that_is_no_longer_what_was_written_is_not_taken_back() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w", "right", "enter")
        await d.settle()
        disk.data = every_verdict().data + b"# by somebody else\n"
        d.app.audits.open_selected()
        await d.settle()
        await d.press("z")
        assert d.shows(ReviewScreen)
        assert "no longer what was written" in d.lines[-1]

    drive(app_of(every_verdict(), disk=disk), scenario)
    assert len(disk.saved) == 1


def test_nothing_is_written_before_the_difference_was_confirmed() -> None:
    disk = Disk(every_verdict().data)
    drive(
        app_of(every_verdict(), disk=disk),
        enter_on_the_difference_writes_nothing,
        dropping_every_hash_says_that_any_package_is_accepted,
        what_results_change_while_the_second_question_stands_is_looked_at_again,
        coverage_is_that_of_the_file_as_decided,
        size=(120, 50),
    )
    assert not disk.saved

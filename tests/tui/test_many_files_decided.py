"""Several lock files: decisions that hold in every file with the same entry, writing one or all, leaving."""

from __future__ import annotations

import threading

from fakes.driving import Driver, drive
from fakes.lock_files import NULL, PLANTED
from fakes.many_files import (
    BROKEN,
    PROD,
    STAGE,
    SUSPECT,
    TEST,
    FilesOnDisk,
    drop_the_planted_hash,
    files_app,
    line_with,
    repository,
)

from lockwarden.core.review.decisions import Decision
from lockwarden.tui.screens.choice import LeaveScreen
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.files import FilesScreen
from lockwarden.tui.screens.files_diff import FilesDiffScreen


async def look_at_all(d: Driver, key: str) -> None:
    """Open the difference of all files, which is made beside the screen."""
    await d.press(key)
    await d.settle()
    assert d.shows(FilesDiffScreen)


async def what_is_decided_in_one_file_is_decided_in_all_that_hold_the_same_entry_and_undone_there(d: Driver) -> None:
    await d.press("enter")
    await drop_the_planted_hash(d)
    assert "also in 2 files" in d.lines[-1]
    assert d.decision is Decision.DROP
    await d.press("q")
    for name in ("prod", "stage", "test"):
        assert "● 1 unwritten" in line_with(d, f"infra/{name}/ ")
    assert "● 3 decisions unwritten" in d.text
    assert "unwritten" not in line_with(d, "infra/lone/ ")
    await d.press("j", "j", "enter")
    assert d.decided(SUSPECT) is Decision.DROP
    await d.press("z")
    assert d.lines[-1].startswith(" undone: drop ")
    assert "of corp/edge; also in 2 files" in d.lines[-1]
    await d.press("q")
    assert "unwritten" not in d.text
    await d.press("w")
    assert "no decision changes a lock file yet" in d.lines[-1]


def test_what_is_decided_and_listed_while_a_file_is_read_again_stays() -> None:
    disk = FilesOnDisk(repository())

    async def scenario(d: Driver) -> None:
        disk.slow = threading.Event()
        await d.press("r")
        await d.until(lambda: disk.reads > len(disk.data))
        await d.press("enter")
        await drop_the_planted_hash(d)
        await d.press("q", "slash", *"prod", "enter")
        assert "Lock files: 1 of 6" in d.text
        disk.slow.set()
        await d.settle()
        assert "Lock files: 1 of 6" in d.text
        assert "● 1 unwritten" in line_with(d, "infra/prod/ ")
        assert d.app.files.current == PROD

    drive(files_app(disk), scenario)


def test_w_in_a_review_writes_that_file_alone() -> None:
    disk = FilesOnDisk(repository())

    async def scenario(d: Driver) -> None:
        await d.press("enter")
        await drop_the_planted_hash(d)
        await d.press("w", "right", "enter")
        await d.settle()
        assert "written:" in d.lines[-1]
        await d.press("q")
        assert disk.saved == [PROD]
        assert "● 2 decisions unwritten" in d.text
        assert "Nothing to object to" in line_with(d, "infra/prod/ ")
        assert "corp/edge is locked here at 2.0.0" in d.prose

    drive(files_app(disk), scenario)
    assert PLANTED.text.encode() not in disk.data[PROD]
    assert PLANTED.text.encode() in disk.data[TEST]


def test_w_in_the_list_shows_one_difference_with_the_names_of_the_files_and_writes_all() -> None:
    disk = FilesOnDisk(repository())

    async def scenario(d: Driver) -> None:
        await d.press("enter")
        await drop_the_planted_hash(d)
        await d.press("q")
        await look_at_all(d, "d")
        assert "The decisions add 0 hashes and drop 3 in 3 files" in d.text
        await d.press("escape")
        await look_at_all(d, "w")
        assert "Writing adds 0 hashes and drops 3 in 3 files" in d.text
        shown = [line for line in d.lines if "/.terraform.lock.hcl" in line or PLANTED.text[:20] in line]
        assert len(shown) == 6
        assert [".terraform.lock.hcl" in line for line in shown] == [True, False] * 3
        await d.press("enter")
        assert disk.saved == []
        await look_at_all(d, "w")
        await d.press("right", "enter")
        await d.settle()
        assert disk.saved == [PROD, STAGE, TEST]
        assert "written: 3 files" in d.lines[-1]
        assert "unwritten" not in d.text
        await d.press("q")
        await d.settle()

    files = {path: data for path, data in repository().items() if path != BROKEN}
    disk.data = files
    assert drive(files_app(disk), scenario) == 0
    assert not any(PLANTED.text.encode() in data for data in disk.data.values())


def test_a_file_that_changed_on_disk_is_refused_and_named_and_the_others_are_written() -> None:
    disk = FilesOnDisk(repository())

    async def scenario(d: Driver) -> None:
        await d.press("enter")
        await drop_the_planted_hash(d)
        disk.data[STAGE] += b"# somebody else was here\n"
        await d.press("q")
        await look_at_all(d, "w")
        await d.press("right", "enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "1 of 3 files was not written" in d.prose
        assert "infra/stage/.terraform.lock.hcl has changed since it was read" in d.prose
        assert "written: 2 files" in d.prose
        await d.press("enter")
        assert "● 1 unwritten" in line_with(d, "infra/stage/ ")
        await look_at_all(d, "w")
        await d.press("right", "enter")
        await d.settle()
        assert "Read it again" in d.text
        await d.press("right", "enter")
        await d.settle()
        await look_at_all(d, "w")
        await d.press("right", "enter")
        await d.settle()
        assert "written: 1 file" in d.lines[-1]

    drive(files_app(disk), scenario)
    assert disk.saved == [PROD, TEST, STAGE]
    assert disk.data[STAGE].endswith(b"# somebody else was here\n")
    assert PLANTED.text.encode() not in disk.data[STAGE]


def test_leaving_asks_when_decisions_of_any_file_would_be_lost() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("enter")
        await drop_the_planted_hash(d)
        await d.press("q", "G", "q")
        assert d.shows(LeaveScreen)
        assert "3 decisions in 3 files would be lost" in d.text
        await d.press("enter")
        assert d.shows(FilesScreen)
        await d.press("q", "y")
        await d.settle()

    files = {path: data for path, data in repository().items() if path != BROKEN}
    assert drive(files_app(files), scenario) == 1


async def decisions_stay_when_everything_is_asked_again(d: Driver) -> None:
    await d.press("enter", "a", "q")
    count = sum(each.unwritten for each in d.app.files.sessions.values())
    assert count
    await d.press("r")
    await d.settle()
    assert sum(each.unwritten for each in d.app.files.sessions.values()) == count
    assert d.app.files.session.review is not None
    assert d.app.files.session.review.provider(NULL.address).audit is not None


def test_files_are_decided_together() -> None:
    drive(
        files_app(repository()),
        what_is_decided_in_one_file_is_decided_in_all_that_hold_the_same_entry_and_undone_there,
        decisions_stay_when_everything_is_asked_again,
    )

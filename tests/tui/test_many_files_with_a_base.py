"""Several lock files with a base: what the change touches comes first in their list, is marked, and is had alone."""

from __future__ import annotations

from fakes.conflicts import CONFLICT, ConflictsInMemory
from fakes.driving import Driver, drive
from fakes.many_files import (
    NULL_ENTRY,
    PROD,
    TIME_ENTRY,
    TIME_OLD_ENTRY,
    PathKeeper,
    files_app,
    line_with,
    of,
)
from fakes.running import Disk
from msgspec.structs import replace

from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.resolving import ResolvingScreen


def changed_in_two() -> LockwardenApp:
    """Six good files, of which the base has two another way: one was bumped, one is new."""
    good = of(NULL_ENTRY)
    files = {PROD.parent / f"stack{number}" / PROD.name: good for number in range(6)}
    paths = list(files)
    files[paths[3]] = of(NULL_ENTRY, TIME_ENTRY)
    before = {**dict.fromkeys(paths[:5], good), paths[3]: of(NULL_ENTRY, TIME_OLD_ENTRY)}
    return files_app(files, keeper=PathKeeper(before), base="main")


async def with_a_base_what_changed_comes_first_and_is_marked(d: Driver) -> None:
    assert [path.parent.name for path in d.app.files.sessions] == [
        "stack3",
        "stack5",
        "stack0",
        "stack1",
        "stack2",
        "stack4",
    ]
    assert d.app.files.current.parent.name == "stack3"
    assert "± changed" in line_with(d, "stack3/ ")
    assert "± changed" in line_with(d, "stack5/ ")
    assert "±" not in line_with(d, "stack0/ ")
    assert "± 2 changed" in d.text
    await d.press("G", "n")
    assert d.app.files.current.parent.name == "stack3"
    await d.press("n")
    assert d.app.files.current.parent.name == "stack5"


async def v_lists_only_what_changed_and_slash_only_what_is_called_so(d: Driver) -> None:
    await d.press("G", "v")
    assert "Lock files: 2 of 6" in d.text
    assert "stack0/" not in d.text
    assert d.app.files.current.parent.name == "stack3"
    await d.press("v", "slash", *"stack4")
    assert "Lock files: 1 of 6" in d.text
    assert d.app.files.current.parent.name == "stack4"
    await d.press("enter", "enter", "q")
    assert "Lock files: 1 of 6" in d.text
    await d.press("escape")
    assert "stack0/" in d.text
    await d.press("slash", *"nowhere")
    assert "Lock files: 0 of 6" in d.text
    assert "nothing is called so, esc clears" in d.text
    await d.press("escape")
    assert "stack0/" in d.text


def test_with_a_base_the_list_tells_of_the_change() -> None:
    drive(
        changed_in_two(),
        with_a_base_what_changed_comes_first_and_is_marked,
        v_lists_only_what_changed_and_slash_only_what_is_called_so,
        size=(120, 30),
    )


def test_with_a_base_a_file_that_cannot_be_read_may_be_of_the_change() -> None:
    good = of(NULL_ENTRY)
    paths = [PROD.parent / f"stack{number}" / PROD.name for number in range(3)]
    app = files_app(
        {paths[0]: of(TIME_ENTRY), paths[1]: good, paths[2]: CONFLICT},
        keeper=PathKeeper(dict.fromkeys(paths, good)),
        base="main",
    )
    app.setup = replace(app.setup, conflicts=ConflictsInMemory(Disk(CONFLICT)))

    async def scenario(d: Driver) -> None:
        assert d.app.files.current == paths[2]
        await d.press("v")
        assert "Lock files: 2 of 3" in d.text
        assert "m shows what each side locks" in d.prose
        await d.press("m")
        await d.until(lambda: d.shows(ResolvingScreen))
        await d.press("escape", "q", "v", "G", "m")
        assert "this lock file is in no conflict" in d.lines[-1]

    drive(app, scenario)


def test_with_a_base_that_has_all_files_as_they_are_v_says_that_none_is_changed() -> None:
    good = of(NULL_ENTRY)
    paths = [PROD.parent / f"stack{number}" / PROD.name for number in range(2)]
    app = files_app(dict.fromkeys(paths, good), keeper=PathKeeper(dict.fromkeys(paths, good)), base="main")

    async def scenario(d: Driver) -> None:
        await d.press("v")
        assert "no change touches any file here" in d.lines[-1]

    drive(app, scenario)


def test_a_narrow_title_keeps_the_folder_and_the_revision() -> None:
    good = of(NULL_ENTRY)
    paths = [PROD.parent / "platform-services" / f"cluster-{number:02}" / PROD.name for number in range(2)]
    app = files_app(dict.fromkeys(paths, good), keeper=PathKeeper(dict.fromkeys(paths, good)), base="main")

    async def scenario(d: Driver) -> None:
        await d.press("enter")
        assert "cluster-00/  against main" in d.lines[0]

    drive(app, scenario, size=(60, 20))

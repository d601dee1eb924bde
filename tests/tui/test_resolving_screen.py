"""A lock file in conflict on the screen: both sides, other choices, writing after a look, and its other faces."""

from __future__ import annotations

from functools import partial

from fakes.conflicts import CONFLICT, PLAIN, ConflictsInMemory, conflict_app
from fakes.driving import Driver, drive
from fakes.running import Disk

from lockwarden.cli.read_only import read_only
from lockwarden.core.values.errors import LockFileChangedError
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.resolving import ResolvingScreen
from lockwarden.tui.screens.review import ReviewScreen


def test_it_opens_with_both_sides_and_writes_what_is_confirmed_after_a_look() -> None:
    app, disk = conflict_app()

    async def scenario(d: Driver) -> None:
        await d.settle()
        assert d.shows(ResolvingScreen)
        assert "conflict markers at lines" in d.text
        assert "2 providers in conflict, 1 alike; w writes it after a look" in d.prose
        assert "Taken" in d.text
        assert "✗ 1 unexplained" in d.prose
        assert "Left out" in d.prose
        await d.press("space")
        assert "the sides lock the same version of it" in d.lines[-1]
        await d.press("j")
        assert "2.3.0, the higher version" in d.prose
        await d.press("question_mark")
        assert d.shows(HelpScreen)
        assert "On a lock file in conflict" in d.lines[2]
        await d.press("escape", "k")
        await d.press("w")
        await d.reach(FileDiffScreen)
        assert "-<<<<<<< HEAD" in d.text.replace("- <", "-<")
        await d.press("escape")
        assert disk.saved == []
        await d.press("w")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert d.shows(ReviewScreen)
        assert disk.saved == [PLAIN]
        assert d.app.session.review is not None

    drive(app, scenario, size=(120, 40))


def test_other_versions_can_be_taken_of_one_or_of_all() -> None:
    app, _ = conflict_app()

    async def scenario(d: Driver) -> None:
        await d.settle()
        await d.press("j")
        for keys, told in (
            ("space", "2.2.0, the version that was chosen"),
            ("space", "2.3.0, the version that was chosen"),
            ("o", "2.2.0, the version of ours, as was chosen"),
            ("t", "2.3.0, the version of theirs, as was chosen"),
            ("u", "2.3.0, the higher version"),
        ):
            d.hit(keys)
            await d.until(partial(_told, d, told))
        await d.press("d")
        await d.reach(FileDiffScreen)
        await d.press("escape", "escape")
        assert d.shows(ReviewScreen)
        assert "is in conflict" in d.text
        await d.press("m")
        await d.settle()
        assert d.shows(ResolvingScreen)

    drive(app, scenario, size=(80, 24))


def _told(d: Driver, words: str) -> bool:
    return words in d.prose


def test_what_nobody_confirms_cannot_be_written() -> None:
    app, disk = conflict_app(files=ConflictsInMemory(Disk(CONFLICT), silent=True))

    async def scenario(d: Driver) -> None:
        await d.settle()
        assert "cannot be written: nothing is confirmed of acme/gauge, acme/kiln" in d.prose
        await d.press("w")
        assert "nothing is confirmed of some provider" in d.lines[-1]
        assert disk.saved == []

    drive(app, scenario, size=(120, 40))


def test_a_file_that_changed_meanwhile_is_not_written_and_one_without_conflict_says_so() -> None:
    disk = Disk(CONFLICT)
    disk.refusal = LockFileChangedError("it was changed since it was read", hint="read it again")
    app, _ = conflict_app(files=ConflictsInMemory(disk))

    async def scenario(d: Driver) -> None:
        await d.settle()
        await d.press("w")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "Nothing was written" in d.text
        await d.press("escape")
        disk.data = PLAIN
        await d.press("r")
        await d.settle()
        assert "is in no conflict" in d.prose
        await d.press("w")
        assert "the sides were not audited yet" in d.lines[-1]
        disk.data = CONFLICT.replace(b"=======\n", b"")
        await d.press("r")
        await d.settle()
        assert "cannot be resolved" in d.prose

    drive(app, scenario, size=(120, 40))


def test_a_review_that_is_read_only_writes_no_resolved_file() -> None:
    app, disk = conflict_app()
    app.setup = read_only(app.setup)

    async def scenario(d: Driver) -> None:
        await d.settle()
        await d.press("w")
        await d.reach(FileDiffScreen)
        await d.press("right", "enter")
        await d.settle()
        assert "this review is read only, so nothing was written" in d.prose
        assert disk.saved == []

    drive(app, scenario, size=(80, 24))

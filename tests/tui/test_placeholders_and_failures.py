"""What the app shows when it has nothing to show, and when something fails."""

from __future__ import annotations

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import EDGE, HEADER, PLANTED, every_verdict
from fakes.running import Disk, PreparedAudit

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.values.errors import LockFileChangedError, LockFileError, SaveError, ToolError
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.state.progress import Phase

SUSPECT = HashKey.of(EDGE.address, PLANTED)
TWO_FAULTS = b'provider "registry.opentofu.org/a/b" {\n  version = "1.0.0"\n  odd = 1\n  hashes = [ "x" ]\n}\n'


def test_an_unreadable_lock_file_names_every_problem_with_its_line_and_what_to_do() -> None:
    async def scenario(d: Driver) -> None:
        assert "cannot be used" in d.text
        assert "line 3" in d.text
        assert "line 4" in d.text
        assert "→" in d.text
        assert "read it again" in d.text
        await d.press("q")
        await d.settle()

    assert drive(app_of(every_verdict(), disk=Disk(TWO_FAULTS)), scenario) == 2


def test_a_lock_file_that_was_mended_is_read_again() -> None:
    disk = Disk(TWO_FAULTS)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w", "d")
        assert "there is no review yet" in d.lines[-1]
        disk.data = every_verdict().data
        await d.press("r")
        await d.settle()
        assert d.row.hash == PLANTED
        assert d.screen.focused is not None

    drive(app_of(every_verdict(), disk=disk), scenario)


def test_a_file_that_cannot_be_had_at_all_has_a_face_too() -> None:
    disk = Disk(b"", unreadable=LockFileError("there is no lock file x", path="x", hint="run tofu init"))

    async def scenario(d: Driver) -> None:
        assert "there is no lock file x" in d.text
        assert "run tofu init" in d.text

    drive(app_of(every_verdict(), disk=disk), scenario)


def test_an_empty_lock_file_says_why_there_is_nothing_and_is_not_audited() -> None:
    audit = PreparedAudit(())

    async def scenario(d: Driver) -> None:
        assert "locks no provider" in d.text
        assert "tofu init" in d.text

    drive(app_of(every_verdict(), disk=Disk(HEADER.encode()), audit=audit), scenario)
    assert not audit.runs


def test_an_audit_that_fails_as_a_whole_says_why_and_can_be_run_again() -> None:
    audit = PreparedAudit(every_verdict().audits, failure=ToolError("gpg is missing", hint="install gnupg"))

    async def scenario(d: Driver) -> None:
        assert d.phase() is Phase.FAILED
        assert "The audit failed: gpg is missing" in d.text
        assert "install gnupg" in d.text
        assert "Not everything was checked" in d.text
        audit.failure = None
        await d.press("r")
        await d.settle()
        assert "The audit failed" not in d.text
        assert "Do not commit yet" in d.text

    drive(app_of(every_verdict(), audit=audit), scenario)


def test_an_error_in_a_group_of_tasks_is_told_like_any_other() -> None:
    class Grouped(PreparedAudit):
        async def __call__(self, *args: object) -> None:
            raise ExceptionGroup("tasks", [ExceptionGroup("more", [ToolError("gpg is missing")])])

    async def scenario(d: Driver) -> None:
        assert "The audit failed: gpg is missing" in d.text

    drive(app_of(every_verdict(), audit=Grouped(())), scenario)


def test_a_fault_of_our_own_is_shown_as_one_and_not_as_the_inputs() -> None:
    class Broken(PreparedAudit):
        async def __call__(self, *args: object) -> None:
            raise ExceptionGroup("tasks", [KeyError("x"), ToolError("y")])

    app = app_of(every_verdict(), audit=Broken(()))

    async def scenario(d: Driver) -> None:
        await d.settle()
        assert "Lockwarden made a mistake" in d.text
        assert "ExceptionGroup" in d.text

    drive(app, scenario, settled=False)


def test_a_file_that_changed_meanwhile_is_not_overwritten_and_decisions_stay() -> None:
    refusal = LockFileChangedError("the file changed on disk", hint="read it again")
    disk = Disk(every_verdict().data, refusal=refusal)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w", "right", "enter")
        await d.settle()
        assert d.shows(ConfirmScreen)
        assert "Nothing was written" in d.text
        assert "the file changed on disk" in d.text
        await d.press("enter")
        assert d.shows(ReviewScreen)
        assert d.decided(SUSPECT) is Decision.DROP

        await d.press("w", "right", "enter")
        await d.settle()
        disk.refusal = None
        disk.data += b"# another hand\n"
        await d.press("right", "enter")
        await d.settle()
        assert d.review.lock_file.data == disk.data
        assert d.decided(SUSPECT) is Decision.DROP
        await d.press("w", "right", "enter")
        await d.settle()

    drive(app_of(every_verdict(), disk=disk), scenario)
    assert disk.saved
    assert disk.data.endswith(b"# another hand\n")
    assert PLANTED.text.encode() not in disk.data


def test_a_disk_that_refuses_leaves_only_the_way_back() -> None:
    disk = Disk(every_verdict().data, refusal=SaveError("the disk is full", hint="make room"))

    async def scenario(d: Driver) -> None:
        await d.press("space", "w", "right", "enter")
        await d.settle()
        assert "the disk is full" in d.text
        assert "Read it again" not in d.text
        await d.press("enter")
        assert d.shows(ReviewScreen)

    drive(app_of(every_verdict(), disk=disk), scenario)


def test_a_file_that_cannot_be_read_after_writing_shows_it() -> None:
    disk = Disk(every_verdict().data)

    async def scenario(d: Driver) -> None:
        await d.press("space", "w")
        disk.unreadable = LockFileError("it is gone", path="x")
        await d.press("right", "enter")
        await d.settle()
        assert "it is gone" in d.text

    drive(app_of(every_verdict(), disk=disk), scenario)


def test_what_is_odd_about_the_file_stands_above_the_panes() -> None:
    class Warned(Disk):
        def load(self, path: object) -> LockFile:
            return super().load(path)  # type: ignore[arg-type]

    data = every_verdict().data.replace(b'"zh:', b'"ZH:', 1)

    async def scenario(d: Driver) -> None:
        assert d.review.lock_file.data == data

    drive(app_of(every_verdict(), disk=Warned(data)), scenario)


def test_a_fault_that_comes_when_no_screen_is_left_is_what_the_app_ended_by() -> None:
    app = app_of(every_verdict())
    app.show_fault(ValueError("nobody expected this"))
    assert app.fault == "ValueError: nobody expected this"

"""The installed command in a real terminal: progress on stderr, and leaving the screens at any moment."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Final

import pytest
from servers.installed import HELD_AGAINST_NOTHING, PATIENCE, Lockwarden
from servers.terminal import Terminal
from servers.terraform import Workspace

_ALTERNATE_SCREEN_LEFT = b"\x1b[?1049l"
ENDED: Final = {"q": 3, "SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
"""With which exit code."""


def ended(terminal: Terminal) -> int:
    return terminal.process.wait(timeout=PATIENCE)


def test_check_shows_progress_on_stderr_and_nothing_but_the_report_on_stdout(
    workspace: Workspace, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    report = tmp_path / "report.txt"
    with (
        report.open("wb") as file,
        lockwarden.in_terminal("check", folder=workspace.folder, results=file.fileno()) as terminal,
    ):
        assert ended(terminal) == 0
        terminal.wait_for(b"3/3", seconds=PATIENCE)
    assert report.read_text().startswith(
        f".terraform.lock.hcl: Nothing to object to: 12 confirmed\n{HELD_AGAINST_NOTHING}\n"
    )


def test_progress_leaves_the_line_of_an_interrupted_check(
    workspace: Workspace, lockwarden: Lockwarden, stalled: threading.Event
) -> None:
    with lockwarden.in_terminal("check", folder=workspace.folder) as terminal:
        assert stalled.wait(PATIENCE)
        terminal.process.send_signal(signal.SIGINT)
        assert ended(terminal) == 130
        terminal.wait_for(b"\x1b[?25h", seconds=PATIENCE)
    assert b"Traceback" not in terminal.shown
    assert lockwarden.leftovers() == []


def test_a_server_that_hangs_is_named_while_it_does(
    workspace: Workspace, lockwarden: Lockwarden, stalled: threading.Event
) -> None:
    with lockwarden.in_terminal("check", "--no-cache", folder=workspace.folder) as terminal:
        assert stalled.wait(PATIENCE)
        terminal.wait_for(b"without an answer from ", seconds=PATIENCE)
        terminal.process.send_signal(signal.SIGINT)
        assert ended(terminal) == 130


@pytest.mark.parametrize("how", ["q", "SIGINT", "SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.thorough)])
def test_leaving_the_review_in_the_middle_of_an_audit_leaves_nothing_behind(
    workspace: Workspace, lockwarden: Lockwarden, stalled: threading.Event, how: str
) -> None:
    before = workspace.lock_file.read_bytes()
    names = sorted(path.name for path in workspace.folder.iterdir())
    with lockwarden.in_terminal("--no-cache", ".", folder=workspace.folder) as terminal:
        assert stalled.wait(PATIENCE)
        if how == "q":
            terminal.press(b"q")
        else:
            terminal.process.send_signal(signal.Signals[how])
        assert ended(terminal) == ENDED[how]
        terminal.wait_for(_ALTERNATE_SCREEN_LEFT, seconds=PATIENCE)
    assert b"Traceback" not in terminal.shown
    assert workspace.lock_file.read_bytes() == before
    assert sorted(path.name for path in workspace.folder.iterdir()) == names
    assert lockwarden.leftovers() == []


def test_what_cannot_be_read_opens_no_screen(lockwarden: Lockwarden, tmp_path: Path) -> None:
    with lockwarden.in_terminal(tmp_path, folder=tmp_path) as terminal:
        assert ended(terminal) == 2
        terminal.wait_for(b"there is no lock file", seconds=PATIENCE)
    assert b"\x1b[?1049h" not in terminal.shown

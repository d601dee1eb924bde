"""The review in a terminal that sends what is no key, breaks, or goes away: no traceback, and never exit code 0."""

from __future__ import annotations

import os
import pty
import select
import signal
from pathlib import Path

import pytest
from servers.installed import PATIENCE, Lockwarden
from servers.terminal import Terminal, in_terminal
from servers.warm import started

NO_KEYS = (
    b"\x1b[<0;5",
    b"\xff\xfe",
    b"\xe9",
    b"\xe9\xe8",
    b"\xc3",
    b"\x1b[M\x20\xe9\xe9",
    b"\x1b[M\x20\xc3\xa9",
    b"\x1b[M\x20\x20\x20",
    b"\x1b[1114112u",
    b"\x1b[55296;1;55296u",
    b"\x1b[48;90000;90000;1;1t",
    b"\x1b[48;0;0;0;0t",
)
"""No UTF-8, old mouse reports, codes of no character, impossible sizes, a report that breaks off."""
PASTED = b"\x1b[200~\x1b[31m" + b"q" * 40 + b"caf\xe9 " * 30_000 + b"\x1b[201~"
"""In colours, with what would leave the review, Latin-1, and more than twice of what a pipe holds."""
QUIT = b"\x11"
DROPPED = b"drop\x1b"
"""A cell of the table of hashes: the word and the end of its style. The reasons say it with others behind it."""
TOO_EARLY = b"changed just now"
BROKEN = """
from lockwarden.tui.screens.choice import ChoiceScreen
def broken(self):
    secret = "s3cr3t"
    raise ValueError("a fault")
ChoiceScreen.action_stay = broken
"""
REVIEWED = b"1/1 providers"
LEFT = b"\x1b[?1049l"
"""The alternate screen is left."""


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A folder with a lock file whose review without the network opens at once."""
    folder = tmp_path / "infra"
    folder.mkdir()
    hashes = "".join(f'    "zh:{two * 32}",\n' for two in ("ab", "cd"))
    (folder / ".terraform.lock.hcl").write_text(
        f'\nprovider "registry.opentofu.org/acme/widget" {{\n  version = "1.0.0"\n  hashes = [\n{hashes}  ]\n}}\n'
    )
    return folder


def drop_one(terminal: Terminal, *, reviewed: bytes = REVIEWED) -> None:
    """Drop the selected hash, and be asked whether that is to be lost.

    A key decides nothing before a person has had time to see what is on the screen. Then it says so, and is pressed
    again.
    """
    terminal.wait_for(reviewed, seconds=PATIENCE)
    begin = len(terminal.shown)
    terminal.press(b" ")
    terminal.wait_until(lambda shown: DROPPED in shown[begin:] or TOO_EARLY in shown[begin:], seconds=PATIENCE)
    while DROPPED not in terminal.shown[begin:]:
        begin = len(terminal.shown)
        terminal.press(b"\x1b[B\x1b[A")
        terminal.wait_until(lambda shown: b"Decide" in shown[begin:], seconds=PATIENCE)  # noqa: B023
        begin = len(terminal.shown)
        terminal.press(b" ")
        terminal.wait_until(lambda shown: DROPPED in shown[begin:] or TOO_EARLY in shown[begin:], seconds=PATIENCE)  # noqa: B023
    terminal.press(QUIT)
    terminal.wait_for(b"1 decision would be lost", seconds=PATIENCE)


def test_what_is_no_key_neither_decides_nor_ends_the_demo_which_removes_its_world(
    lockwarden: Lockwarden, tmp_path: Path
) -> None:
    with lockwarden.in_terminal("demo", folder=tmp_path) as terminal:
        terminal.wait_for(b"demo: infra/.terraform.lock.hcl", seconds=PATIENCE)
        terminal.wait_for(b"Do not commit yet", seconds=PATIENCE)
        for each in NO_KEYS:
            terminal.press(each)
        terminal.press(PASTED)
        drop_one(terminal, reviewed=b"11/11 providers")
        terminal.press(b"y")
        assert terminal.process.wait(timeout=PATIENCE) == 1
        terminal.wait_for(LEFT, seconds=PATIENCE)
    assert b"Traceback" not in terminal.shown
    assert lockwarden.leftovers() == []


def test_a_fault_ends_the_review_with_a_sentence_and_names_what_was_not_written(
    lockwarden: Lockwarden, locked: Path
) -> None:
    environment = lockwarden.environment
    with in_terminal(["--offline"], folder=locked, environment=environment, forked=True, before=BROKEN) as terminal:
        drop_one(terminal)
        terminal.press(b"\x1b")
        assert terminal.process.wait(timeout=PATIENCE) == 2
        terminal.wait_for(b"ValueError: a fault", seconds=PATIENCE)
        terminal.wait_for(b"what was decided is not in the lock file", seconds=PATIENCE)
        terminal.wait_for(b"  drop ", seconds=PATIENCE)
    assert b"Traceback" not in terminal.shown
    assert b"s3cr3t" not in terminal.shown
    assert lockwarden.leftovers() == []


def test_a_signal_names_what_was_not_written_also_after_one_to_go_on_after_no_stop(
    lockwarden: Lockwarden, locked: Path
) -> None:
    """The system sends both together when the terminal is gone."""
    with lockwarden.in_terminal("--offline", folder=locked) as terminal:
        terminal.wait_for(REVIEWED, seconds=PATIENCE)
        terminal.process.send_signal(signal.SIGCONT)
        drop_one(terminal)
        terminal.process.send_signal(signal.SIGHUP)
        assert terminal.process.wait(timeout=PATIENCE) == 128 + signal.SIGHUP
        terminal.wait_for(b"what was decided is not in the lock file", seconds=PATIENCE)
    assert lockwarden.leftovers() == []


def test_a_terminal_that_is_gone_ends_the_review_as_unfinished(lockwarden: Lockwarden, locked: Path) -> None:
    master, slave = pty.openpty()
    environment = {**lockwarden.environment, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = started(["--offline"], folder=locked, environment=environment, streams=(slave,) * 3)
    os.close(slave)
    try:
        shown = b""
        while REVIEWED not in shown:
            assert select.select([master], [], [], PATIENCE)[0], shown
            shown += os.read(master, 65536)
    finally:
        os.close(master)
    try:
        assert process.wait(timeout=PATIENCE) == 2
    finally:
        process.kill()
    assert lockwarden.leftovers() == []

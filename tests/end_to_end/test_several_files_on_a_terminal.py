"""The installed command on several real lock files, in a real terminal: list, review, one decision for all, writing."""

from __future__ import annotations

import shutil
from pathlib import Path

from servers.installed import PATIENCE, Lockwarden
from servers.terminal import Terminal
from servers.terraform import Workspace

_ALTERNATE_SCREEN_LEFT = b"\x1b[?1049l"
_TOO_EARLY = b"nothing was decided"
_PLANTED = b"zh:" + b"5a" * 32


def _planted(lock_file: Path) -> None:
    """Plant a hash that nobody vouches for in the first entry."""
    data = lock_file.read_bytes()
    lock_file.write_bytes(data.replace(b"  ]\n", b'    "' + _PLANTED + b'",\n  ]\n', 1))


def _after(terminal: Terminal, keys: bytes, text: bytes) -> None:
    """Press keys and wait for what has to come of it."""
    terminal.press(keys)
    terminal.wait_for(text, seconds=PATIENCE)


def _dropped(terminal: Terminal, text: bytes) -> None:
    """Press space until the hash is dropped: what was on the screen only for a moment nobody has seen.

    An earlier refusal may be drawn once more beside the decision; the next space takes that back, and one more drops.
    """
    while b"drop zh:" not in _answer(terminal, b" ", text, _TOO_EARLY):
        _answer(terminal, b"\x1b[B", b"confirmed")
        _answer(terminal, b"\x1b[A", b"disowned")


def _answer(terminal: Terminal, keys: bytes, *texts: bytes) -> bytes:
    """Press keys, wait until one of the texts was drawn because of it, and give what was drawn."""
    begin = len(terminal.shown)
    terminal.press(keys)
    terminal.wait_until(lambda shown: any(text in shown[begin:] for text in texts), seconds=PATIENCE)
    return terminal.shown[begin:]


def test_one_decision_mends_two_files_that_hold_the_same_planted_hash(
    workspace: Workspace, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    _planted(workspace.lock_file)
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(workspace.lock_file, other)
    before = workspace.lock_file.read_bytes()

    with lockwarden.in_terminal(workspace.folder, other, tmp_path / "gone", folder=tmp_path) as terminal:
        terminal.wait_for(b"2 with findings", seconds=PATIENCE)
        terminal.wait_for(b"Cannot be read", seconds=PATIENCE)
        terminal.wait_for(b"3/3 providers", seconds=PATIENCE)
        _after(terminal, b"\r", b"Signed by")
        _after(terminal, b"n", b"drop it")
        _dropped(terminal, b"also in 1")
        _after(terminal, b"q", b"2 decisions unwritten")
        _after(terminal, b"w", b"drops 2 in 2 files")
        assert workspace.lock_file.read_bytes() == before
        _after(terminal, b"\x1b[C\r", b"2 nothing to object to")
        terminal.press(b"q")
        assert terminal.process.wait(timeout=PATIENCE) == 2
        terminal.wait_for(_ALTERNATE_SCREEN_LEFT, seconds=PATIENCE)

    after = before.replace(b'    "' + _PLANTED + b'",\n', b"")
    assert workspace.lock_file.read_bytes() == (other / workspace.lock_file.name).read_bytes() == after
    assert lockwarden.leftovers() == []

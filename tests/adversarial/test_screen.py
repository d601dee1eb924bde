"""The review in a real terminal, while every party says what it would like the terminal to do."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from adversarial.saying import CONTROL
from adversarial.scene import Scene
from servers.warm import CLIENT, server

SIZE = ("-x", "120", "-y", "40")
PATIENCE = 60
KEYS = (
    *["j"] * 9,
    "h",
    *["j", "l", "Enter", "Down", "Escape", "h"] * 8,
    "K",
    "Escape",
    "c",
    "Escape",
    "s",
    "Escape",
    "d",
    "?",
)
"""Some providers with the details of their first hash; then every screen."""
FORBIDDEN = (
    b"\x1b]0;owned",
    b"\x1b]8;;http://evil",
    b"\x1b]52;",
    b"\xc2\x9b",
    b"\xc2\x9d",
    b"\xe2\x80\xae",
    b"\xe2\x80\x8b",
)
"""A title, a link, the clipboard, C1, the direction of text, zero width."""


class Tmux:
    """A tmux server of its own with the program in it, and everything that the program has written."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self._socket = folder / "tmux"
        self.written = folder / "written"
        environment = {**scene.environment, "TERM": "xterm-256color"}
        words = [f"{name}={value}" for name, value in environment.items()]
        command = shlex.join(["env", "-i", *words, sys.executable, "-IS", CLIENT, str(server()), "."])
        self.ask("-f", "/dev/null", "new-session", "-d", *SIZE, "-c", str(scene.folder), f"sleep 0.5; exec {command}")
        self.ask("set-option", "-g", "set-clipboard", "on")
        self.ask("pipe-pane", "-o", f"cat > {shlex.quote(str(self.written))}")

    def ask(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-S", str(self._socket), *arguments], capture_output=True, text=True)
        return done.stdout

    @property
    def shown(self) -> str:
        """The characters on the screen."""
        return self.ask("capture-pane", "-p")

    def wait_for(self, text: str) -> None:
        for _ in range(PATIENCE * 10):
            if text in self.shown:
                return
            time.sleep(0.1)
        raise AssertionError(self.shown)

    def press(self, key: str) -> None:
        """Press a key and wait until the screen has come to rest."""
        self.ask("send-keys", key)
        before = ""
        for _ in range(50):
            time.sleep(0.1)
            if before == (before := self.shown):
                return


@pytest.fixture
def terminal(hostile: Scene, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.fail("tmux is needed for this test")
    made = Tmux(hostile, tmp_path_factory.mktemp("t"))
    try:
        yield made
    finally:
        made.ask("kill-server")


def test_nothing_that_anybody_says_reaches_the_terminal_as_a_command(hostile: Scene, terminal: Tmux) -> None:
    locked = hostile.lock_file.read_bytes()
    terminal.wait_for("9/9")
    shown = [terminal.shown]
    for key in KEYS:
        terminal.press(key)
        shown.append(terminal.shown)
    written = terminal.written.read_bytes()
    assert [each for each in FORBIDDEN if each in written] == []
    assert not [screen for screen in shown if CONTROL.search(screen)]
    assert any("<U+001B>]0;owned" in screen for screen in shown)
    assert "owned" not in terminal.ask("display-message", "-p", "#{pane_title}")
    assert terminal.ask("list-buffers") == ""
    assert terminal.ask("list-panes", "-F", "#{pane_dead} #{pane_current_command}").startswith("0 ")
    assert hostile.lock_file.read_bytes() == locked

"""A tmux server of its own: windows, keys, and what they show."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PATIENCE: Final = 60.0
"""Seconds until what was waited for is taken for something that never comes."""
_BETWEEN_LOOKS: Final = 0.05
_AT_REST: Final = 0.15
"""Seconds in which nothing changes when something is at rest; longer than the app waits for the rest of a key."""
_CHANGES: Final = 1.0
"""Seconds within which most keys change something; one that changes nothing costs that much."""


@dataclass
class Tmux:
    """A server that listens at a socket of its own."""

    socket: Path

    def ask(self, *words: str) -> list[str]:
        """The lines that a command prints; fails the test where tmux refuses it, or does not answer."""
        done = subprocess.run(
            ["tmux", "-S", self.socket, "-f", "/dev/null", *words],
            cwd=self.socket.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout.splitlines()


@dataclass
class Window:
    """One window of some size with a shell in it."""

    tmux: Tmux
    target: str
    pressed: list[str] = field(default_factory=list)

    @property
    def shown(self) -> str:
        """The characters on the screen."""
        return "\n".join(self.tmux.ask("capture-pane", "-p", "-t", self.target))

    def wait_for(self, *texts: str) -> None:
        """Wait until all texts are on the screen, however they are wrapped."""
        wanted = [_letters(each) for each in texts]
        self._wait(lambda shown: all(each in _letters(shown) for each in wanted), f"{texts} after {self.pressed}")

    def wait_for_end(self, text: str) -> None:
        """Wait until this is the last that is on the screen."""
        self._wait(lambda shown: shown.rstrip().endswith(text), f"{text} after {self.pressed}")

    def _wait(self, condition: Callable[[str], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition(shown := self.shown):
            assert time.monotonic() < deadline, f"{what}\n{shown}"
            time.sleep(_BETWEEN_LOOKS)

    def press(self, key: str) -> None:
        """Press a key by tmux's name of it, and wait until something has changed, or nothing does.

        Escape has to change something: with a key right behind it, it would be the begin of that one.
        """
        self.pressed.append(key)
        before, deadline = self.shown, time.monotonic() + (PATIENCE if key == "Escape" else _CHANGES)
        self.tmux.ask("send-keys", "-t", self.target, key)
        while self.shown == before and time.monotonic() < deadline:
            time.sleep(_BETWEEN_LOOKS)

    def rest(self) -> None:
        """Wait until nothing changes any more; an escape is told from the begin of another key by then, too."""
        before = ""
        while before != (before := self.shown):
            time.sleep(_AT_REST)

    def write(self, text: str) -> None:
        """Type a text, all of it at once, where the screen is at rest."""
        self.rest()
        self.pressed.append(f"“{text}”")
        self.tmux.ask("send-keys", "-t", self.target, "-l", text)
        self.wait_for(text[-20:])


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Tmux]:
    """A server until the block ends."""
    tmux = Tmux(folder / "tmux")
    tmux.ask("new-session", "-d", "-x", "120", "-y", "40")
    try:
        yield tmux
    finally:
        with contextlib.suppress(AssertionError, OSError, subprocess.TimeoutExpired):
            tmux.ask("kill-server")


def shell(tmux: Tmux, size: tuple[int, int], folder: Path, environment: Mapping[str, str]) -> Window:
    """A window of a size with a shell that stops and continues programs."""
    words = [f"{name}={value}" for name, value in environment.items()]
    command = shlex.join(["env", "-i", *words, "bash", "--norc", "--noprofile", "-i"])
    (target,) = tmux.ask("new-window", "-P", "-F", "#{window_id}", "-c", str(folder), command)
    tmux.ask("resize-window", "-t", target, "-x", str(size[0]), "-y", str(size[1]))
    return Window(tmux, target)


def _letters(shown: str) -> str:
    """What is on a screen without frames, blanks and line ends, which may be anywhere."""
    return "".join(char for char in shown if not (char.isspace() or "\u2500" <= char <= "\u259f"))

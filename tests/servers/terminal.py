"""A pseudo-terminal with a program in it, as a person would sit in front of it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from servers.warm import Forked, started

_LINES, _COLUMNS = 40, 120


@dataclass(slots=True, kw_only=True)
class Terminal:
    """What the program shows, and a way to press keys."""

    process: subprocess.Popen[bytes] | Forked
    _master: int
    _shown: bytearray = field(default_factory=bytearray)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _ended: bool = False

    def press(self, keys: bytes) -> None:
        """Press some keys."""
        os.write(self._master, keys)

    @property
    def shown(self) -> bytes:
        """Everything that was sent to the terminal so far, control sequences included."""
        with self._changed:
            return bytes(self._shown)

    def wait_for(self, text: bytes, *, seconds: float) -> None:
        """Wait until the text was sent to the terminal; fails when that takes too long."""
        self.wait_until(lambda shown: text in shown, seconds=seconds)

    def wait_until(self, condition: Callable[[bytearray], bool], *, seconds: float) -> None:
        """Wait until what was sent to the terminal is so; fails when that takes too long, or nothing more can come."""
        with self._changed:
            self._changed.wait_for(lambda: condition(self._shown) or self._ended, timeout=seconds)
            arrived = condition(self._shown)
        assert arrived, self.shown[-2000:]

    def follow(self) -> None:
        """Take in what the program shows until it has ended."""
        piece = b"-"
        while piece:
            try:
                piece = os.read(self._master, 65536)
            except OSError:  # the last program has closed it
                piece = b""
            with self._changed:
                self._shown += piece
                self._ended = not piece
                self._changed.notify_all()


def _installed(
    command: Sequence[str | Path], folder: Path, environment: Mapping[str, str], streams: tuple[int, int, int]
) -> subprocess.Popen[bytes]:
    given, out, err = streams
    return subprocess.Popen(
        list(command), cwd=folder, env=environment, stdin=given, stdout=out, stderr=err, start_new_session=True
    )


@contextlib.contextmanager
def in_terminal(
    command: Sequence[str | Path],
    *,
    folder: Path,
    environment: Mapping[str, str],
    results: int | None = None,
    columns: int = _COLUMNS,
    forked: bool = False,
    before: str = "",
    typed: bytes = b"",
) -> Iterator[Terminal]:
    """Run a program in a terminal until the block ends; `results` is a file descriptor for its stdout instead.

    What is `typed` waits for the program before it begins.

    Where it is to be `forked`, the program is `lockwarden`, and the command are its arguments; Python that comes
    `before` is run in its process first.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, columns, 0, 0))
    os.write(master, typed)
    streams = (slave, slave if results is None else results, slave)
    environment = {"TERM": "xterm-256color", **environment}
    process: subprocess.Popen[bytes] | Forked
    if forked:
        process = started(command, folder=folder, environment=environment, streams=streams, before=before)
    else:
        process = _installed(command, folder, environment, streams)
    os.close(slave)
    terminal = Terminal(process=process, _master=master)
    follower = threading.Thread(target=terminal.follow, daemon=True)
    follower.start()
    try:
        yield terminal
    finally:
        process.kill()
        process.wait()
        follower.join()
        os.close(master)

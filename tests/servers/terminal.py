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

_LINES, _COLUMNS = 40, 120


@dataclass(slots=True, kw_only=True)
class Terminal:
    """What the program shows, and a way to press keys."""

    process: subprocess.Popen[bytes]
    _master: int
    _shown: bytearray = field(default_factory=bytearray)
    _changed: threading.Condition = field(default_factory=threading.Condition)

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
        """Wait until what was sent to the terminal is so; fails when that takes too long."""
        with self._changed:
            arrived = self._changed.wait_for(lambda: condition(self._shown), timeout=seconds)
        assert arrived, self.shown[-2000:]

    def follow(self) -> None:
        """Take in what the program shows until it has ended."""
        while True:
            try:
                piece = os.read(self._master, 65536)
            except OSError:
                return
            if not piece:
                return
            with self._changed:
                self._shown += piece
                self._changed.notify_all()


@contextlib.contextmanager
def in_terminal(
    command: Sequence[str | Path],
    *,
    folder: Path,
    environment: Mapping[str, str],
    results: int | None = None,
    columns: int = _COLUMNS,
) -> Iterator[Terminal]:
    """Run a program in a terminal until the block ends; `results` is a file descriptor for its stdout instead."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, columns, 0, 0))
    process = subprocess.Popen(
        list(command),
        cwd=folder,
        env={"TERM": "xterm-256color", **environment},
        stdin=slave,
        stdout=slave if results is None else results,
        stderr=slave,
        start_new_session=True,
    )
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

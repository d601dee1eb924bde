"""The app in a terminal of its own: how long it takes to open, and how long keys take to be seen."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from typing import Final

from benchmarks.large_review import lock_text
from benchmarks.processes import RunError

_KEYS: Final = (b"j", b"j", b"n", b"N", b"l", b" ", b"z", b"h", b"k", b"/", b"\x1b", b"K", b"\x1b", b"?", b"\x1b")
"""Each changes what is seen: one that does not would be measured until the next result is drawn."""
_BETWEEN: Final = 0.2
"""Seconds from one key to the next; what follows an escape within a tenth of a second would belong to it."""
_OPENING: Final = frozenset({"slash", "escape", "K", "question_mark"})
"""Keys that open a screen or another line, or leave it, so that everything is laid out anew."""
_ROUNDS: Final = 4
_SHOWN: Final = b"p0000"
_PATIENCE: Final = 60.0


def write_lock_file(folder: Path) -> Path:
    """The large lock file, in a folder."""
    file = folder / ".terraform.lock.hcl"
    file.write_text(lock_text(), encoding="ascii")
    return file


def seconds_to_open(command: Sequence[str], *, folder: Path, environ: Mapping[str, str]) -> float:
    """Seconds from the start of the process until the first provider is on the screen."""
    start = time.perf_counter()
    with _terminal(command, folder, environ) as terminal:
        _wait_for(terminal, _SHOWN)
        return time.perf_counter() - start


def seconds_of_keys(file: Path, *, environ: Mapping[str, str]) -> tuple[list[float], list[float]]:
    """Seconds that every key took while results arrived: of those that move or decide, of those that open or leave."""
    keys = file.parent / "keys.txt"
    command = [sys.executable, "-m", "benchmarks.large_review", str(file), str(keys)]
    root = Path(__file__).resolve().parent.parent
    with _terminal(command, root, environ) as terminal:
        _wait_for(terminal, _SHOWN)
        for key in _KEYS * _ROUNDS:
            os.write(terminal, key)
            _read_for(terminal, _BETWEEN)
    told = [line.split() for line in keys.read_text(encoding="ascii").splitlines()]
    moving = [float(seconds) for key, seconds in told if key not in _OPENING]
    return moving, [float(seconds) for key, seconds in told if key in _OPENING]


@contextmanager
def _terminal(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Iterator[int]:
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve(command[0], list(command), {**environ, "TERM": "xterm-256color"})  # noqa: S606
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    try:
        yield terminal
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _wait_for(terminal: int, text: bytes) -> None:
    shown, end = b"", time.monotonic() + _PATIENCE
    while text not in shown:
        if time.monotonic() > end:
            raise RunError("the app did not show the lock file")
        shown = (shown + _read_for(terminal, 0.005))[-200_000:]


def _read_for(terminal: int, seconds: float) -> bytes:
    pieces, end = [], time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            try:
                pieces.append(os.read(terminal, 65_536))
            except OSError as error:
                raise RunError("the app ended by itself") from error
    return b"".join(pieces)

"""The command in a process of its own that need not load it first: forked from one that has, once for all workers.

Signals, terminals, streams and exit are as for the installed command. What is not, and needs that one: what it loads,
where from, and what of its environment its libraries read when they are loaded.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import signal
import socket as sockets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from servers.packed import begin_session
from servers.warm_client import NUMBER, ask, connected

CLIENT: Final = str(Path(__file__).with_name("warm_client.py"))
"""A program that stands for the command: its first word is where the process that forks listens."""


@dataclass(kw_only=True)
class Forked:
    """A process that was forked, with what `subprocess.Popen` has of it."""

    pid: int
    args: Sequence[str]
    returncode: int | None = None
    _line: sockets.socket
    _said: tuple[_Said, ...] = ()

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        with contextlib.suppress(TimeoutError):
            self._hear(0.0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has ended. Raises TimeoutExpired."""
        try:
            self._hear(timeout)
        except TimeoutError as error:
            raise subprocess.TimeoutExpired(list(self.args), timeout or 0) from error
        assert self.returncode is not None
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it wrote, when it has ended."""
        self.wait(timeout)
        out, err = (each.text() for each in self._said)
        return out, err

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def _hear(self, timeout: float | None) -> None:
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                told = self._line.recv(NUMBER)
            except BlockingIOError as error:
                raise TimeoutError from error
            assert told, "the process that forks is gone"
            self.returncode = os.waitstatus_to_exitcode(int.from_bytes(told, "big"))
            self._line.close()


class _Said:
    """What comes through a pipe, taken in while it comes."""

    def __init__(self) -> None:
        self._from, self.to = os.pipe()
        self._data = b""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        with open(self._from, "rb") as file:  # noqa: PTH123
            self._data = file.read()

    def text(self) -> str:
        """All of it, once nobody writes any more."""
        self._reading.join()
        return self._data.decode()


def started(
    arguments: Sequence[str | Path],
    *,
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[int, int, int] | None = None,
    before: str = "",
) -> Forked:
    """The command in a session of its own; without `streams` it reads nothing, and what it writes is kept.

    Python that comes `before` is run in its process first.
    """
    words = ["lockwarden", *map(str, arguments)]
    said = () if streams else (_Said(), _Said())
    line = connected(str(server()))
    with Path(os.devnull).open("rb") as nothing:
        given = streams or (nothing.fileno(), *(each.to for each in said))
        pid = ask(line, words, str(folder), environment, given, before)
    for each in said:
        os.close(each.to)
    return Forked(pid=pid, args=words, _line=line, _said=said)


@cache
def server() -> Path:
    """Where the process that forks listens; the first worker that needs it starts it."""
    path = begin_session() / "warm"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            _stay(path)
        except OSError:
            path.unlink(missing_ok=True)
            _start(path)
            _stay(path)
    return path


def _stay(path: Path) -> None:
    """Be connected until this process ends, which keeps the process that forks."""
    atexit.register(connected(str(path)).close)


def _start(path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "servers.warm_server", path],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        check=True,
    )

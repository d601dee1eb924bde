"""The command in a process of its own that need not load it first: forked from one that has, once for all workers.

Signals, terminals, streams and exit are as for the installed command. What is not, and needs that one: what it loads,
where from, and what of its environment its libraries read when they are loaded. `python -m servers.warm PATH` is the
process that forks; it listens at a socket, and ends when nobody is connected any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import random
import selectors
import signal
import socket as sockets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from servers.packed import begin_session
from servers.warm_client import NUMBER, ask, connected

_LOADED: Final = (
    "cli.main",
    "cli.check",
    "cli.demo",
    "cli.lock",
    "cli.audits",
    "cli.process_place",
    "cli.review_setup",
    "cli.review",
    "cli.look",
    "core.engine.absence",
    "core.http.client",
    "core.reports.markdown",
    "core.sources.network_mirror",
    "tui.app",
    "tui.keymap",
    "tui.terminal",
)
_OF_OTHERS: Final = (
    "anyio._backends._asyncio",
    "concurrent.futures.thread",
    "textual.drivers.headless_driver",
    "textual.layouts.horizontal",
    "textual.layouts.stream",
    "textual.scrollbar",
)
_LONGEST: Final = 1 << 20
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
            _staying.append(connected(str(path)))
        except OSError:
            path.unlink(missing_ok=True)
            _start(path)
            _staying.append(connected(str(path)))
    return path


_staying: list[sockets.socket] = []
"""The connection that keeps the process that forks, until this process ends."""


def _start(path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "servers.warm", path],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        check=True,
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    words: list[str]
    folder: str
    environment: dict[str, str]
    before: str
    streams: list[int]

    def become(self) -> None:
        """Be a process that was started with these words, streams and variables in a folder."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for place, number in enumerate(self.streams):
            os.dup2(number, place)
        os.closerange(3, 256)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        tempfile.tempdir = None
        random.seed()
        sys.argv = self.words
        sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
        sys.stdout = sys.__stdout__ = _writer(1, errors="strict")  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = _writer(2, errors="backslashreplace")  # type: ignore[misc]


def _writer(number: int, *, errors: str) -> TextIOWrapper:
    return open(number, "w", encoding="utf-8", errors=errors, closefd=False)


@dataclass(kw_only=True)
class _Listener:
    own: sockets.socket
    lines: dict[int, sockets.socket] = field(default_factory=dict)
    """The connection that waits for the end of each process."""
    others: set[sockets.socket] = field(default_factory=set)

    def forked(self) -> _Asked | None:
        """Serve until nobody is there any more, which is None; in a forked process, what it shall run."""
        heard, woken = os.pipe()
        os.set_blocking(woken, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(woken)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.own, selectors.EVENT_READ)
            waiting.register(heard, selectors.EVENT_READ)
            while True:
                for key, _ in waiting.select():
                    if key.fileobj is self.own:
                        line, _ = self.own.accept()
                        self.others.add(line)
                        waiting.register(line, selectors.EVENT_READ)
                    elif key.fileobj == heard:
                        os.read(heard, 4096)
                        self._reap()
                    else:
                        line = key.fileobj  # type: ignore[assignment]
                        waiting.unregister(line)
                        self.others.discard(line)
                        if asked := self._asked(line):
                            if not (pid := os.fork()):
                                for number in (heard, woken):
                                    os.close(number)
                                return asked
                            self.lines[pid] = line
                            line.sendall(pid.to_bytes(NUMBER, "big"))
                            for number in asked.streams:
                                os.close(number)
                        else:
                            line.close()
                if not self.others and not self.lines:
                    return None

    def _asked(self, line: sockets.socket) -> _Asked | None:
        head, numbers, _, _ = sockets.recv_fds(line, NUMBER, 3)
        if len(head) < NUMBER:
            return None
        told = b""
        while len(told) < int.from_bytes(head, "big"):
            told += line.recv(_LONGEST)
        words, folder, environment, before = json.loads(told)
        return _Asked(words=words, folder=folder, environment=environment, before=before, streams=numbers)

    def _reap(self) -> None:
        while self.lines:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            with self.lines.pop(pid) as line, contextlib.suppress(OSError):
                line.sendall(status.to_bytes(NUMBER, "big"))


def _load() -> None:
    for name in (*(f"lockwarden.{each}" for each in _LOADED), *_OF_OTHERS):
        __import__(name)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    with sockets.socket(sockets.AF_UNIX) as _listening:
        _listening.bind(sys.argv[1])
        _listening.listen(64)
        _load()
        if os.fork():
            os._exit(0)  # whoever waits for this one knows that it listens
        _given = _Listener(own=_listening).forked()
    if _given is not None:
        _given.become()
        exec(_given.before)
        from lockwarden.cli.start import main

        sys.exit(main())

"""The process that forks: `python -m servers.warm_server PATH` loads the command, and listens at a socket.

It ends when nobody is connected any more.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import random
import selectors
import signal
import socket as sockets
import sys
import tempfile
from dataclasses import dataclass, field
from io import TextIOWrapper
from typing import Final

from servers.warm_client import NUMBER

_LONGEST: Final = 1 << 20


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
            if not (piece := line.recv(_LONGEST)):
                return None  # whoever asked has ended
            told += piece
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
    """Load what commands and the review need, once for all of them."""
    import concurrent.futures.thread  # noqa: F401

    import anyio._backends._asyncio  # noqa: F401
    import textual.drivers.headless_driver
    import textual.layouts.horizontal
    import textual.layouts.stream
    import textual.scrollbar  # noqa: F401

    import lockwarden.cli
    import lockwarden.core
    import lockwarden.tui.app
    import lockwarden.tui.keymap
    import lockwarden.tui.terminal
    from lockwarden.cli.main import lockwarden as command

    # A command loads most of its parts where it first needs them, which each of the forked ones would do again.
    for package in (lockwarden.cli, lockwarden.core):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith((".__main__", "cli.serving")):  # the latter needs a server for browsers
                importlib.import_module(found.name)
    list(command.commands.values())

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

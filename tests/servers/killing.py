"""Does a piece of work again and again in forked children, each of which kills itself one step later than the last.

A step is a call that changes something on the disk; a write is two, so that half of it can be there. The process that
forks must have no other threads, so tests have one of their own for it: see `adversarial/dying.py`.
"""

from __future__ import annotations

import builtins
import io
import os
import shutil
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

_CALLS = [
    "chmod",
    "close",
    "fchmod",
    "fchown",
    "fdatasync",
    "fsync",
    "ftruncate",
    "link",
    "mkdir",
    "open",
    "rename",
    "replace",
    "rmdir",
    "symlink",
    "unlink",
    "utime",
]
Work = Callable[[Path], None]
"""Works in the folder that it gets."""


class Fate:
    """Counts the steps of this process and kills it at one of them."""

    def __init__(self, last: int) -> None:
        self._left = last
        self._write = os.write
        self._open = io.open

    def step(self) -> None:
        """One more step is about to be made."""
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
            threading.Event().wait()  # no other step until the signal is there

    def decide(self) -> None:
        """From now on, count the steps of this process."""
        calls = {(os, name): self._counted(getattr(os, name)) for name in _CALLS}
        calls[os, "write"] = self.write
        calls |= dict.fromkeys([(os, "fdopen"), (io, "open"), (builtins, "open")], self._opened)
        for (module, name), call in calls.items():
            setattr(module, name, call)

    def write(self, file: int, data: Any) -> int:
        """Write half of the data, and then the rest."""
        self.step()
        view = memoryview(data)
        half = len(view) // 2
        done = self._write(file, view[:half])
        self.step()
        return done + self._write(file, view[half:])

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            self.step()
            return call(*arguments, **named)

        return counted

    def _opened(self, file: int | str | Path, mode: str = "r", *others: Any, **named: Any) -> Any:
        if not set(mode) & {"w", "a", "x", "+"}:
            return self._open(file, mode, *others, **named)
        written = io.BufferedWriter(_Torn(file, mode, self))
        return written if "b" in mode else io.TextIOWrapper(written, encoding="utf-8")


class _Torn(io.FileIO):
    """A file that is written in halves."""

    def __init__(self, file: int | str | Path, mode: str, fate: Fate) -> None:
        super().__init__(file, mode.replace("t", ""))
        self._fate = fate
        fate.step()  # it may be empty now

    def write(self, data: Any, /) -> int:
        return self._fate.write(self.fileno(), data)


def kill_at_each_step(work: Work, folder: Path, *, before: Path) -> int:
    """Leave in `folder` a copy of `before` for each step, named by its number, in which the work was killed there.

    Returns how often that was; the last copy is that of the run that nothing happened to. Raises RuntimeError when the
    work fails in another way.
    """
    number = 0
    while True:
        place = folder / f"{number:03}"
        shutil.copytree(before, place, symlinks=True)
        status = _killed(work, place, number + 1)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return number
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            raise RuntimeError(f"the work failed at step {number}: {status}")
        number += 1


def _killed(work: Work, place: Path, last: int) -> int:
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    leave = os._exit
    try:
        Fate(last).decide()
        work(place)
    except BaseException as error:
        os.write(2, f"{error!r}\n".encode())
        leave(1)
    leave(0)
    raise AssertionError("unreachable")

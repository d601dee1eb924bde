"""The memory of the app that has opened a lock file and waits for a key: what a review costs without any package."""

from __future__ import annotations

import os
import pty
import select
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.processes import RunError

_SETTLED: Final = 10.0
"""Seconds for the app to come up; it is idle long before."""


def idle_bytes(command: Sequence[str], *, folder: Path, environ: Mapping[str, str]) -> int:
    """The most memory that the app had resident up to the moment when it waits. Linux only."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve(command[0], list(command), {**environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "36"})  # noqa: S606
    try:
        end = time.monotonic() + _SETTLED
        while (left := end - time.monotonic()) > 0:
            if select.select([terminal], [], [], left)[0]:
                os.read(terminal, 65536)
        for line in Path(f"/proc/{child}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError as error:
        raise RunError(f"the app ended while it should wait: {error}") from error
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    raise RunError("the memory of a process cannot be read on this system")

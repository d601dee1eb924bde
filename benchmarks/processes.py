"""Runs a program and says how long it took and how much memory it had, by the operating system's own accounts."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class RunError(Exception):
    """A program that is measured did something else than it should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one finished run of a program took."""

    seconds: float
    cpu_seconds: float
    """User and system time, also of the programs that it started and waited for."""
    peak_bytes: int
    """The most memory that it, or one program that it started, had resident at one time."""


def run(
    command: Sequence[str], *, folder: Path, environ: Mapping[str, str], expected: frozenset[int] = frozenset({0})
) -> Usage:
    """Run a program to its end. Raises RunError when it ends with another exit code than one of `expected`."""
    log = folder / "output.log"
    with log.open("wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environ), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in expected:
        told = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise RunError(f"{' '.join(command[:3])}… ended with {process.returncode}: {told}")
    return Usage(seconds=seconds, cpu_seconds=usage.ru_utime + usage.ru_stime, peak_bytes=usage.ru_maxrss * 1024)

"""Runs a program and says how long it took and how much memory it had, by the operating system's own accounts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final


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
        # A process begins with the memory of the one that started it, which the system counts: so it is a small one.
        helper = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _STARTER, *map(str, command)],
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            check=True,
        )
    code, seconds, cpu_seconds, kibibytes = json.loads(helper.stderr)
    if code not in expected:
        told = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise RunError(f"{' '.join(command[:3])}… ended with {code}: {told}")
    return Usage(seconds=seconds, cpu_seconds=cpu_seconds, peak_bytes=kibibytes * 1024)


_STARTER: Final = """
import json, os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stderr=subprocess.STDOUT)
_, status, usage = os.wait4(process.pid, 0)
seconds = time.perf_counter() - start
json.dump([os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss], sys.stderr)
"""

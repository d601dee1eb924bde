"""Starts the benchmarks' registry as a process of its own and asks it what it has served."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import RunError


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What the registry has served during one run."""

    documents: int
    packages: int
    package_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """The running registry."""

    process: subprocess.Popen[str]
    port: int

    @property
    def host(self) -> str:
        """Host and port, as the first part of a provider address."""
        return f"localhost:{self.port}"

    def take(self) -> Served:
        """What was served since this was last asked."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RunError("the benchmarks' registry has no pipes")
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return Served(**json.loads(self.process.stdout.readline()))


@contextlib.contextmanager
def serving(world: Path) -> Iterator[Registry]:
    """Serve a world until the block ends."""
    command = [sys.executable, "-m", "benchmarks.server", str(world)]
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise RunError("the benchmarks' registry has no pipes")
        try:
            yield Registry(process=process, port=int(process.stdout.readline()))
        finally:
            process.terminate()

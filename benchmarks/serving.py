"""Starts the benchmarks' registry, and a wide-area link before it, as processes of their own; asks what was served."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    with _started("server", str(world)) as (process, port):
        yield Registry(process=process, port=port)


@contextlib.contextmanager
def far_away(registry: Registry) -> Iterator[Registry]:
    """The same registry behind a wide-area link, until the block ends."""
    with _started("wide_area_link", str(registry.port)) as (_, port):
        yield replace(registry, port=port)


@contextlib.contextmanager
def _started(module: str, argument: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of the benchmarks until the block ends, with the port that it prints."""
    command = [sys.executable, "-m", f"benchmarks.{module}", argument]
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise RunError(f"the benchmarks' {module} has no pipes")
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.terminate()

"""Runs the `lockwarden` command as people and pipelines do: in this process, or installed, in one of its own."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.schema import undescribed

from lockwarden.cli.main import main
from servers.in_process import in_process
from servers.terminal import Terminal, in_terminal
from servers.warm import Forked, started

PROGRAM = Path(sys.executable).with_name("lockwarden")
HELD_AGAINST_NOTHING = "Held against: no policy; no approvals"
"""The last line of a text report where nobody has written any standards."""
PATIENCE = 300
"""Seconds after which a run counts as hanging."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a run ended."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        """The JSON on stdout. Its published schema has to describe it."""
        assert undescribed(self.out) == ()
        return json.loads(self.out)

    def verdicts(self, name: str) -> dict[str, str]:
        """Hash → verdict of the provider of this type, from the JSON on stdout."""
        provider = self.provider(name)
        return {row["hash"]: row["verdict"] for row in provider["hashes"]}

    def provider(self, name: str) -> Any:
        """The provider of this type in the first lock file that has it."""
        for lock_file in self.report["lock_files"]:
            for provider in lock_file["providers"]:
                if provider["address"].endswith(f"/{name}"):
                    return provider
        raise AssertionError(f"{name} is not in the report")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lockwarden:
    """The command with the environment that it runs in."""

    environment: Mapping[str, str]
    temporary: Path
    """Its folder for temporary files, empty when it has cleaned up."""

    def run(self, *arguments: str | Path, folder: Path, expected: int | None = None, **extra: str) -> Ended:
        """Run it in a folder with further variables. Fails the test for a traceback or another exit code.

        It runs in this process, as in one of its own. What needs a process takes `run_apart`.
        """
        code, out, err = in_process(
            lambda: main(list(map(str, arguments))), folder=folder, environment={**self.environment, **extra}
        )
        return _ended(code, out, err, expected)

    def run_apart(self, *arguments: str | Path, folder: Path, expected: int | None = None, **extra: str) -> Ended:
        """The same in a process of its own."""
        process = started(arguments, folder=folder, environment={**self.environment, **extra})
        out, err = process.communicate(PATIENCE)
        return _ended(process.wait(), out, err, expected)

    def start(self, *arguments: str | Path, folder: Path) -> Forked:
        """Start it in a folder; the caller waits for its end."""
        return started(arguments, folder=folder, environment=self.environment)

    def in_terminal(
        self,
        *arguments: str | Path,
        folder: Path,
        results: int | None = None,
        columns: int = 120,
        typed: bytes = b"",
        **extra: str,
    ) -> contextlib.AbstractContextManager[Terminal]:
        """Run it in a terminal until the block ends; `results` and `typed` are as for any program."""
        environment = {**self.environment, **extra}
        return in_terminal(
            arguments,
            folder=folder,
            environment=environment,
            results=results,
            columns=columns,
            typed=typed,
            forked=True,
        )

    def leftovers(self) -> list[str]:
        """What lies in the temporary folder and what lies unfinished in the cache."""
        cache = Path(self.environment["XDG_CACHE_HOME"])
        return [str(path) for path in (*self.temporary.iterdir(), *cache.rglob("*.part"))]


def _ended(code: int, out: str, err: str, expected: int | None) -> Ended:
    told = f"{out}\n{err}"
    assert "Traceback" not in told, told
    assert expected is None or code == expected, f"{code}: {told}"
    return Ended(code=code, out=out, err=err)

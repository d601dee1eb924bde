"""A repository whose lock files a change takes away or hides, and `lockwarden check` over it, asking nobody."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fakes.git_commands import NO_UPKEEP

from lockwarden.cli.main import lockwarden

LOCK = ".terraform.lock.hcl"
PATH = "/usr/local/bin:/usr/bin:/bin"
HOST = "registry.example.test"


def locked(*names: str, host: str = HOST) -> str:
    """A lock file with one hash for each of some providers."""
    return "".join(
        f'\nprovider "{host}/acme/{name}" {{\n  version = "1.0.0"\n  hashes = [\n    "zh:{number:064x}",\n  ]\n}}\n'
        for number, name in enumerate(names, 1)
    )


def requiring(*names: str, host: str = HOST) -> str:
    """A configuration that requires some providers."""
    lines = "".join(f'    {name} = {{ source = "{host}/acme/{name}" }}\n' for name in names)
    return f"terraform {{\n  required_providers {{\n{lines}  }}\n}}\n"


@dataclass(frozen=True, kw_only=True)
class Told:
    """What one run said."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.out)
        return report

    @property
    def paths(self) -> list[str]:
        return [each["path"] for each in self.report["lock_files"]]

    def problems(self, path: str) -> list[str]:
        """The codes of what is said of a lock file itself."""
        (file,) = (each for each in self.report["lock_files"] if each["path"] == path)
        return sorted({each["code"] for each in file["problems"]})


@dataclass(frozen=True, kw_only=True)
class Checkout:
    """A working tree whose only commit so far is the base."""

    folder: Path

    @classmethod
    def of(cls, folder: Path, files: Mapping[str, str]) -> Checkout:
        (folder.parent / "home").mkdir(exist_ok=True)
        folder.mkdir()
        made = cls(folder=folder)
        made.git("init", "--quiet", "--template=", "--initial-branch=main")
        made.write(files)
        made.commit()
        made.git("switch", "--quiet", "--create", "topic")
        return made

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.folder.parent / "home"), "PATH": PATH, "GIT_CONFIG_NOSYSTEM": "1"}

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "one")

    def git(self, *words: str) -> None:
        given = (
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.test",
            "-c",
            "protocol.file.allow=always",
            *NO_UPKEEP,
        )
        words = (*given, *words)
        done = subprocess.run(["git", *words], cwd=self.folder, env=self.environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def check(self, *words: str, form: str = "json", base: str = "main") -> Told:
        """Check in this process, offline; an error that nobody turned into a result fails the test."""
        against = ("--base", base) if base else ()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            gone = dict.fromkeys(("TF_CLI_CONFIG_FILE", "LOCKWARDEN_POLICY", "XDG_CONFIG_HOME"))
            arguments = ["check", "--offline", *against, "--format", form, *words]
            runner = CliRunner(env={**gone, **self.environ})
            done = runner.invoke(lockwarden, arguments, catch_exceptions=False, standalone_mode=False)
        return Told(code=done.return_value, out=done.stdout, err=done.stderr)

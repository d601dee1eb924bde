"""Runs the real `terraform` against the tests' servers."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

LOCK_FILE = ".terraform.lock.hcl"
_DECORATION = re.compile(r"\x1b\[[0-9;]*m|[╷│╵]")
_HASH = re.compile(r'^    "([^"]+)",$', re.MULTILINE)


def terraform_or_skip(name: str = "terraform") -> str:
    """The program's path, or that of `tofu`; skips the test, and says so, where there is none."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"the real {name} is not on PATH, so what it does here was NOT tested")
    return program


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A folder with a configuration that requires some providers."""

    folder: Path
    program: str
    environment: Mapping[str, str]

    @classmethod
    def make(
        cls, folder: Path, environment: Mapping[str, str], required: Mapping[str, str], *, client: str = "terraform"
    ) -> Workspace:
        """Write a configuration that requires the providers of `required` (address → version)."""
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["terraform {", "  required_providers {"]
        for place, (address, version) in enumerate(required.items()):
            lines += [f"    p{place} = {{", f'      source  = "{address}"', f'      version = "{version}"', "    }"]
        (folder / "main.tf").write_text("\n".join([*lines, "  }", "}", ""]), encoding="utf-8")
        return cls(folder=folder, program=terraform_or_skip(client), environment=environment)

    def run(self, *arguments: str, expected: int = 0) -> str:
        """Run terraform and return what it said, without colours, boxes and line breaks.

        Fails the test when it ends with another exit code.
        """
        done = subprocess.run(
            [self.program, *arguments],
            cwd=self.folder,
            env=dict(self.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        assert done.returncode == expected, done.stdout
        return " ".join(_DECORATION.sub("", done.stdout).split())

    @property
    def lock_file(self) -> Path:
        """Where terraform keeps the lock file."""
        return self.folder / LOCK_FILE

    @property
    def locked_hashes(self) -> tuple[str, ...]:
        """All hashes of the lock file, in its order."""
        return tuple(_HASH.findall(self.lock_file.read_text(encoding="utf-8")))


def installation(kind: str, place: str) -> str:
    """A CLI configuration with one mirror and nothing else: a `network_mirror` (URL) or `filesystem_mirror` (path)."""
    name = "url" if kind == "network_mirror" else "path"
    return f'provider_installation {{\n  {kind} {{\n    {name} = "{place}"\n  }}\n}}\n'

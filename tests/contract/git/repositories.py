"""Real git repositories for tests, with a home folder of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lockwarden.core.git.model import GitLimits
from lockwarden.core.git.repository import Repository, find_repository

LOCK = ".terraform.lock.hcl"
PATH = "/usr/local/bin:/usr/bin:/bin"


def lock_text(*hashes: str, name: str = "widget", version: str = "1.0.0") -> bytes:
    """A lock file with one entry. Without hashes it has ten made-up ones."""
    listed = hashes or tuple(f"zh:{number:064x}" for number in range(10))
    lines = [f'provider "registry.opentofu.org/acme/{name}" {{', f'  version = "{version}"', "  hashes = ["]
    return "\n".join([*lines, *(f'    "{each}",' for each in listed), "  ]", "}", ""]).encode()


@dataclass(frozen=True, kw_only=True)
class Home:
    """Where repositories are made: the operator's home, and beside it the folders that they work in."""

    folder: Path
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        settings = {"HOME": str(home), "PATH": PATH, "GIT_CONFIG_NOSYSTEM": "1"}
        return settings | dict(self.extra)

    def init(self, name: str = "repo", *options: str) -> Work:
        """A new repository on the branch `main`, with an identity."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        work = self.at(folder)
        work.git("init", "--quiet", "--template=", "--initial-branch=main", *options)
        with (folder / ".git" / "config").open("a", encoding="utf-8") as file:
            file.write("[user]\n\tname = Ada Example\n\temail = ada@example.test\n")
        return work

    def at(self, folder: Path) -> Work:
        return Work(folder=folder, environ=self.environ)

    def clone(self, source: Path, name: str, *options: str) -> Work:
        """A clone over the file protocol, so that depth and filters count."""
        self.at(self.folder).git("clone", "--quiet", *options, f"file://{source}", name)
        return self.at(self.folder / name)


@dataclass(frozen=True, kw_only=True)
class Work:
    """A working tree."""

    folder: Path
    environ: dict[str, str]

    def git(self, *arguments: str | bytes, given: bytes = b"", expected: int | None = 0) -> str:
        """What the real git prints, without the last line end. Fails the test when it ends otherwise than expected."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=self.environ, input=given, capture_output=True, timeout=60
        )
        assert expected is None or done.returncode == expected, done.stderr.decode(errors="replace")
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def commit(self, subject: str = "Change") -> str:
        """Commit all that is in the working tree; the full id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def repository(self, path: Path | None = None, *, limits: GitLimits | None = None) -> Repository:
        found = find_repository(path or self.folder, self.environ, limits=limits)
        assert found is not None
        return found

    def data_at(self, name: str, path: str = LOCK) -> bytes | None:
        """The bytes that our reader finds for a path at a revision."""
        repository = self.repository()
        found = repository.file_at(repository.resolve(name), self.folder / path)
        return None if found is None else found.data

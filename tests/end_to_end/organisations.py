"""A folder of clones, as platform engineers keep them: working trees and bare ones."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOCK = ".terraform.lock.hcl"
_NOBODY = (
    *("-c", "user.name=Ada Example", "-c", "user.email=ada@example.test"),
    *("-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false"),
)


@dataclass(frozen=True, kw_only=True)
class Clones:
    """Where the clones lie."""

    folder: Path
    environment: Mapping[str, str]

    def git(self, *words: str, folder: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *_NOBODY, *words],
            cwd=folder or self.folder,
            env=dict(self.environment),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def make(self, name: str, files: Mapping[str, str]) -> Path:
        """A repository with a working tree and one commit."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--template=", folder=folder)
        self.commit(name, files)
        return folder

    def commit(self, name: str, files: Mapping[str, str]) -> str:
        """One more commit; its full ID."""
        folder = self.folder / name
        for path, text in files.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        self.git("add", "--all", folder=folder)
        self.git("commit", "--quiet", "--allow-empty", "--message", "change", folder=folder)
        return self.git("rev-parse", "HEAD", folder=folder)

    def bare(self, name: str, source: str) -> Path:
        """A bare clone of another of them."""
        self.git("clone", "--quiet", "--bare", source, name)
        return self.folder / name

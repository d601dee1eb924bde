"""A team's repository with a lock file, changed as a pull request would change it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from servers.installed import Ended, Lockwarden

from lockwarden.demo.releases import Release

ASKED = ("--platform", "linux_amd64", "--platform", "darwin_arm64", "--platform", "windows_amd64")


def lock_text(releases: Iterable[Release], *, without: frozenset[str] = frozenset()) -> str:
    """A lock file with every hash of these releases in order, but for some."""
    blocks = []
    for release in sorted(releases, key=lambda each: each.address):
        hashes = sorted(
            {hash_ for package in release.packages.values() for hash_ in (package.h1, package.zh)} - without
        )
        rows = "".join(f'    "{each}",\n' for each in hashes)
        blocks.append(
            f'provider "{release.address}" {{\n  version = "{release.version}"\n  hashes = [\n{rows}  ]\n}}\n'
        )
    return "\n".join(["# made for a test", "", *blocks])


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """A working tree whose last commit is the base."""

    folder: Path
    lockwarden: Lockwarden

    @classmethod
    def on(cls, folder: Path, lockwarden: Lockwarden, files: Mapping[str, str]) -> PullRequest:
        """A new repository with these files in one commit, on the branch `main`."""
        folder.mkdir()
        made = cls(folder=folder, lockwarden=lockwarden)
        made.git("init", "--quiet", "--template=", "--initial-branch=main")
        with (folder / ".git" / "config").open("a") as config:
            config.write("[user]\n\tname = Ada Example\n\temail = ada@example.test\n[maintenance]\n\tauto = false\n")
        made.write(files)
        made.commit("the lock file as it was")
        return made

    @property
    def lock_file(self) -> Path:
        return self.folder / ".terraform.lock.hcl"

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def swap(self, old: str, new: str) -> None:
        text = self.lock_file.read_text()
        assert old in text
        self.lock_file.write_text(text.replace(old, new, 1))

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def clone(self, folder: Path) -> PullRequest:
        """A fresh clone."""
        self.git("clone", "--quiet", str(self.folder), str(folder))
        return PullRequest(folder=folder, lockwarden=self.lockwarden)

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=dict(self.lockwarden.environment), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def check(self, *words: str, expected: int, base: str = "HEAD") -> Ended:
        against = ("--base", base) if base else ()
        return self.lockwarden.run("check", *against, *ASKED, *words, folder=self.folder, expected=expected)

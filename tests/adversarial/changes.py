"""Repositories whose changes want to choose by what they are judged."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adversarial.parties import Parties
from adversarial.scene import BOTH, Answered, Scene, entry, packages, unsigned
from builders.three_providers import HOST
from fakes.git_commands import NO_UPKEEP

from lockwarden.demo.lockfile import lock_text
from lockwarden.demo.releases import Release

LOCK: Final = ".terraform.lock.hcl"
POLICY: Final = ".lockwarden.hcl"
APPROVALS: Final = ".lockwarden/approvals.hcl"
SIGNED: Final = f'require {{\n  providers = ["{HOST}/acme/*"]\n  signed    = true\n}}\n'
FROM_CHANGE: Final = "approvals {\n  from_change = true\n}\n"
PLANTED: Final = packages("widget", build="theirs")["linux_amd64"].h1
WHO: Final = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "commit.gpgsign=false", *NO_UPKEEP)


def pinning(fingerprint: str) -> str:
    """A policy that trusts one key for everything."""
    return f'signing_key "{fingerprint}" {{\n  providers = ["{HOST}/acme/*"]\n}}\n'


def approving(hash_: str = PLANTED, by: str = "Mallory <mallory@example.test>") -> str:
    """A record that accepts a hash of the widget 1.0.0."""
    return (
        f'approval "{HOST}/acme/widget" {{\n  version = "1.0.0"\n  hashes  = ["{hash_}"]\n'
        f'  verdict = "unexplained"\n  by      = "{by}"\n  at      = "2026-03-01T05:00:00Z"\n'
        '  reason  = "ours"\n}\n'
    )


@dataclass(frozen=True, kw_only=True)
class Forge:
    """A repository at a scene's folder, and what a check of it against its main branch says."""

    scene: Scene
    release: Release

    @classmethod
    def of(cls, scene: Scene, parties: Parties) -> Forge:
        """An empty repository, and one good release that is served."""
        release = parties.release("widget")
        scene.serve(release)
        made = cls(scene=scene, release=release)
        made.git("init", "-q", "-b", "main")
        return made

    @property
    def folder(self) -> Path:
        return self.scene.folder

    def git(self, *words: str, folder: Path | None = None) -> str:
        where = folder or self.folder
        done = subprocess.run(["git", *WHO, *words], cwd=where, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def lock(self, *more: str, release: Release | None = None, comment: str = "") -> str:
        """The text of a lock file with every good hash and these."""
        locked = release or self.release
        own = [text for package in locked.packages.values() for text in package.hashes]
        return comment + lock_text([entry(locked, *own, *more)])

    def write(self, files: dict[str, str], folder: Path | None = None) -> None:
        for name, text in files.items():
            path = (folder or self.folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self, files: dict[str, str] | None = None, message: str = "a change") -> None:
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def branch(self) -> None:
        """What follows is the change under review."""
        self.git("switch", "-q", "-c", "topic")

    def on_main(self, files: dict[str, str]) -> None:
        """One more commit of the main branch, after the change left it."""
        self.git("switch", "-q", "main")
        self.commit(files, "main goes on")
        self.git("switch", "-q", "topic")

    def check(self, *words: str | Path, base: str = "main", form: str = "json", path: str = "") -> Answered:
        """A check in this process, however it ends."""
        against = ("--base", base) if base else ()
        return self.scene.run("check", *([path] if path else []), *against, *BOTH, *words, "--format", form)

    def ended(self, *words: str | Path, base: str = "main", path: str = "") -> Answered:
        """The same as the installed command does it, which turns every refusal into exit code 2."""
        against = ("--base", base) if base else ()
        return self.scene.ended("check", *([path] if path else []), *against, *BOTH, *words, "--format", "json")


def other_key(forge: Forge, parties: Parties) -> str:
    """A lock file of a release that another key than the author's signs, which is served from now on."""
    taken = parties.sign(unsigned("widget"), by=parties.intruder)
    forge.scene.serve(taken)
    return forge.lock(release=taken)


def problems_of(done: Answered) -> dict[str, dict[str, str]]:
    """What is told of the first lock file itself, by code."""
    return {each["code"]: each for each in done.report["lock_files"][0]["problems"]}


def is_superuser() -> bool:
    """Whether files can be given away here."""
    return os.geteuid() == 0

"""A pull request for the screenshots: a repository with a policy, and a lock file change that nobody should merge.

The keys, the signatures and the repository are real; servers are a value, as in the demo.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from lockwarden.demo.keys import KeyMaker, SigningKey
from lockwarden.demo.lockfile import NAME, LockEntry, lock_text
from lockwarden.demo.packages import DemoPackage
from lockwarden.demo.releases import Release, registry_sites
from lockwarden.demo.responses import Response
from lockwarden.demo.story import FOUR, OPENTOFU, OTHER, WITHOUT_WINDOWS, packages_of, signed_hashes
from lockwarden.demo.world import World

RECORD: Final = ".lockwarden/approvals.hcl"
_WHO: Final = ("Ada Example", "ada@example.test")
_POLICY: Final = """\
# Who may sign what this repository installs.
signing_key "{acme}" {{
  owner     = "Acme Releases"
  providers = ["registry.opentofu.org/acme/*"]
}}

require {{
  providers = ["*/*/*"]
  platforms = ["linux_amd64", "darwin_arm64"]
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A working tree on a branch, whose `main` is what it is to be merged into."""

    folder: Path
    lock_file: Path
    world: World


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    keys: KeyMaker
    now: datetime

    def key(self, user_id: str, *, days_ago: int) -> SigningKey:
        return self.keys.make(user_id, created=self.now - timedelta(days=days_ago))

    def release(
        self,
        address: str,
        version: str,
        packages: Mapping[str, DemoPackage],
        signer: SigningKey,
        *offered: SigningKey,
        days_ago: int = 30,
    ) -> Release:
        made = Release(address=address, version=version, packages=packages, offered=offered or (signer,))
        signature = self.keys.sign(signer, made.sums, at=self.now - timedelta(days=days_ago))
        return replace(made, signature=signature)


def pull_request(folder: Path, *, now: datetime) -> PullRequest:
    """Make the repository in `folder`. Raises ToolError without gpg, CalledProcessError when git fails."""
    with KeyMaker() as keys:
        made = _Maker(keys=keys, now=now)
        acme = made.key("Acme Releases <releases@acme.example>", days_ago=700)
        namesake = made.key("Acme Releases <releases@acme.example>", days_ago=9)
        former = made.key("Example Builds, first key <builds@example.test>", days_ago=900)
        builds = made.key("Example Builds <builds@example.test>", days_ago=200)

        kiln = packages_of(f"{OPENTOFU}/acme/kiln", "2.2.0", FOUR, size=20_000)
        kiln_up = packages_of(f"{OPENTOFU}/acme/kiln", "2.3.0", FOUR, size=20_000)
        gauge = packages_of(f"{OPENTOFU}/acme/gauge", "0.3.7", FOUR, size=20_000)
        nobodys = packages_of(f"{OPENTOFU}/acme/gauge", "0.3.7", FOUR, size=20_000, build="by nobody")
        signal = packages_of(f"{OTHER}/tools/signal", "1.3.2", FOUR, size=20_000)
        signal_up = packages_of(f"{OTHER}/tools/signal", "1.4.0", FOUR, size=20_000)
        ledger = packages_of(f"{OPENTOFU}/acme/ledger", "1.0.3", WITHOUT_WINDOWS, size=20_000)
        lens = packages_of(f"{OTHER}/too1s/lens", "0.1.0", FOUR, size=20_000)
        anvil = packages_of(f"{OTHER}/tools/anvil", "4.0.0", FOUR, size=20_000)
        compass = packages_of(f"{OPENTOFU}/acme/compass", "5.1.0", FOUR, size=20_000)

        releases = {
            "kiln": made.release(f"{OPENTOFU}/acme/kiln", "2.2.0", kiln, acme, days_ago=80),
            "kiln up": made.release(f"{OPENTOFU}/acme/kiln", "2.3.0", kiln_up, namesake, days_ago=2),
            "gauge": made.release(f"{OPENTOFU}/acme/gauge", "0.3.7", gauge, acme),
            "signal": made.release(f"{OTHER}/tools/signal", "1.3.2", signal, former, former, builds, days_ago=300),
            "signal up": made.release(f"{OTHER}/tools/signal", "1.4.0", signal_up, builds, former, builds),
            "ledger": made.release(f"{OPENTOFU}/acme/ledger", "1.0.3", ledger, acme),
            "lens": made.release(f"{OTHER}/too1s/lens", "0.1.0", lens, builds),
            "anvil": made.release(f"{OTHER}/tools/anvil", "4.0.0", anvil, builds),
            "compass": made.release(f"{OPENTOFU}/acme/compass", "5.1.0", compass, acme),
        }
    before = (
        _entry(releases["kiln"], constraints="~> 2.2"),
        _entry(releases["gauge"]),
        _entry(releases["signal"], constraints=">= 1.3.0"),
        _entry(releases["ledger"], h1=("linux_amd64",)),
        _entry(releases["anvil"], h1=("linux_amd64",), more=(anvil["darwin_arm64"].h1,)),
        _entry(releases["compass"]),
        _entry(replace(releases["compass"], address=f"{OPENTOFU}/acme/lantern")),
    )
    after = (
        _entry(releases["kiln up"], constraints="~> 2.2"),
        _swapped(_entry(releases["gauge"]), gauge["linux_amd64"].h1, nobodys["linux_amd64"].h1),
        _entry(releases["signal up"], constraints=">= 1.3.0"),
        _entry(releases["ledger"]),
        _entry(releases["lens"]),
        _entry(releases["anvil"], h1=("linux_amd64",), more=(anvil["darwin_arm64"].h1,)),
        _entry(releases["compass"]),
    )
    gone = Response.of_status(404, text="not found\n")
    answers = {
        releases["anvil"].metadata_path("darwin_arm64"): gone,
        releases["anvil"].package_path("darwin_arm64"): gone,
    }
    world = World.of([*registry_sites(tuple(releases.values())), (OTHER, answers)])
    lock_file = folder / "infra" / NAME
    lock_file.parent.mkdir(parents=True)
    (folder / ".lockwarden.hcl").write_text(_POLICY.format(acme=acme.fingerprint), encoding="utf-8")
    git = _Git(folder=folder, now=now)
    git.run("init", "--quiet", "--initial-branch=main")
    git.run("config", "user.name", _WHO[0])
    git.run("config", "user.email", _WHO[1])
    _write(lock_file, before)
    git.commit("Pin the providers", days_ago=40)
    git.run("switch", "--quiet", "--create", "bump-providers")
    _write(lock_file, after)
    git.commit("Bump providers", days_ago=1)
    return PullRequest(folder=folder, lock_file=lock_file, world=world)


def _entry(
    release: Release,
    *,
    h1: Iterable[str] = ("linux_amd64", "darwin_arm64"),
    more: tuple[str, ...] = (),
    constraints: str = "",
) -> LockEntry:
    hashes = (*signed_hashes(release), *(release.packages[each].h1 for each in h1), *more)
    return LockEntry(address=release.address, version=release.version, constraints=constraints, hashes=hashes)


def _swapped(entry: LockEntry, old: str, new: str) -> LockEntry:
    return replace(entry, hashes=tuple(new if each == old else each for each in entry.hashes))


def _write(lock_file: Path, entries: Iterable[LockEntry]) -> None:
    lock_file.write_text(lock_text(entries), encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Git:
    folder: Path
    now: datetime

    def run(self, *words: str, at: datetime | None = None) -> None:
        when = (at or self.now).isoformat()
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_DATE": when,
        }
        command = ["git", *words]
        subprocess.run(command, cwd=self.folder, env=environment, check=True, capture_output=True)

    def commit(self, message: str, *, days_ago: int) -> None:
        self.run("add", "--all")
        self.run("commit", "--quiet", "--message", message, at=self.now - timedelta(days=days_ago))

"""A repository whose branches lock other versions and other hashes of the same providers, merged by the real git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from builders.three_providers import PLATFORMS, ThreeProviders
from end_to_end.pull_requests import PullRequest
from servers.installed import Lockwarden

from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.packages import provider_package
from lockwarden.demo.releases import Release, registry_sites, signed
from lockwarden.demo.world import World

LOCK = ".terraform.lock.hcl"
AMD, ARM, WINDOWS = PLATFORMS
_BUILT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
HEADER = """\
# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.
"""


def next_release(release: Release, providers: ThreeProviders, maker: KeyMaker, version: str = "1.5.0") -> Release:
    """A later version of a provider, signed by the same key."""
    packages = {each: provider_package(release.name, version, each, size=30_000, modified=_BUILT) for each in PLATFORMS}
    made = replace(release, version=version, packages=packages)
    return signed(made, maker=maker, key=providers.key, at=datetime.now(UTC))


def world_of(releases: Iterable[Release]) -> World:
    """A registry with these releases."""
    return World.of(registry_sites(tuple(releases)))


def block(release: Release, *platforms: str, constraints: str = "", planted: tuple[str, ...] = ()) -> str:
    """An entry as OpenTofu writes it: the zh of every package, the h1 of some platforms."""
    hashes = {each.zh for each in release.packages.values()} | {release.packages[each].h1 for each in platforms}
    lines = [f'\nprovider "{release.address}" {{']
    if constraints:
        lines += [f'  version     = "{release.version}"', f'  constraints = "{constraints}"']
    else:
        lines += [f'  version = "{release.version}"']
    return "\n".join(
        [*lines, "  hashes = [", *(f'    "{each}",' for each in sorted({*hashes, *planted})), "  ]", "}\n"]
    )


@dataclass(frozen=True, kw_only=True)
class Merge:
    """A merge that git could not make."""

    repository: PullRequest

    @classmethod
    def of(
        cls,
        folder: Path,
        lockwarden: Lockwarden,
        base: str,
        ours: str,
        theirs: str,
        *,
        style: str = "merge",
        beside: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
    ) -> Merge:
        """Commit the three states, and merge `theirs` into `ours`; `beside` is what else the base and theirs have."""
        first, second = beside
        made = PullRequest.on(folder, lockwarden, {LOCK: base, **first})
        made.git("checkout", "--quiet", "-b", "theirs")
        made.write({LOCK: theirs, **second})
        made.commit("theirs")
        made.git("checkout", "--quiet", "main")
        made.write({LOCK: ours})
        made.commit("ours")
        done = subprocess.run(
            ["git", "-c", f"merge.conflictStyle={style}", "merge", "theirs"],
            cwd=folder,
            env=dict(lockwarden.environment),
            capture_output=True,
            text=True,
        )
        assert "CONFLICT (content)" in done.stdout, done.stdout + done.stderr
        return cls(repository=made)

    @property
    def lock_file(self) -> Path:
        return self.repository.lock_file

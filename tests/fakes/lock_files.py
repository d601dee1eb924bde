"""A lock file of six providers and the audits of it, so that every verdict can be seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from builders.reading import parse
from msgspec.structs import replace

from fakes.releases import MIRROR, Release, absent, audit, h1, mirror, origin, release, silent, zh
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signing_keys import KeyState

HEADER = '# This file is maintained automatically by "tofu init".\n# Manual edits may be lost in future updates.\n'
PLANTED = zh("somebody's idea")
MADE_UP = h1("somebody's other idea")


def block(address: str, version: str, hashes: Sequence[Hash], *, constraints: str = "") -> str:
    """One provider block as the clients write it."""
    head = f'\nprovider "{address}" {{\n  version     = "{version}"\n'
    middle = f'  constraints = "{constraints}"\n' if constraints else ""
    listed = "".join(f'    "{each.text}",\n' for each in sorted(hashes))
    return f"{head}{middle}  hashes = [\n{listed}  ]\n}}\n"


@dataclass(frozen=True)
class World:
    """A lock file and what an audit of it says."""

    data: bytes
    audits: tuple[Audit, ...]

    def lock_file(self, path: str = "infra/prod/.terraform.lock.hcl") -> LockFile:
        """The lock file, read."""
        return parse(self.data, path=path)


HOST = "registry.opentofu.org"
EDGE = release(f"{HOST}/corp/edge", "2.0.0")
RELAY = release(f"{HOST}/acme/relay", "0.9.1", platforms=("linux_amd64", "darwin_arm64"))
CLOUD = release(f"{HOST}/big/cloud", "5.1.0")
NULL = release(f"{HOST}/acme/null", "3.2.1")
RANDOM = release("registry.example.test/acme/random", "3.6.0")
TIME = release(f"{HOST}/acme/time", "0.12.1")


def signed(made: Release, *, manifest: bool = True) -> list[Hash]:
    """Every hash of the signed list."""
    return [made.zh(str(each)) for each in made.platforms] + ([made.manifest] if manifest else [])


@cache
def every_verdict() -> World:
    """Six providers, in which every verdict occurs."""
    amd, arm = "linux_amd64", "darwin_arm64"
    edge_locked = [
        PLANTED,
        EDGE.zh(amd),
        EDGE.zh(arm),
        EDGE.zh("windows_amd64"),
        EDGE.manifest,
        EDGE.h1(amd),
        EDGE.h1(arm),
    ]
    retired = dataclasses.replace(RANDOM, key=replace(RANDOM.key, state=KeyState.EXPIRED))
    text = HEADER + "".join(
        (
            block(str(NULL.address), "3.2.1", [NULL.zh(amd), NULL.h1(amd)], constraints="~> 3.2"),
            block(str(RELAY.address), "0.9.1", [*signed(RELAY), RELAY.h1(amd), MADE_UP]),
            block(str(TIME.address), "0.12.1", [*signed(TIME), TIME.h1(amd)]),
            block(str(CLOUD.address), "5.1.0", [*signed(CLOUD), CLOUD.h1(amd), CLOUD.h1(arm)]),
            block(str(EDGE.address), "2.0.0", edge_locked, constraints=">= 1.8.0, < 3.0.0"),
            block(str(RANDOM.address), "3.6.0", [*signed(RANDOM), RANDOM.h1(amd)]),
        )
    )
    audits = (
        audit(NULL, origin(NULL, downloaded=[amd]), absent(MIRROR)),
        audit(RELAY, origin(RELAY, downloaded=[amd, arm]), absent(MIRROR)),
        audit(TIME, origin(TIME, downloaded=[amd]), mirror(TIME, amd)),
        audit(CLOUD, origin(CLOUD, downloaded=[amd], failed=[arm]), silent(MIRROR, "the connection was reset")),
        audit(EDGE, origin(EDGE, downloaded=[amd, arm]), mirror(EDGE, arm, build=" again")),
        audit(RANDOM, origin(retired, downloaded=[amd]), mirror(RANDOM, amd)),
    )
    return World(text.encode(), audits)


def many(providers: int, hashes: int) -> World:
    """A large lock file: so many providers of so many `zh` hashes each, all confirmed but for one planted one."""
    text, audits = [HEADER], []
    for number in range(providers):
        platforms = [f"os{place}_arch" for place in range(hashes - 2)]
        made = release(f"{HOST}/acme/p{number:04}", "1.0.0", platforms=platforms)
        locked = [*signed(made), PLANTED]
        text.append(block(str(made.address), "1.0.0", locked))
        audits.append(audit(made, origin(made)))
    return World("".join(text).encode(), tuple(audits))

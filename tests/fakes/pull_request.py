"""A change of a lock file in which every class that matters occurs, what its sources say, and the policy it meets."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

from builders.reading import parse
from msgspec.structs import replace

from fakes.keeping import MemoryKeeper
from fakes.lock_files import HEADER, HOST, MADE_UP, World, block, signed
from fakes.releases import FINGERPRINT, Release, audit, h1, key, origin, release
from fakes.running import LINUX, PreparedAudit, app_of
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.tui.app import LockwardenApp

BASE = "origin/main"
NAMESAKE = "0B5E7C9F1A3D52846E7F90A1B2C3D4E5F6071829"
"""Of a key that claims to be the one that the policy names."""
FORMER = "77D1C0FFEE4433221100AABBCCDDEEFF00112233"
BUILDS = "3E6D9A0B1C2D3E4F5061728394A5B6C7D8E9F0A1"
AMD, ARM, WINDOWS = "linux_amd64", "darwin_arm64", "windows_amd64"
TOOLS = "registry.example.test"
POLICY = f"""\
# Who may sign what this repository installs.
signing_key "{FINGERPRINT}" {{
  owner     = "Example Releases"
  providers = ["{HOST}/acme/*"]
}}
""".encode()

KILN = release(f"{HOST}/acme/kiln", "2.2.0")
KILN_UP = release(f"{HOST}/acme/kiln", "2.3.0", signing=key(NAMESAKE))
GAUGE = release(f"{HOST}/acme/gauge", "0.3.7")
SIGNAL = release(f"{TOOLS}/tools/signal", "1.3.2", signing=key(FORMER, "Builds, first key <builds@example.test>"))
SIGNAL_UP = release(f"{TOOLS}/tools/signal", "1.4.0", signing=key(BUILDS, "Builds <builds@example.test>"))
LENS = release(f"{TOOLS}/too1s/lens", "0.1.0", signing=key(BUILDS, "Builds <builds@example.test>"))
ANVIL = release(f"{TOOLS}/tools/anvil", "4.0.0", platforms=(AMD, ARM), signing=SIGNAL_UP.key)
NULL = release(f"{HOST}/acme/null", "3.2.1")
LANTERN = release(f"{HOST}/acme/lantern", "5.1.0")
NOBODYS = h1("a package that nobody released")


@cache
def changed() -> World:
    """The lock file as the change leaves it: an alarm, a swap, a new signer, a look-alike, an old finding."""
    text = HEADER + "".join(
        (
            block(str(LENS.address), "0.1.0", [*signed(LENS), LENS.h1(AMD)]),
            block(str(ANVIL.address), "4.0.0", [*signed(ANVIL), ANVIL.h1(AMD), MADE_UP]),
            block(str(SIGNAL.address), "1.4.0", [*signed(SIGNAL_UP), SIGNAL_UP.h1(AMD)], constraints=">= 1.3.0"),
            block(str(GAUGE.address), "0.3.7", [*signed(GAUGE), NOBODYS]),
            block(str(KILN.address), "2.3.0", [*signed(KILN_UP), KILN_UP.h1(AMD)]),
            block(str(NULL.address), "3.2.1", [*signed(NULL), NULL.h1(AMD)]),
        )
    )
    gauge_hashed = [AMD, ARM, WINDOWS, "linux_arm64", "darwin_amd64"]
    audits = (
        audit(LENS, origin(LENS, downloaded=[AMD])),
        audit(ANVIL, origin(ANVIL, downloaded=[AMD, ARM])),
        audit(SIGNAL_UP, origin(SIGNAL_UP, downloaded=[AMD])),
        audit(GAUGE, origin(GAUGE, downloaded=gauge_hashed)),
        audit(KILN_UP, origin(KILN_UP, downloaded=[AMD])),
        audit(NULL, origin(NULL, downloaded=[AMD])),
    )
    return World(text.encode(), audits)


@cache
def base() -> LockFile:
    """The lock file as the base has it."""
    text = HEADER + "".join(
        (
            block(str(ANVIL.address), "4.0.0", [*signed(ANVIL), ANVIL.h1(AMD), MADE_UP]),
            block(str(SIGNAL.address), "1.3.2", [*signed(SIGNAL), SIGNAL.h1(AMD)], constraints=">= 1.3.0"),
            block(str(GAUGE.address), "0.3.7", [*signed(GAUGE), GAUGE.h1(AMD)]),
            block(str(KILN.address), "2.2.0", [*signed(KILN), KILN.h1(AMD)]),
            block(str(LANTERN.address), "5.1.0", [*signed(LANTERN)]),
            block(str(NULL.address), "3.2.1", [*signed(NULL), NULL.h1(AMD)]),
        )
    )
    return parse(text.encode(), path="infra/prod/.terraform.lock.hcl")


@cache
def earlier() -> tuple[Audit, ...]:
    """What the origin shows of the versions that the base has instead."""
    return (audit(SIGNAL, origin(SIGNAL)), audit(KILN, origin(KILN)))


def keeper(**changes: Any) -> MemoryKeeper:
    """The policy and the base in memory."""
    return dataclasses.replace(MemoryKeeper(policy=POLICY, bases={BASE: base(), "empty": None}), **changes)


def change_app(kept: MemoryKeeper | None = None, *, against: str = BASE, **more: Any) -> LockwardenApp:
    """The app on the change."""
    audit_of = more.pop("audit", None) or PreparedAudit(changed().audits, earlier=earlier())
    return app_of(changed(), audit=audit_of, keeper=kept or keeper(), base=against, **more)


def held(kept: MemoryKeeper | None = None, *, against: str = BASE) -> Review:
    """The review of the change once everything is audited."""
    lock_file = changed().lock_file()
    standards = (kept or keeper()).standards(lock_file, base=against).with_audits(earlier())
    review = Review.start(lock_file, settings=ClientSettings(), platforms={LINUX}, standards=standards)
    for each in changed().audits:
        review = review.with_audit(each)
    return review


def record(made: Release, *hashes: Hash, until: str = "2026-12-31") -> bytes:
    """The text of a file with one record that accepts these hashes."""
    listed = ", ".join(f'"{each.text}"' for each in hashes)
    return f"""\
approval "{made.address}" {{
  version = "{made.version}"
  hashes  = [{listed}]
  verdict = "unexplained"
  by      = "Ada Example <ada@example.test>"
  at      = "2026-05-20T10:00:00Z"
  reason  = "built by us"
  until   = "{until}"
}}
""".encode()


def keyless(made: Audit) -> Audit:
    """The same, but for a registry that offers no key and no signature."""
    source_answers = tuple(
        replace(each, keys=(), signatures=(), observations=()) if each.outcome is Outcome.ANSWERED else each
        for each in made.source_answers
    )
    return replace(made, source_answers=source_answers)

"""How a deliberate difference from the clients is written down, and how a run is held against the table of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from conformance.recordings import Run

from lockwarden.core.values.clients import Client


class Area(StrEnum):
    """What was recorded."""

    REGISTRY = "registry"
    NETWORK_MIRROR = "network mirror"
    FILESYSTEM = "filesystem mirror"
    RELOCK = "relock"
    FAULTS = "faults"


class Aspect(StrEnum):
    """What of a run is compared, and how a difference in it is written down."""

    HASHES = "hashes"
    """What the lock file holds in the end: `more: …; fewer: …`, or `…; in another order`."""
    REFUSAL = "refusal"
    """Whether the client installs the package: `refused` or `installed`."""
    SUMMARY = "summary"
    """The one word for the provider, where the client printed one."""
    KEYS = "keys"
    """The key IDs that signed, where the client succeeded."""
    REQUESTS = "requests"
    """How often a server that misbehaves was asked for what it misbehaves about."""
    TOKENS = "tokens"
    """Which servers saw a bearer token; the one that misbehaves is called localhost."""
    VERDICTS = "verdicts"
    """Where the client succeeded, what of the recorded hashes is not confirmed once they are locked; where it failed,
    what of the true hashes is confirmed although. Every platform is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that Lockwarden says differently, in one aspect of some runs."""

    area: Area
    cases: tuple[str, ...]
    aspect: Aspect
    says: str
    """What Lockwarden says, exactly, as the aspect writes it."""
    reason: str
    clients: tuple[Client, ...] = tuple(Client)
    names: tuple[str, ...] = ()
    """The names of the runs; all runs of the cases when empty."""

    def covers(self, run: Run) -> bool:
        """Whether the difference speaks of a run."""
        named = not self.names or run.name in self.names
        return run.client in self.clients and run.case in self.cases and named


def expected(area: Area, run: Run, table: Iterable[Difference]) -> Mapping[Aspect, str]:
    """What the table says of a run; empty when nothing differs. Raises ValueError for two entries about one thing."""
    found: dict[Aspect, str] = {}
    for difference in table:
        if difference.area is area and difference.covers(run):
            if difference.aspect in found:
                raise ValueError(f"the table says two things of {run}: {difference.aspect}")
            found[difference.aspect] = difference.says
    return found


def dead_entries(area: Area, runs: Iterable[Run], table: Iterable[Difference]) -> list[str]:
    """Parts of entries that speak of no run at all, in words: a case, a client or a name that was never recorded."""
    known = tuple(runs)
    dead = []
    for difference in (each for each in table if each.area is area):
        covered = [run for run in known if difference.covers(run)]
        dead += [f"{difference.aspect}: {case}" for case in difference.cases if case not in {r.case for r in covered}]
        dead += [
            f"{difference.aspect}: {client}"
            for client in difference.clients
            if client not in {r.client for r in covered}
        ]
        dead += [f"{difference.aspect}: {name}" for name in difference.names if name not in {r.name for r in covered}]
    return dead

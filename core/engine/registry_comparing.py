"""Asks two origin registries about the same versions, and compares what they say and give out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.configured_sources import ORIGINS
from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.many_files import audit_files
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.evidence.events import Report
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.review.registry_comparison import ComparedFile, compare_registries
from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.clients import OPENTOFU_REGISTRY, TERRAFORM_REGISTRY
from lockwarden.core.values.errors import InputError

_MOST_HOSTS: Final = 2
"""A comparison is of two."""


class ComparedRegistries(Struct, frozen=True, kw_only=True):
    """Which registries are compared."""

    first: Hostname | None
    """None for the one that each provider is locked under."""
    second: Hostname
    every: bool = False
    """Whether providers of other registries are looked for there as well."""

    def of(self, address: ProviderAddress) -> tuple[ProviderAddress, ProviderAddress] | None:
        """Both addresses of a provider; None for one that is not compared."""
        first = address.hostname if self.first is None else self.first
        if first == self.second or not (self.every or address.hostname in {first, self.second}):
            return None
        return replace(address, hostname=first), replace(address, hostname=self.second)


def registries_from(hosts: Sequence[str]) -> ComparedRegistries:
    """Those that were named: none for both default ones, one to compare each provider's own with. Raises InputError."""
    named = [Hostname.parse(each) for each in hosts]
    if len(named) > _MOST_HOSTS:
        raise InputError(f"two registries are compared, and {len(named)} were named", hint="name one or two of them")
    if not named:
        return ComparedRegistries(first=Hostname.parse(OPENTOFU_REGISTRY), second=Hostname.parse(TERRAFORM_REGISTRY))
    if len(named) == 1:
        return ComparedRegistries(first=None, second=named[0])
    if named[0] == named[1]:
        raise InputError(f"{named[0]} is always the same as itself", hint="name two different registries")
    return ComparedRegistries(first=named[0], second=named[1], every=True)


async def compare_files(
    files: Iterable[LockFile], registries: ComparedRegistries, options: AuditOptions, runtime: Runtime, report: Report
) -> tuple[ComparedFile, ...]:
    """Compare every provider of some lock files at both registries; no policy has a say, and no mirror is asked.

    Raises ToolError when a program is missing that a registry needs.
    """
    given = tuple(files)
    sides: list[Loaded] = []
    for number, lock_file in enumerate(given):
        pairs = [(entry, registries.of(entry.address)) for entry in lock_file.providers]
        for side in (0, 1):
            entries = tuple(_at(entry, pair[side]) for entry, pair in pairs if pair is not None)
            sides.append(
                Loaded(
                    path=f"{number} {side}",
                    lock_file=replace(lock_file, providers=entries, moved=()),
                    problems=(),
                )
            )
    only = replace(options, sources=(ORIGINS,), base="")
    result = await audit_files(sides, only, runtime, report)
    reviews = {each.path: each.review for each in result.files}
    compared = []
    for number, lock_file in enumerate(given):
        first, second = (reviews[f"{number} {side}"] for side in (0, 1))
        both = zip(first.providers if first else (), second.providers if second else (), strict=True)
        locked = [each.address for each in lock_file.providers if registries.of(each.address) is not None]
        compared.append(
            ComparedFile(
                path=lock_file.path,
                comparisons=tuple(
                    compare_registries(one, other, address) for (one, other), address in zip(both, locked, strict=True)
                ),
                passed_over=tuple(each.address for each in lock_file.providers if each.address not in locked),
            )
        )
    return tuple(compared)


def _at(entry: LockedProvider, address: ProviderAddress) -> LockedProvider:
    return replace(entry, address=address, read_as=None, moved_from=None, beside_old=False)

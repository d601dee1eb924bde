"""Providers that are locked from the other client's default registry now, as after a change of clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.clients import DEFAULT_REGISTRIES
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def twins(address: ProviderAddress) -> Iterator[ProviderAddress]:
    """The same provider at the other default registries; nothing for one of another registry."""
    others = DEFAULT_REGISTRIES - {address.hostname.ascii}
    if len(others) < len(DEFAULT_REGISTRIES):
        for host in sorted(others):
            yield ProviderAddress(Hostname(host, host), address.namespace, address.type)


def moves(before: LockFile, after: LockFile) -> Mapping[ProviderAddress, LockedProvider]:
    """By its address now, the entry that each provider had which moved from one default registry to the other.

    The two registries have packages and keys of their own, so that nothing of the old entry speaks for the new one.
    """
    found = {}
    for entry in before.providers:
        if after.provider(entry.address) is None:
            for twin in twins(entry.address):
                if after.provider(twin) is not None and before.provider(twin) is None:
                    found[twin] = entry
    return found


def moved_problems(entry: LockedProvider) -> Iterator[Problem]:
    """Of an entry that OpenTofu adds when it reads the file, and of the one that it is made of.

    The one has no hash, so that nothing protects what is installed for it. The other changes nothing about what is
    installed, and ends an `init` that may not write. Rules: OpenTofu since 1.10, `internal/depsfile/locks.go` and
    `internal/command/init.go`.
    """
    if entry.moved_from is not None:
        yield Problem(
            code=ProblemCode.ENTRY_READ_AS_OPENTOFUS,
            severity=Severity.ERROR,
            message=f"OpenTofu takes the entry for {entry.moved_from} as one for {entry.address} as well, with version"
            f" {entry.version} and without its hashes: init takes any package of that version",
            hint="add its hashes, as “lockwarden lock” does"
            + ("" if entry.beside_old else "; init then removes the entry that nothing requires"),
        )
    if entry.read_as is not None:
        yield Problem(
            code=ProblemCode.ENTRY_READ_AS_OPENTOFUS,
            severity=Severity.WARNING,
            message=f"OpenTofu takes the entry for {entry.address} as one for {entry.read_as} as well, so that the set"
            " of providers changes: “tofu init -lockfile=readonly” fails",
            hint="without -lockfile=readonly init works; it keeps the entries that the configuration and the state"
            " require, and removes the others",
        )

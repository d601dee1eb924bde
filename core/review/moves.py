"""Providers that are locked from the other client's default registry now, as after a change of clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.clients import DEFAULT_REGISTRIES


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

"""Drift: lock files of one run that lock the same provider in different ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version


class DriftForm(Struct, frozen=True, kw_only=True):
    """One way in which a provider is locked, and by which files."""

    version: Version
    hashes: frozenset[Hash]
    paths: tuple[str, ...]
    """The lock files, in the order in which they were given; never empty."""


class Drift(Struct, frozen=True, kw_only=True):
    """A provider that several lock files lock in more than one way.

    It says nothing about which way is right, and none of it need be wrong: files may be used on different platforms.
    """

    address: ProviderAddress
    forms: tuple[DriftForm, ...]
    """Two or more: the newest version first, and of one version the form that most files have."""

    def lacking(self, form: DriftForm) -> frozenset[Hash]:
        """The hashes that other files lock for the same version and these files do not."""
        others = (each.hashes for each in self.forms if each.version == form.version)
        return frozenset().union(*others) - form.hashes

    def form_in(self, path: str) -> DriftForm | None:
        """How one file locks the provider; None when it does not."""
        return next((form for form in self.forms if path in form.paths), None)


def drift_of(lock_files: Iterable[LockFile]) -> tuple[Drift, ...]:
    """Every provider that the lock files lock with different versions, or with different hashes; by address.

    The order of the hashes, repetitions and constraints make no difference: no client cares for the first two, and
    constraints are each configuration's own.
    """
    found: defaultdict[ProviderAddress, defaultdict[tuple[Version, frozenset[Hash]], list[str]]]
    found = defaultdict(lambda: defaultdict(list))
    for lock_file in lock_files:
        for entry in lock_file.providers:
            found[entry.address][entry.version, entry.hash_set].append(lock_file.path)
    return tuple(
        Drift(address=address, forms=_ordered(ways))
        for address, ways in sorted(found.items(), key=lambda each: each[0].sort_key)
        if len(ways) > 1
    )


def _ordered(ways: dict[tuple[Version, frozenset[Hash]], list[str]]) -> tuple[DriftForm, ...]:
    forms = [DriftForm(version=version, hashes=hashes, paths=tuple(paths)) for (version, hashes), paths in ways.items()]
    forms.sort(key=lambda each: (-len(each.paths), each.paths))
    return tuple(sorted(forms, key=lambda each: each.version, reverse=True))

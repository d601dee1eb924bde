"""Drift: lock files of one run that lock the same provider in different ways."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.moves import twins
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import H1, Hash
from lockwarden.core.values.versions import Version


class DriftKind(StrEnum):
    """In what a file differs from the others, the loudest first."""

    CHECKSUMS = "zh"
    """Other hashes than `h1` for one version: one of the files may lock something else than the release."""
    VERSION = "version"
    NO_CHECKSUMS = "no zh"
    """None but `h1` hashes for a version that other files have others of, too: less is locked, and nothing else."""
    PLATFORMS = "h1"
    """Other `h1` hashes only, as when files are used on different platforms. That is ordinary."""


LOUD: Final = frozenset({DriftKind.CHECKSUMS, DriftKind.VERSION})
"""What somebody should look at."""


class DriftForm(Struct, frozen=True, kw_only=True):
    """One way in which a provider is locked, and by which files."""

    version: Version
    hashes: frozenset[Hash]
    paths: tuple[str, ...]
    """The lock files, in the order in which they were given; never empty."""
    kinds: tuple[DriftKind, ...] = ()
    """In what it differs from what is usual among the files, the loudest first; nothing for what is usual."""

    @property
    def stands_out(self) -> bool:
        """Whether somebody should look at it."""
        return not LOUD.isdisjoint(self.kinds)

    @property
    def checksums(self) -> frozenset[Hash]:
        """Its hashes but for `h1`: those of a whole release are the same on every platform."""
        return frozenset(each for each in self.hashes if each.scheme != H1)


class Drift(Struct, frozen=True, kw_only=True):
    """A provider that several lock files lock in more than one way.

    It says nothing about which way is right, and none of it need be wrong.
    """

    address: ProviderAddress
    forms: tuple[DriftForm, ...]
    """Two or more: the newest version first, and of one version the form that most files have."""

    @property
    def kinds(self) -> tuple[DriftKind, ...]:
        """In what the files differ, the loudest first."""
        found = {kind for form in self.forms for kind in form.kinds}
        return tuple(kind for kind in DriftKind if kind in found)

    def lacking(self, form: DriftForm) -> frozenset[Hash]:
        """The hashes that other files lock for the same version and these files do not."""
        others = (each.hashes for each in self.forms if each.version == form.version)
        return frozenset().union(*others) - form.hashes

    def form_in(self, path: str) -> DriftForm | None:
        """How one file locks the provider; None when it does not."""
        return next((form for form in self.forms if path in form.paths), None)


class BothRegistries(Struct, frozen=True, kw_only=True):
    """A provider that is locked under both default registries, whose packages and keys are not the same."""

    places: tuple[tuple[ProviderAddress, tuple[str, ...]], ...]
    """Each of its addresses, by address, with the lock files that have it."""


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
        Drift(address=address, forms=tuple(_told_apart(_ordered(ways))))
        for address, ways in sorted(found.items(), key=lambda each: each[0].sort_key)
        if len(ways) > 1
    )


def loudest_drift_first(drifts: Iterable[Drift]) -> tuple[Drift, ...]:
    """What somebody should look at before what is ordinary; of equals, by address."""
    order = list(DriftKind)
    return tuple(sorted(drifts, key=lambda each: order.index(each.kinds[0])))


def under_both_registries(lock_files: Iterable[LockFile]) -> tuple[BothRegistries, ...]:
    """Every provider that the lock files have under both default registries, by address."""
    paths: defaultdict[ProviderAddress, list[str]] = defaultdict(list)
    for lock_file in lock_files:
        for entry in lock_file.providers:
            paths[entry.address].append(lock_file.path)
    found: dict[tuple[ProviderAddress, ...], BothRegistries] = {}
    for address in sorted(paths, key=lambda each: each.sort_key):
        same = sorted((address, *(each for each in twins(address) if each in paths)), key=lambda each: each.sort_key)
        if len(same) > 1:
            places = tuple((each, tuple(paths[each])) for each in same)
            found.setdefault(tuple(same), BothRegistries(places=places))
    return tuple(found.values())


def _ordered(ways: dict[tuple[Version, frozenset[Hash]], list[str]]) -> tuple[DriftForm, ...]:
    forms = [DriftForm(version=version, hashes=hashes, paths=tuple(paths)) for (version, hashes), paths in ways.items()]
    forms.sort(key=lambda each: (-len(each.paths), each.paths))
    return tuple(sorted(forms, key=lambda each: each.version, reverse=True))


def _told_apart(forms: Sequence[DriftForm]) -> Iterator[DriftForm]:
    """The forms with what each differs in from what most files have.

    Of versions that equally many files have, the newest is the usual one. Of checksums none is: nobody knows which.
    A file without any has none that could contradict the others'.
    """
    versions = Counter[Version]()
    checksums: defaultdict[Version, Counter[frozenset[Hash]]] = defaultdict(Counter)
    for form in forms:
        versions[form.version] += len(form.paths)
        if form.checksums:
            checksums[form.version][form.checksums] += len(form.paths)
    usual_version = max(versions, key=lambda each: (versions[each], each))
    seen: set[tuple[Version, frozenset[Hash]]] = set()
    for form in forms:
        known = checksums[form.version].most_common(2)
        no_majority = len(known) > 1 and known[0][1] == known[1][1]
        alike = (form.version, form.checksums)
        differs = {
            DriftKind.CHECKSUMS: bool(form.checksums) and (no_majority or form.checksums != known[0][0]),
            DriftKind.VERSION: form.version != usual_version,
            DriftKind.NO_CHECKSUMS: bool(known) and not form.checksums,
            DriftKind.PLATFORMS: alike in seen,
        }
        seen.add(alike)
        yield replace(form, kinds=tuple(kind for kind, so in differs.items() if so))

"""A generated grid of lock file entries: every combination of right, wrong and useless hashes of one package.

The common run has those of no hash, one, two and all, and the useless ones with one package only. All entries are of
the same package under different namespaces, so that one run of a client covers the whole grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, combinations
from pathlib import Path

from builders.thorough import THOROUGH
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.mirrors import Mirrored, network_mirror_site, write_packed, write_unpacked
from lockwarden.demo.packages import DemoPackage, provider_package, zipped
from lockwarden.demo.releases import Release, registry_sites, signed
from lockwarden.demo.world import World

HOST = "registry.example.test"
MIRROR = "https://mirror.example.test/providers/"
VERSION = "1.2.3"
THIS, OTHER = "linux_amd64", "windows_amd64"
_BUILT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridEntry:
    """One entry of the lock file, and the release that it is of."""

    words: tuple[str, ...]
    """What its hashes are, in words."""
    hashes: tuple[str, ...]
    release: Release

    @property
    def address(self) -> str:
        """The provider's address, which only this entry has."""
        return self.release.address

    def __str__(self) -> str:
        return f"{self.release.name}: {', '.join(self.words) or 'no hashes'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockGrid:
    """The entries, and the sources that all of them can be installed from."""

    entries: tuple[GridEntry, ...]

    @classmethod
    def make(cls, maker: KeyMaker) -> LockGrid:
        """Build and sign the packages."""
        now = datetime.now(UTC)
        key = maker.make("Lock Grid <grid@example.test>", created=now - timedelta(days=30))
        entries: list[GridEntry] = []
        for name, packages, members in (_plain(), _with_folder()):
            release = Release(address=f"{HOST}/any/{name}", version=VERSION, packages=packages, offered=(key,))
            release = signed(release, maker=maker, key=key, at=now - timedelta(days=2))
            for words in (*_combinations(members), *(_WITH_USELESS if THOROUGH or not entries else ())):
                hashes = tuple({**members, **_USELESS}[word] for word in words)
                own = replace(release, address=f"{HOST}/case{len(entries)}/{name}")
                entries.append(GridEntry(words=words, hashes=hashes, release=own))
        return cls(entries=tuple(entries))

    @property
    def required(self) -> dict[str, str]:
        """Address → version, for a configuration."""
        return {entry.address: VERSION for entry in self.entries}

    def world(self) -> World:
        """The registry, and a network mirror."""
        releases = tuple(entry.release for entry in self.entries)
        return World.of([*registry_sites(releases), network_mirror_site(MIRROR, self._mirrored())])

    def write_packed(self, folder: Path) -> None:
        """Write a filesystem mirror of archives."""
        write_packed(folder, self._mirrored())

    def write_unpacked(self, folder: Path) -> None:
        """Write a filesystem mirror of unpacked packages, of the platform that it is read on."""
        for mirrored in self._mirrored():
            files = {name: content for name, content in mirrored.packages[THIS].files.items() if name[-1] != "/"}
            package = replace(mirrored.packages[THIS], files=files)
            write_unpacked(folder, [replace(mirrored, packages={THIS: package})])

    def _mirrored(self) -> Iterator[Mirrored]:
        for entry in self.entries:
            yield Mirrored(address=entry.address, version=VERSION, packages=entry.release.packages)


_USELESS = {"unknown scheme": "h9:abc", "malformed zh": f"zh:{'AB' * 32}", "malformed h1": "h1:abc"}
"""Hashes that no package can match."""
_WITH_USELESS = (*((word,) for word in _USELESS), tuple(_USELESS), *((word, "zh") for word in _USELESS))
_Members = tuple[str, Mapping[str, DemoPackage], Mapping[str, str]]


def _plain() -> _Members:
    """A package like most: its archive and its folder have the same `h1`."""
    packages = {each: provider_package("thing", VERSION, each, size=300, modified=_BUILT) for each in (THIS, OTHER)}
    this, other = packages[THIS], packages[OTHER]
    members = {
        "h1": this.h1,
        "zh": this.zh,
        "other platform's h1": other.h1,
        "other platform's zh": other.zh,
        "wrong h1": f"h1:{'A' * 43}=",
    }
    return ("thing", packages, members)


def _with_folder() -> _Members:
    """A package whose archive has an entry for a folder, and so another `h1` than what it unpacks to."""
    files = {"terraform-provider-nested_v1.2.3": b"no program", "docs/readme": b"nothing"}
    package = zipped({"docs/": b"", **files}, modified=_BUILT)
    members = {"archive's h1": package.h1, "folder's h1": zipped(files, modified=_BUILT).h1, "zh": package.zh}
    return ("nested", {THIS: package}, members)


def _combinations(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    known = tuple(words)
    sizes = range(len(known) + 1) if THOROUGH else (0, 1, 2, len(known))
    return chain.from_iterable(combinations(known, size) for size in sizes)

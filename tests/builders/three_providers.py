"""Three providers of one registry, signed by one real key, with a network mirror and a mirror folder of the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lockwarden.demo.keys import KeyMaker, SigningKey
from lockwarden.demo.mirrors import Mirrored, network_mirror_site, write_packed
from lockwarden.demo.packages import DemoPackage, provider_package
from lockwarden.demo.releases import Release, registry_sites, signed
from lockwarden.demo.world import World

PLATFORMS = ("linux_amd64", "darwin_arm64", "windows_amd64")
HOST = "registry.example.test"
MIRROR = "https://mirror.example.test/providers/"
_BUILT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeProviders:
    """The releases, and the key that signed them."""

    releases: tuple[Release, ...]
    key: SigningKey

    @classmethod
    def make(cls, maker: KeyMaker, *, platforms: tuple[str, ...] = PLATFORMS) -> ThreeProviders:
        """Build and sign them."""
        now = datetime.now(UTC)
        key = maker.make("Three Providers <three@example.test>", created=now - timedelta(days=30))
        return cls(
            releases=tuple(_release(maker, key, name, now, platforms) for name in ("one", "two", "three")), key=key
        )

    @property
    def required(self) -> dict[str, str]:
        """Address → version, for a configuration."""
        return {release.address: release.version for release in self.releases}

    def world(self, *, at_mirror: Mapping[str, Mapping[str, DemoPackage]] | None = None) -> World:
        """The registry and the mirror; `at_mirror` (address → platform → package) is what the mirror has instead."""
        return World.of([*registry_sites(self.releases), network_mirror_site(MIRROR, self._mirrored(at_mirror or {}))])

    def write_folder(self, folder: Path) -> None:
        """Write a filesystem mirror in the packed layout."""
        write_packed(folder, self._mirrored({}))

    def _mirrored(self, instead: Mapping[str, Mapping[str, DemoPackage]]) -> list[Mirrored]:
        return [
            Mirrored(
                address=release.address,
                version=release.version,
                packages={**release.packages, **instead.get(release.address, {})},
            )
            for release in self.releases
        ]


def _release(maker: KeyMaker, key: SigningKey, name: str, now: datetime, platforms: tuple[str, ...]) -> Release:
    version = "1.4.0"
    packages = {
        platform: provider_package(name, version, platform, size=30_000, modified=_BUILT, compressed=True)
        for platform in platforms
    }
    release = Release(address=f"{HOST}/acme/{name}", version=version, packages=packages, offered=(key,))
    return signed(release, maker=maker, key=key, at=now - timedelta(days=2))


def another_package(release: Release, platform: str) -> DemoPackage:
    """Another program under the same name and version."""
    return provider_package(release.name, release.version, platform, size=30_000, modified=_BUILT, build="another")

"""What one provider of the demo shows, as a value, and the means to make one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from lockwarden.demo.cast import Notary, Role
from lockwarden.demo.lockfile import LockEntry
from lockwarden.demo.mirrors import Mirrored
from lockwarden.demo.packages import DemoPackage, provider_package
from lockwarden.demo.releases import HashesShape, Release
from lockwarden.demo.responses import Response

OPENTOFU: Final = "registry.opentofu.org"
OTHER: Final = "registry.example.test"
BUILT: Final = datetime(2026, 2, 3, 9, 30, tzinfo=UTC)
"""The time of modification in the packages; it is part of their bytes, so it does not follow the clock."""
BUILT_AGAIN: Final = datetime(2026, 5, 20, 16, 0, tzinfo=UTC)
FOUR: Final = ("linux_amd64", "linux_arm64", "darwin_arm64", "windows_amd64")
FIVE: Final = (*FOUR, "darwin_amd64")
WITHOUT_WINDOWS: Final = ("linux_amd64", "linux_arm64", "darwin_arm64", "darwin_amd64")
_MANIFEST: Final = b'{"version":1,"metadata":{"protocol_versions":["5.0"]}}\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One provider of the demo's lock file and what its sources hold."""

    title: str
    tells: str
    """One or two sentences for the person who looks at it."""
    release: Release
    lock: LockEntry
    mirrored: Mirrored | None = None
    """What the network mirror has of it, if anything."""
    in_folders: Mirrored | None = None
    """What the mirror folders have of it, if anything."""
    answers: Mapping[str, Response] = field(default_factory=dict)
    """Path → answer that the origin gives instead of the release's own."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """Hash → the verdict that it should get when the origin and the network mirror are asked, platforms chosen
    automatically. Hashes that are not named here depend on the machine or are open to judgement."""

    @property
    def address(self) -> str:
        """The provider's address."""
        return self.release.address


def packages_of(
    address: str, version: str, platforms: Iterable[str], *, size: int, build: str = "", modified: datetime = BUILT
) -> dict[str, DemoPackage]:
    """Packages of about `size` bytes, a little different for each platform, as real ones are."""
    name = address.split("/")[2]
    return {
        platform: provider_package(name, version, platform, size=size + 1531 * place, modified=modified, build=build)
        for place, platform in enumerate(platforms)
    }


def published(
    notary: Notary,
    address: str,
    version: str,
    packages: Mapping[str, DemoPackage],
    *,
    signer: Role,
    offered: tuple[Role, ...],
    days_ago: int,
    extra_hashes: HashesShape = HashesShape.NONE,
    reported: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Release:
    """A release with a manifest, signed by one role's key, for which the registry offers those of `offered`."""
    release = Release(
        address=address,
        version=version,
        packages=packages,
        offered=tuple(notary.key(role) for role in offered),
        extra_hashes=extra_hashes,
        reported=reported,
        other_files={f"terraform-provider-{address.split('/')[2]}_{version}_manifest.json": _MANIFEST},
    )
    return replace(release, signature=notary.sign(signer, release.sums, days_ago=days_ago))


def signed_hashes(release: Release) -> tuple[str, ...]:
    """The `zh` of every line of the release's list of checksums, the manifest's too."""
    return tuple(f"zh:{line.split()[0]}" for line in release.sums.decode().splitlines())


def contents(packages: Mapping[str, DemoPackage], *platforms: str) -> tuple[str, ...]:
    """The `h1` of the packages for some platforms."""
    return tuple(packages[platform].h1 for platform in platforms)


def all_are(verdict: str, hashes: Iterable[str]) -> dict[str, str]:
    """The same verdict for several hashes."""
    return dict.fromkeys(hashes, verdict)

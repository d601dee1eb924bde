"""What mirrors hold: a network mirror's documents, and mirror folders, packed and unpacked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lockwarden.demo.packages import DemoPackage, archive_name
from lockwarden.demo.responses import Response
from lockwarden.demo.world import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored:
    """One release as a mirror holds it. A mirror lists hashes, but signs nothing."""

    address: str
    version: str
    packages: Mapping[str, DemoPackage]
    """Platform → package, as the mirror serves it."""
    listed: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)
    """Platform → hashes that the mirror lists instead of the true ones; None for a list without the property."""

    @property
    def name(self) -> str:
        """The provider's type."""
        return self.address.split("/")[2]

    def archives(self) -> dict[str, Any]:
        """The mirror's document about this version, as JSON."""
        entries: dict[str, Any] = {}
        for platform, package in self.packages.items():
            hashes = self.listed.get(platform, (package.h1, package.zh))
            entries[platform] = {"url": archive_name(self.name, self.version, platform)}
            entries[platform] |= {} if hashes is None else {"hashes": list(hashes)}
        return {"archives": entries}


def network_mirror_site(base: str, mirrored: Iterable[Mirrored]) -> tuple[str, Site]:
    """The host of a network mirror at the URL `base` (which ends in a slash), and its documents."""
    parts = urlsplit(base)
    site: dict[str, Response] = {}
    versions: dict[str, dict[str, Any]] = {}
    for release in mirrored:
        folder = f"{parts.path}{release.address}/"
        versions.setdefault(folder, {})[release.version] = {}
        site[f"{folder}{release.version}.json"] = Response.of_json(release.archives())
        for platform, package in release.packages.items():
            site[f"{folder}{archive_name(release.name, release.version, platform)}"] = Response.of_bytes(
                package.archive
            )
    for folder, entries in versions.items():
        site[f"{folder}index.json"] = Response.of_json({"versions": entries})
    return (parts.hostname or "", site)


def write_packed(folder: Path, mirrored: Iterable[Mirrored]) -> None:
    """Write the archives in the packed layout of a mirror folder."""
    for release in mirrored:
        place = folder / release.address
        place.mkdir(parents=True, exist_ok=True)
        for platform, package in release.packages.items():
            (place / archive_name(release.name, release.version, platform)).write_bytes(package.archive)


def write_unpacked(folder: Path, mirrored: Iterable[Mirrored]) -> None:
    """Write the packages' files in the unpacked layout of a mirror folder, executables with their mode."""
    for release in mirrored:
        for platform, package in release.packages.items():
            place = folder / release.address / release.version / platform
            for name, content in package.files.items():
                target = place / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod(0o755 if name.startswith("terraform-provider-") else 0o644)

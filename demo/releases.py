"""One release as an origin registry publishes it: package metadata, SHA256SUMS, signature, packages.

Every document can be replaced, so that a test can make a registry that is wrong in one place and right in all others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from lockwarden.demo.keys import KeyMaker, SigningKey
from lockwarden.demo.packages import DemoPackage, archive_name
from lockwarden.demo.responses import Response
from lockwarden.demo.world import Site

DISCOVERY: Final = "/.well-known/terraform.json"
SERVICE: Final = "/v1/providers/"


class HashesShape(StrEnum):
    """In which shape a registry's answer carries hashes beyond the SHA256SUMS."""

    NONE = "none"
    PACKAGES = "packages: platform to hashes and size"
    MAP = "hashes: zh to list of h1"
    LIST = "hashes: flat list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What there is to publish about one version of one provider."""

    address: str
    """`HOST/NAMESPACE/TYPE`."""
    version: str
    packages: Mapping[str, DemoPackage]
    """Platform → package, as the origin serves it."""
    signature: bytes = b""
    """The detached signature over `sums`; a registry has to serve one even when it offers no key."""
    offered: tuple[SigningKey, ...] = ()
    """The keys that the registry offers, in its order."""
    extra_hashes: HashesShape = HashesShape.NONE
    reported: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Platform → hashes that the registry reports instead of the package's true ones."""
    other_files: Mapping[str, bytes] = field(default_factory=dict)
    """Files of the release beside the packages, by name; SHA256SUMS lists them too."""
    also_announced: tuple[str, ...] = ()
    """Platforms that the list of versions names though there is no package for them."""
    download_host: str = ""
    """Where the release's files lie when not on the registry's own host."""

    @property
    def host(self) -> str:
        """The registry's host name."""
        return self.address.split("/")[0]

    @property
    def namespace(self) -> str:
        """The second part of the address."""
        return self.address.split("/")[1]

    @property
    def name(self) -> str:
        """The provider's type, the third part of the address."""
        return self.address.split("/")[2]

    @property
    def files_host(self) -> str:
        """The host that serves the release's files."""
        return self.download_host or self.host

    @property
    def versions_path(self) -> str:
        """Path of the list of versions."""
        return f"{SERVICE}{self.namespace}/{self.name}/versions"

    def metadata_path(self, platform: str) -> str:
        """Path of the package metadata for one platform."""
        system, _, architecture = platform.partition("_")
        return f"{SERVICE}{self.namespace}/{self.name}/{self.version}/download/{system}/{architecture}"

    def file_path(self, file_name: str) -> str:
        """Path of one file of the release."""
        return f"/releases/{self.namespace}/{self.name}/{self.version}/{file_name}"

    def package_path(self, platform: str) -> str:
        """Path of the package for one platform."""
        return self.file_path(archive_name(self.name, self.version, platform))

    @property
    def sums_path(self) -> str:
        """Path of the list of checksums."""
        return self.file_path("SHA256SUMS")

    @property
    def signature_path(self) -> str:
        """Path of the signature over the list of checksums."""
        return self.file_path("SHA256SUMS.sig")

    @property
    def sums(self) -> bytes:
        """The list of checksums, exactly as it is signed."""
        return sums_of(self.name, self.version, self.packages, self.other_files)

    def sites(self) -> tuple[tuple[str, Site], ...]:
        """All documents of the release: those of the registry, and the files where they lie."""
        metadata = {
            self.metadata_path(platform): Response.of_json(self.metadata(platform)) for platform in self.packages
        }
        files = {self.file_path(name): Response.of_bytes(content) for name, content in self.other_files.items()}
        files |= {self.package_path(platform): Response.of_bytes(p.archive) for platform, p in self.packages.items()}
        files |= {self.sums_path: Response.of_bytes(self.sums), self.signature_path: Response.of_bytes(self.signature)}
        return ((self.host, metadata), (self.files_host, files))

    def metadata(self, platform: str) -> dict[str, Any]:
        """The package metadata for one platform, as JSON."""
        system, _, architecture = platform.partition("_")
        return {
            "protocols": ["5.0"],
            "os": system,
            "arch": architecture,
            "filename": archive_name(self.name, self.version, platform),
            "download_url": self._url(self.package_path(platform)),
            "shasum": self.packages[platform].digest,
            "shasums_url": self._url(self.sums_path),
            "shasums_signature_url": self._url(self.signature_path),
            "signing_keys": {
                "gpg_public_keys": [{"key_id": key.key_id, "ascii_armor": key.armor} for key in self.offered]
            },
            **self._extra(),
        }

    def version_entry(self) -> dict[str, Any]:
        """This release's entry in the list of versions, as JSON."""
        platforms = [platform.split("_") for platform in (*self.packages, *self.also_announced)]
        return {
            "version": self.version,
            "protocols": ["5.0"],
            "platforms": [{"os": system, "arch": architecture} for system, architecture in platforms],
        }

    def reported_hashes(self, platform: str) -> tuple[str, ...]:
        """What the registry says the hashes of one platform's package are."""
        return self.reported.get(platform, self.packages[platform].hashes)

    def _url(self, path: str) -> str:
        return f"https://{self.download_host}{path}" if self.download_host else path

    def _extra(self) -> dict[str, Any]:
        listed = {platform: list(self.reported_hashes(platform)) for platform in self.packages}
        match self.extra_hashes:
            case HashesShape.NONE:
                return {}
            case HashesShape.PACKAGES:
                sizes = {platform: len(package.archive) for platform, package in self.packages.items()}
                return {"packages": {p: {"hashes": listed[p], "package_size": sizes[p]} for p in listed}}
            case HashesShape.LIST:
                return {"hashes": [text for hashes in listed.values() for text in hashes]}
            case HashesShape.MAP:
                pairs: dict[str, list[str]] = {}
                for platform, hashes in listed.items():
                    contents = pairs.setdefault(self.packages[platform].zh, [])
                    contents += [text for text in hashes if text.startswith("h1:") and text not in contents]
                return {"hashes": pairs}


def signed(release: Release, *, maker: KeyMaker, key: SigningKey, at: datetime) -> Release:
    """The release with a signature that `key` made over its list of checksums at the time `at`."""
    return replace(release, signature=maker.sign(key, release.sums, at=at))


def sums_of(name: str, version: str, packages: Mapping[str, DemoPackage], other_files: Mapping[str, bytes]) -> bytes:
    """A list of checksums as release tools write it: sorted by file name, two spaces, one file a line."""
    digests = {archive_name(name, version, platform): package.digest for platform, package in packages.items()}
    digests |= {file_name: hashlib.sha256(content).hexdigest() for file_name, content in other_files.items()}
    return "".join(f"{digests[file_name]}  {file_name}\n" for file_name in sorted(digests)).encode()


def registry_sites(releases: tuple[Release, ...]) -> tuple[tuple[str, Site], ...]:
    """The documents of several releases together, with their hosts' discovery and each provider's list of versions."""
    versions: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for release in releases:
        versions.setdefault((release.host, release.versions_path), []).append(release.version_entry())
    lists = [(host, {path: Response.of_json({"versions": entries})}) for (host, path), entries in versions.items()]
    hosts = sorted({release.host for release in releases})
    discovery = [(host, {DISCOVERY: Response.of_json({"providers.v1": SERVICE})}) for host in hosts]
    return (*discovery, *lists, *(site for release in releases for site in release.sites()))

"""The providers that are measured: signed releases in a folder, built once and used again by every later run."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

import trustme

from benchmarks.content import MIB, write_package
from lockwarden.demo.keys import KeyMaker

_FORM: Final = 1
"""Counted up when the content of a world changes, so that an older one is built anew."""
_SIGNED: Final = datetime(2026, 1, 2, tzinfo=UTC)
NAMESPACE: Final = "acme"
VERSION: Final = "1.0.0"
ALL_PLATFORMS: Final = ("linux_amd64", "darwin_arm64", "linux_arm64", "windows_amd64", "darwin_amd64")
_UNPACKED_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSet:
    """Some providers of the same size, each with one release."""

    name: str
    """Short; each provider's type begins with it."""
    providers: int
    platforms: tuple[str, ...]
    size: int
    """Bytes of a provider's executable."""

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the providers."""
        return tuple(f"{self.name}{number}" for number in range(self.providers))


FEW_LARGE: Final = ProviderSet(name="large", providers=3, platforms=ALL_PLATFORMS[:3], size=60 * _UNPACKED_MEGABYTE)
MANY_SMALL: Final = ProviderSet(name="small", providers=10, platforms=ALL_PLATFORMS, size=20 * _UNPACKED_MEGABYTE)
ONE_HUGE: Final = ProviderSet(name="huge", providers=1, platforms=ALL_PLATFORMS[:1], size=2700 * _UNPACKED_MEGABYTE)
SHARED: Final = ProviderSet(name="shared", providers=30, platforms=ALL_PLATFORMS, size=MIB)
REGISTRY: Final = ProviderSet(name="registry", providers=4, platforms=ALL_PLATFORMS, size=2 * _UNPACKED_MEGABYTE)
ORGANISATION: Final = ProviderSet(name="own", providers=40, platforms=ALL_PLATFORMS[:3], size=MIB)
FEW_SMALL: Final = ProviderSet(name="brief", providers=3, platforms=ALL_PLATFORMS[:3], size=2 * _UNPACKED_MEGABYTE)
ONE_TINY: Final = ProviderSet(name="tiny", providers=1, platforms=ALL_PLATFORMS[:1], size=MIB)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A folder with releases, and the certificate of the server that gives them out."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Self:
        """The world in `folder`; what another form of it has left there is removed."""
        mark = folder / "form"
        if not mark.is_file() or mark.read_text(encoding="ascii") != str(_FORM):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            authority = trustme.CA(organization_name="Lockwarden benchmarks")
            authority.cert_pem.write_to_path(str(folder / "ca.pem"))
            authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(folder / "server.pem"))
            mark.write_text(str(_FORM), encoding="ascii")
        return cls(folder=folder)

    @property
    def ca_file(self) -> Path:
        """The certificate authority, for SSL_CERT_FILE."""
        return self.folder / "ca.pem"

    def add(self, chosen: ProviderSet) -> None:
        """Build the releases of a set unless they are there."""
        missing = [each for each in chosen.types if not (self.folder / each / "release.json").is_file()]
        if not missing:
            return
        with ProcessPoolExecutor() as pool, KeyMaker() as maker:
            key = maker.make("Benchmark Releases", created=datetime(2026, 1, 1, tzinfo=UTC), algorithm="rsa3072")
            for provider_type in missing:
                folder = self.folder / provider_type
                folder.mkdir(exist_ok=True)
                digests = dict(
                    zip(
                        chosen.platforms,
                        pool.map(_made, [(folder, provider_type, each, chosen.size) for each in chosen.platforms]),
                        strict=True,
                    )
                )
                sums = "".join(
                    f"{digest}  {archive(provider_type, platform)}\n" for platform, digest in sorted(digests.items())
                ).encode("ascii")
                (folder / "SHA256SUMS").write_bytes(sums)
                (folder / "SHA256SUMS.sig").write_bytes(maker.sign(key, sums, at=_SIGNED))
                release = {"digests": digests, "key_id": key.key_id, "armor": key.armor}
                (folder / "release.json").write_text(json.dumps(release), encoding="utf-8")

    def packages(self, chosen: ProviderSet) -> tuple[Path, ...]:
        """The archives of a set."""
        return tuple(
            self.folder / each / archive(each, platform) for each in chosen.types for platform in chosen.platforms
        )


def archive(provider_type: str, platform: str) -> str:
    """The file name of a package."""
    return f"terraform-provider-{provider_type}_{VERSION}_{platform}.zip"


def _made(job: tuple[Path, str, str, int]) -> str:
    folder, provider_type, platform, size = job
    return write_package(
        folder / archive(provider_type, platform),
        provider_type=provider_type,
        seed=f"{provider_type} {platform}",
        size=size,
    )

"""What a metadata file of a registry says of one provider, as the registry's generator reads it.

`opentofu/registry`, `src/internal/provider`: absent, empty and zero all mean that a hash or a size is not filled. The
bytes of the file are kept by whoever edits it; nothing is ever written from these values.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from lockwarden.core.values.errors import InvalidVersionError, MetadataError
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.versions import Version

MAX_SIZE: Final = 64 * 1024 * 1024
"""Bytes of one file; the largest known one has two million."""
EMPTY_DIGEST: Final = hashlib.sha256(b"").hexdigest()
"""What a file of no bytes would have as its SHA-256."""
EMPTY_H1: Final = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
"""The `h1` of a package without files."""
Size = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""Bytes, as Go's int64: a file that says more cannot be read by the registry's tools either."""
_PATH: Final = re.compile(r"(?:.*/)?providers/([^/]+)/([^/]+)/([^/]+)\.json\Z", re.IGNORECASE)


class Target(Struct, frozen=True, kw_only=True):
    """The package of one platform."""

    os: str = ""
    arch: str = ""
    filename: str = ""
    download_url: str = ""
    shasum: str = ""
    h1: str | None = None
    size: Size | None = None

    @property
    def filled(self) -> bool:
        """Whether both hash and size are there."""
        return bool(self.h1) and bool(self.size)

    @property
    def half_filled(self) -> bool:
        """Whether just one of the two is there."""
        return bool(self.h1) is not bool(self.size)

    @property
    def platform(self) -> str:
        """`OS_ARCH`."""
        return f"{self.os}_{self.arch}"

    @property
    def key(self) -> str:
        """The key of its package in plans and journals: the same URL with the same digest is one download."""
        return package_key(self.download_url, self.shasum)

    @property
    def zh(self) -> Hash | None:
        """What its bytes should hash to; None where the file does not have a digest that bytes could have."""
        zh = Hash(f"{ZH}:{self.shasum}")
        return zh if zh.usable and self.shasum != EMPTY_DIGEST else None


class MetadataVersion(Struct, frozen=True, kw_only=True):
    """One version with its packages."""

    version: str = ""
    protocols: tuple[str, ...] | None = None
    shasums_url: str = ""
    shasums_signature_url: str = ""
    targets: tuple[Target, ...] | None = None
    discovered: str | None = None

    @property
    def packages(self) -> tuple[Target, ...]:
        """The targets, none where the file has no list of them."""
        return self.targets or ()

    @property
    def parsed(self) -> Version | None:
        """The version; None where it is none."""
        try:
            return Version.parse(self.version)
        except InvalidVersionError:
            return None


class VersionError(Struct, frozen=True, kw_only=True):
    """A version that the registry failed to take up."""

    version: str = ""
    message: str = ""
    utc_time: str = ""


class ProviderMetadata(Struct, frozen=True, kw_only=True):
    """One file."""

    repository: str | None = None
    versions: tuple[MetadataVersion, ...] | None = None
    versions_errors: tuple[VersionError, ...] | None = None
    warnings: tuple[str, ...] | None = None

    @property
    def listed(self) -> tuple[MetadataVersion, ...]:
        """The versions, none where the file has no list of them."""
        return self.versions or ()


_READER: Final = msgspec.json.Decoder(ProviderMetadata)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""


def read_metadata(data: bytes, path: str) -> ProviderMetadata:
    """Read a file; `path` is for the message. Raises MetadataError."""
    if len(data) > MAX_SIZE:
        raise MetadataError(f"{path} has {len(data)} bytes, the limit is {MAX_SIZE}")
    try:
        return _READER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise MetadataError(
            f"{path} is not a metadata file: {error}", hint="compare it with the file in the registry's repository"
        ) from error


def provider_of(path: str) -> tuple[str, str] | None:
    """Namespace and name of the provider that a path is of, as they are spelt; None for another kind of file."""
    match = _PATH.match(path)
    return None if match is None else (match[2], match[3])


def package_key(url: str, shasum: str) -> str:
    """The key of the package at a URL with a SHA-256: equal for equal pairs, and for no others."""
    return hashlib.sha256(f"{url}\n{shasum}".encode("utf-8", "surrogatepass")).hexdigest()

"""Names in OCI registries: repositories, tags and digests, and which tag stands for which version.

Grammar: OCI Distribution Specification 1.1, "Pulling manifests". How versions are written as tags: OpenTofu, "Provider
mirrors in OCI registries".
"""

from __future__ import annotations

import hashlib
import ipaddress
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.errors import InputError, InvalidVersionError
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.versions import Version

MAX_NAME: Final = 255
"""Characters in a registry and a repository's path together."""
_DOCKER_HUB: Final = "docker.io"
_DOCKER_HUB_HOST: Final = "registry-1.docker.io"

_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_REGISTRY: Final = LatePattern(rf"(?:{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{{1,5}}))?")
_SEGMENT: Final = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_PATH: Final = LatePattern(rf"{_SEGMENT}(?:/{_SEGMENT})*")
_TAG: Final = LatePattern(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_DIGITS: Final = {"sha256": 64, "sha384": 96, "sha512": 128}
_HEXADECIMAL: Final = LatePattern(r"[0-9a-f]+")
_FORM: Final = "a repository looks like registry.example.test/path/of/lower-case-names, without a scheme, tag or digest"


class OciRepository(Struct, frozen=True):
    """One repository of one registry."""

    domain: str
    """The registry as it was written, with an optional port; credentials are looked up by it, case and all."""
    path: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `REGISTRY[:PORT]/PATH`. Raises InputError, which repeats the text."""
        domain, slash, path = text.partition("/")
        if not slash or len(text) > MAX_NAME:
            raise InputError(f"“{text[:MAX_NAME]}” is not an OCI repository", hint=_FORM)
        if not _is_registry(domain):
            raise InputError(f"“{text}” is not an OCI repository: “{domain}” is not a registry's host", hint=_FORM)
        if not _PATH.fullmatch(path):
            raise InputError(f"“{text}” is not an OCI repository: “{path}” is not a repository's path", hint=_FORM)
        return cls(domain, path)

    @property
    def host(self) -> str:
        """The host that is really asked: Docker Hub's registry has another name than its images."""
        return _DOCKER_HUB_HOST if self.domain == _DOCKER_HUB else self.domain

    def __str__(self) -> str:
        return f"{self.domain}/{self.path}"


class Digest(Struct, frozen=True):
    """The name of some bytes in a registry: the algorithm and the digest of the bytes by it."""

    algorithm: str
    value: str
    """Lower-case hexadecimal digits."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `ALGORITHM:HEXADECIMAL` for sha256, sha384 or sha512. Raises ValueError with the end of a sentence."""
        algorithm, colon, value = text.partition(":")
        if not colon or not algorithm:
            raise ValueError(f"“{text[:MAX_NAME]}” is not a digest")
        if algorithm not in _DIGITS:
            raise ValueError(f"unsupported digest algorithm “{algorithm[:MAX_NAME]}”")
        if len(value) != _DIGITS[algorithm] or not _HEXADECIMAL.fullmatch(value):
            raise ValueError(f"“{text[:MAX_NAME]}” is not a {algorithm} digest")
        return cls(algorithm, value)

    @classmethod
    def of(cls, content: bytes, algorithm: str = "sha256") -> Self:
        """The digest of some bytes."""
        return cls(algorithm, hashlib.new(algorithm, content).hexdigest())

    @property
    def zh(self) -> Hash | None:
        """The `zh` of an archive with this digest; None unless it is a SHA-256, the only one that `zh` knows."""
        return Hash(f"{ZH}:{self.value}") if self.algorithm == "sha256" else None

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.value}"


def _is_registry(domain: str) -> bool:
    match = _REGISTRY.fullmatch(domain)
    if match is None or int(match["port"] or 1) not in range(1, 65536):
        return False
    if not domain.startswith("["):
        return True
    try:
        ipaddress.IPv6Address(domain[1 : domain.index("]")])
    except ValueError:
        return False
    return True


def is_tag(text: str) -> bool:
    """Whether the text can be a tag."""
    return _TAG.fullmatch(text) is not None


def tag_of(version: Version) -> str:
    """The one tag under which the client looks for a version: a tag cannot hold a plus sign. May be no valid tag."""
    return str(version).replace("+", "_")


def version_of(tag: str) -> Version | None:
    """The version that a tag stands for, or None: such a tag is nothing to the client, as `latest` and `v1.0.0`."""
    try:
        return Version.parse(tag.replace("_", "+"))
    except InvalidVersionError:
        return None

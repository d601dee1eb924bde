"""Packages that are fetched and hashed elsewhere, where the operator has workers for that: what these are asked."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.hashes import Hash


class AskedPackage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One package that somebody else is to fetch and to hash, with all that its answer may depend on."""

    url: str
    zh: Hash | None = None
    """What its bytes should hash to; None where nobody says so."""
    size: int | None = None
    """Bytes of the archive as somebody else than its server says."""
    retries: int = 0
    """How often it is asked for again after a fault that may pass."""


class PackagesElsewhere(Protocol):
    """Whoever fetches packages in this process's place, without credentials, and says what their bytes are."""

    @property
    def lasting(self) -> bool:
        """Whether later runs may believe what is said: it was computed by this program, on this machine."""
        ...

    async def package(self, asked: AskedPackage) -> KnownPackage:
        """What a package is. Raises SourceError as `download` does, and ToolError when nobody can work."""
        ...

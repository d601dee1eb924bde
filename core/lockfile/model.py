"""What a dependency lock file says, as frozen values."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.hashes import PREFERRED_SCHEMES, Hash
from lockwarden.core.values.versions import Version

LOCK_FILE_NAME: Final = ".terraform.lock.hcl"


class LockedHash(Struct, frozen=True, kw_only=True):
    """One element of a provider's list of hashes; the same hash may stand there twice."""

    hash: Hash
    line: int


class LockedProvider(Struct, frozen=True, kw_only=True):
    """One `provider` block."""

    address: ProviderAddress
    version: Version
    constraints: str
    """In canonical form, for information only; empty when there are none."""
    hashes: tuple[LockedHash, ...]
    """In the order of the file, with repetitions, unknown schemes and hashes that can never match."""
    line: int
    """Where the block begins."""

    @property
    def protects(self) -> bool:
        """Whether the clients compare packages with it at all: it has a hash of a scheme that they know.

        One that can never match protects, too: then they refuse every package.
        """
        return any(locked.hash.scheme in PREFERRED_SCHEMES for locked in self.hashes)

    @property
    def hash_set(self) -> frozenset[Hash]:
        """The hashes without order and repetitions."""
        return frozenset(locked.hash for locked in self.hashes)


class LockFile(Struct, frozen=True, kw_only=True):
    """One lock file that the clients would accept, with the exact bytes it was read from."""

    path: str
    data: bytes
    providers: tuple[LockedProvider, ...]
    """In the order of the file."""
    warnings: tuple[Diagnostic, ...]
    """Warnings and notes; never errors."""
    client: Client
    """Who keeps the file, by its header comment unless told otherwise."""

    def provider(self, address: ProviderAddress) -> LockedProvider | None:
        """The block of this provider, or None."""
        return next((provider for provider in self.providers if provider.address == address), None)

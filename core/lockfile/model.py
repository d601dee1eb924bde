"""What a dependency lock file says, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
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
    read_as: ProviderAddress | None = None
    """The other address under which OpenTofu takes the entry for one as well; None where it does not, and where the
    configuration requires both anyway."""
    moved_from: ProviderAddress | None = None
    """The address of the entry that OpenTofu makes this one of when it reads the file; None for one of the file."""
    beside_old: bool = False
    """Whether the configuration is known to require both, so that neither `init` nor OpenTofu's comparison of the sets
    of providers takes offence at the other one."""

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


class LockFile(Struct, frozen=True, kw_only=True, dict=True):
    """One lock file that the clients would accept, with the exact bytes it was read from."""

    path: str
    data: bytes
    providers: tuple[LockedProvider, ...]
    """In the order of the file."""
    warnings: tuple[Diagnostic, ...]
    """Warnings and notes; never errors."""
    client: Client
    """Who keeps the file, by its header comment unless told otherwise."""
    moved: tuple[LockedProvider, ...] = ()
    """What the client reads beside the blocks of the file: entries that Terraform wrote, under OpenTofu's address."""

    @property
    def entries(self) -> tuple[LockedProvider, ...]:
        """All that the client that installs by the file finds in it."""
        return (*self.providers, *self.moved)

    def entry(self, address: ProviderAddress) -> LockedProvider | None:
        """What the client finds in it for this provider, or None."""
        return self.provider(address) or next((each for each in self.moved if each.address == address), None)

    def provider(self, address: ProviderAddress) -> LockedProvider | None:
        """The block of this provider, or None."""
        return self._by_address.get(address)

    @cached_property
    def _by_address(self) -> Mapping[ProviderAddress, LockedProvider]:
        """The first block of each provider."""
        return {each.address: each for each in reversed(self.providers)}

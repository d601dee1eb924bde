"""What a file of approvals says, as frozen values, and which record holds for a hash today."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from msgspec import Struct

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.hashes import Hash
from lockwarden.core.versions import Version

APPROVALS_FILE: Final = ".lockwarden/approvals.hcl"


class Approval(Struct, frozen=True, kw_only=True):
    """One record: a person accepts these hashes of this provider version, and nothing else."""

    path: str
    """As people know the file."""
    line: int
    address: ProviderAddress
    version: Version
    hashes: frozenset[Hash]
    verdict: str
    """The verdict at the time, for people."""
    signers: tuple[str, ...]
    """Full fingerprints of the keys whose signature counted at the time, upper case; empty when nothing was signed."""
    by: str
    """Who says so, from git's identity: a claim of whoever wrote the file."""
    at: datetime
    reason: str
    until: date | None
    """The last day on which it holds, in UTC; None for no end."""

    def __str__(self) -> str:
        return f"{self.path} line {self.line}"

    def holds(self, today: date) -> bool:
        """Whether it has not expired."""
        return self.until is None or today <= self.until


class Approvals(Struct, frozen=True, kw_only=True):
    """All records of one file, in its order."""

    path: str = ""
    data: bytes = b""
    records: tuple[Approval, ...] = ()

    def of(self, address: ProviderAddress, version: Version, hash_: Hash, *, today: date) -> Approval | None:
        """The first record that holds today for exactly this hash of exactly this version."""
        return next(
            (each for each in self._about(address, version) if hash_ in each.hashes and each.holds(today)), None
        )

    def expired(self, address: ProviderAddress, version: Version, hash_: Hash, *, today: date) -> Approval | None:
        """The last record for this hash that does not hold any more, when none holds."""
        if self.of(address, version, hash_, today=today) is not None:
            return None
        found = [each for each in self._about(address, version) if hash_ in each.hashes]
        return found[-1] if found else None

    def _about(self, address: ProviderAddress, version: Version) -> tuple[Approval, ...]:
        return tuple(each for each in self.records if each.address == address and each.version == version)


NO_APPROVALS: Final = Approvals()

"""What a file of approvals says, as frozen values, and which record holds for a hash today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Final

from msgspec import Struct

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

WITHOUT_END: Final = timedelta(days=365)
"""How long a record holds that does not say until when."""
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
    """The last day on which it holds, in UTC, as the record says; see `ends` for one that does not say."""

    def __str__(self) -> str:
        return f"{self.path} line {self.line}"

    def holds(self, today: date) -> bool:
        """Whether it has not expired."""
        return today <= self.ends

    @property
    def ends(self) -> date:
        """The last day on which it holds: a record that names none holds for a year, as nobody looks at it again."""
        made = self.at.date()
        return self.until or (made + WITHOUT_END if made.year < date.max.year else date.max)


class Approvals(Struct, frozen=True, kw_only=True, dict=True):
    """All records of one file, in its order."""

    path: str = ""
    data: bytes = b""
    records: tuple[Approval, ...] = ()

    def of(self, address: ProviderAddress, version: Version, hash_: Hash, *, today: date) -> Approval | None:
        """The first record that holds today for exactly this hash of exactly this version."""
        about = self._by_hash.get((address, version, hash_), ())
        return next((each for each in about if each.holds(today)), None)

    def expired(self, address: ProviderAddress, version: Version, hash_: Hash, *, today: date) -> Approval | None:
        """The last record for this hash that does not hold any more, when none holds."""
        about = self._by_hash.get((address, version, hash_), ())
        return None if any(each.holds(today) for each in about) else next(reversed(about), None)

    @cached_property
    def _by_hash(self) -> Mapping[tuple[ProviderAddress, Version, Hash], tuple[Approval, ...]]:
        """The records about each hash: thousands of them meet thousands of hashes."""
        found: defaultdict[tuple[ProviderAddress, Version, Hash], list[Approval]] = defaultdict(list)
        for each in self.records:
            for hash_ in each.hashes:
                found[each.address, each.version, hash_].append(each)
        return {key: tuple(records) for key, records in found.items()}


NO_APPROVALS: Final = Approvals()

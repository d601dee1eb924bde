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
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import SignatureScheme
from lockwarden.core.values.versions import Version

WITHOUT_END: Final = timedelta(days=365)
"""How long a record holds that does not say until when."""
_AHEAD: Final = timedelta(days=1)
"""By how much the clock, or the day, of whoever made a record may be ahead of ours."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""Size of a file of approvals; a record has a few hundred bytes."""
APPROVALS_FILE: Final = ".lockwarden/approvals.hcl"
SIGNATURE_FILES: Final = (f"{APPROVALS_FILE}.sig", f"{APPROVALS_FILE}.minisig")
"""Where a detached signature over the file can lie: as ssh-keygen and signify call theirs, and as minisign does."""


class ApprovalSignature(Struct, frozen=True, kw_only=True):
    """A signature over the whole file that a record stands in, good and by a key that every policy which counts names.

    It proves that the key signed these records, not that whoever holds it looked at them.
    """

    scheme: SignatureScheme
    signer: str
    """The key's fingerprint, or the whole key."""
    owner: str
    """Whose key it is, by the policy or the list of allowed signers; may be empty."""
    serial: int
    rules: tuple[str, ...]
    """What names the key: places in policies, or in a list of allowed signers."""

    @property
    def who(self) -> str:
        """The signer in words."""
        return f"{self.owner} ({self.signer})" if self.owner else self.signer


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
    platform: Platform | None = None
    """What it says that the hashes are of; None where it does not."""
    signature: ApprovalSignature | None = None
    """The signature that it stands under; None where none counts."""

    def __str__(self) -> str:
        return f"{self.path} line {self.line}"

    def holds(self, today: date) -> bool:
        """Whether it was made by today, and has not expired."""
        return today <= self.ends and not self.is_to_come(today)

    def is_to_come(self, today: date) -> bool:
        """Whether it claims to be made on a later day: so it could hold for as long as anybody likes."""
        return self.at.date() - today > _AHEAD

    def is_of(self, platforms: frozenset[Platform]) -> bool:
        """Whether it can be about a hash that is known to be of these platforms; of none, nothing is known."""
        return self.platform is None or not platforms or self.platform in platforms

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
    serial: int = 0
    """Of the whole file, higher each time that it is signed; 0 where it has none."""
    signer: str = ""
    """Who the file says signs it, as a list of allowed signers calls people; may be empty."""

    def of(
        self,
        address: ProviderAddress,
        version: Version,
        hash_: Hash,
        *,
        today: date,
        platforms: frozenset[Platform] = frozenset(),
    ) -> Approval | None:
        """The first record that holds today for exactly this hash of exactly this version, a signed one before others.

        `platforms` are those that the hash is known to be of.
        """
        about = [each for each in self._about(address, version, hash_, platforms) if each.holds(today)]
        return min(about, key=lambda each: each.signature is None, default=None)

    def expired(
        self,
        address: ProviderAddress,
        version: Version,
        hash_: Hash,
        *,
        today: date,
        platforms: frozenset[Platform] = frozenset(),
    ) -> Approval | None:
        """The last record for this hash that does not hold any more, or not yet, when none holds."""
        about = self._about(address, version, hash_, platforms)
        return None if any(each.holds(today) for each in about) else next(reversed(about), None)

    def _about(
        self, address: ProviderAddress, version: Version, hash_: Hash, platforms: frozenset[Platform]
    ) -> tuple[Approval, ...]:
        return tuple(each for each in self._by_hash.get((address, version, hash_), ()) if each.is_of(platforms))

    @cached_property
    def _by_hash(self) -> Mapping[tuple[ProviderAddress, Version, Hash], tuple[Approval, ...]]:
        """The records about each hash: thousands of them meet thousands of hashes."""
        found: defaultdict[tuple[ProviderAddress, Version, Hash], list[Approval]] = defaultdict(list)
        for each in self.records:
            for hash_ in each.hashes:
                found[each.address, each.version, hash_].append(each)
        return {key: tuple(records) for key, records in found.items()}


NO_APPROVALS: Final = Approvals()

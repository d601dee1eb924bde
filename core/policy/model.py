"""What a policy file says, as frozen values; which of its rules speak of a provider."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.document_signatures.allowed_signers import NO_SIGNERS, AllowedSigners
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import SignatureScheme

if TYPE_CHECKING:
    from lockwarden.core.values.provider_patterns import ProviderPattern

POLICY_FILE_NAME: Final = ".lockwarden.hcl"
MAX_BYTES: Final = 1024 * 1024
"""Size of a policy file. Real ones have a few kilobytes."""
VERSION_IN_IDENTITY: Final = "{version}"


class Rule(Struct, frozen=True):
    """Where in which policy file a rule stands; its text is how sentences name the rule."""

    path: str
    """As people know the file: relative to the repository or folder it was found in."""
    line: int

    def __str__(self) -> str:
        return f"{self.path} line {self.line}"


class TrustedKey(Struct, frozen=True, kw_only=True):
    """A `signing_key` block for GPG: for its providers, this key counts and no other GPG key that is not named too."""

    rule: Rule
    fingerprint: str
    """All digits of the primary key's fingerprint, upper case."""
    owner: str
    """A name for people; it decides nothing."""
    providers: tuple[ProviderPattern, ...]


class OtherKey(Struct, frozen=True, kw_only=True):
    """A `signing_key` block of another scheme than GPG: for these providers, what this key signs counts as well.

    Unlike a GPG key it narrows nothing: no registry brings such keys, so that there is no other that could stand in.
    """

    rule: Rule
    scheme: SignatureScheme
    fingerprint: str
    """As the scheme's own tools write it."""
    owner: str
    providers: tuple[ProviderPattern, ...]
    public_key: bytes = b""
    """The file that the block names; its fingerprint is the block's. Empty where the scheme needs none."""
    not_after: datetime | None = None
    """What it signs after that counts no more."""


class TrustedIdentity(Struct, frozen=True, kw_only=True):
    """A `signing_identity` block: for these providers, what this issuer's identity signs counts as well."""

    rule: Rule
    name: str
    """For people; it decides nothing."""
    issuer: str
    subject: str
    """`{version}` in it stands for the version of the provider."""
    source_repository: str
    """Empty where the policy does not bind it."""
    source_ref: str
    providers: tuple[ProviderPattern, ...]
    trusted_root: bytes
    """The file that the block names: whose certificates and logs are believed."""

    def subject_for(self, version: str) -> str:
        """The identity that may sign a version."""
        return self.subject.replace(VERSION_IN_IDENTITY, version)

    def ref_for(self, version: str) -> str:
        """The ref that a version may be built from."""
        return self.source_ref.replace(VERSION_IN_IDENTITY, version)


class TrustedMirror(Struct, frozen=True, kw_only=True):
    """A `mirror` block: for the providers of its patterns, what this mirror gives out counts like the origin's."""

    rule: Rule
    location: str
    """As the locations of sources are written: a URL that ends in a slash, `oci://` and a template, or a folder."""
    trusted: bool
    """False takes the trust back that a `trust_all_hashes` of the CLI configuration gives."""
    providers: tuple[ProviderPattern, ...]


class PolicyRequirement(Struct, frozen=True, kw_only=True):
    """A `require` block: what the entries of its providers must have. What is left out is not required."""

    rule: Rule
    providers: tuple[ProviderPattern, ...]
    signed: bool = False
    """Every locked hash, or the archive that it was computed from, stands in a list with a signature that counts."""
    platforms: frozenset[Platform] = frozenset()
    """Every one of these has a hash of each required scheme (of any, when none is named)."""
    schemes: frozenset[str] = frozenset()
    """The entry has a usable hash of each."""
    signatures: frozenset[SignatureScheme] = frozenset()
    """Every locked hash, or the archive that it was computed from, is covered by a signature of each that counts."""
    hosts: frozenset[str] | None = None
    """Hosts, in comparison form, that providers may come from; None for all."""
    namespaces: frozenset[str] | None = None
    """Namespaces, in normal form, that providers may have; None for all."""


class Policy(Struct, frozen=True, kw_only=True):
    """All rules of one file, in its order. The empty policy, which asks for nothing, has no path.

    Of a lock file that is held against a base several can count; the others are in `also`. What one of them asks for
    is asked for. What one of them does not trust is not trusted. Each is judged by alone, and the strictest outcome
    stands. What the methods tell is what any of them says.
    """

    path: str = ""
    """As people know the file; empty when there is none."""
    data: bytes = b""
    """The exact bytes it was read from."""
    keys: tuple[TrustedKey, ...] = ()
    other_keys: tuple[OtherKey, ...] = ()
    identities: tuple[TrustedIdentity, ...] = ()
    mirrors: tuple[TrustedMirror, ...] = ()
    requirements: tuple[PolicyRequirement, ...] = ()
    approvals_from_change: bool = False
    """With a base, approvals that the change itself brings count as well."""
    approvals_signed: bool = False
    """Only approvals that are signed count, by a key that the policy names for the provider."""
    allowed_signers: AllowedSigners = NO_SIGNERS
    """The list that the policy names: who else may sign approvals, for any provider."""
    revoked_signers: frozenset[str] = frozenset()
    """Keys whose signatures over approvals do not count any more, whoever names them."""
    also: tuple[Policy, ...] = ()
    """Others that count as much; none of them has any."""

    @property
    def each(self) -> tuple[Policy, ...]:
        """Every policy that counts, alone."""
        return (replace(self, also=()), *self.also) if self.also else (self,)

    @property
    def lets_changes_approve(self) -> bool:
        """Whether what a change itself accepts counts, by every policy that does."""
        return all(each.approvals_from_change for each in self.each)

    @property
    def rules(self) -> Hashable:
        """What it asks for, wherever that stands: two policies whose rules are equal judge alike."""
        ruled = (self.keys, self.other_keys, self.identities, self.mirrors, self.requirements)
        of_approvals = (
            self.approvals_from_change,
            self.approvals_signed,
            self.allowed_signers,
            self.revoked_signers,
        )
        return tuple(tuple(replace(rule, rule=_NOWHERE) for rule in each) for each in ruled), of_approvals

    def keys_for(self, address: ProviderAddress) -> tuple[TrustedKey, ...]:
        """The keys that are pinned for a provider; empty when any key counts."""
        return tuple(key for each in self.each for key in each.keys if _speaks_of(key.providers, address))

    def other_keys_for(self, address: ProviderAddress) -> tuple[OtherKey, ...]:
        """The keys beside GPG's that count for a provider."""
        return tuple(key for each in self.each for key in each.other_keys if _speaks_of(key.providers, address))

    def identities_for(self, address: ProviderAddress) -> tuple[TrustedIdentity, ...]:
        """The identities that count for a provider."""
        return tuple(each for alone in self.each for each in alone.identities if _speaks_of(each.providers, address))

    def mirrors_for(self, address: ProviderAddress) -> tuple[TrustedMirror, ...]:
        """The rules about mirrors that speak of a provider."""
        return tuple(rule for each in self.each for rule in each.mirrors if _speaks_of(rule.providers, address))

    def requirements_for(self, address: ProviderAddress) -> tuple[PolicyRequirement, ...]:
        """What is required of a provider's entry."""
        return tuple(rule for each in self.each for rule in each.requirements if _speaks_of(rule.providers, address))

    @property
    def platforms(self) -> frozenset[Platform]:
        """Every platform that some requirement names."""
        return frozenset(platform for each in self.each for rule in each.requirements for platform in rule.platforms)


NO_POLICY: Final = Policy()
_NOWHERE: Final = Rule("", 0)


def together(policies: Iterable[Policy]) -> Policy:
    """One value for policies that all count, the first before the others; those that ask for the same count once."""
    distinct: dict[Hashable, Policy] = {}
    for each in policies:
        distinct.setdefault(each.rules, each)
    first, *others = distinct.values() or (NO_POLICY,)
    return replace(first, also=tuple(others))


def _speaks_of(patterns: tuple[ProviderPattern, ...], address: ProviderAddress) -> bool:
    return any(pattern.matches(address) for pattern in patterns)

"""What a policy file says, as frozen values; which of its rules speak of a provider."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.cli_config.patterns import ProviderPattern
from lockwarden.core.platforms import Platform

POLICY_FILE_NAME: Final = ".lockwarden.hcl"


class Rule(Struct, frozen=True):
    """Where in which policy file a rule stands; its text is how sentences name the rule."""

    path: str
    """As people know the file: relative to the repository or folder it was found in."""
    line: int

    def __str__(self) -> str:
        return f"{self.path} line {self.line}"


class TrustedKey(Struct, frozen=True, kw_only=True):
    """A `signing_key` block: for the providers of its patterns, this key counts and no other that is not named too."""

    rule: Rule
    fingerprint: str
    """All digits of the primary key's fingerprint, upper case."""
    owner: str
    """A name for people; it decides nothing."""
    providers: tuple[ProviderPattern, ...]


class TrustedMirror(Struct, frozen=True, kw_only=True):
    """A `mirror` block: for the providers of its patterns, what this mirror gives out counts like the origin's."""

    rule: Rule
    location: str
    """As the locations of sources are written: a URL that ends in a slash, `oci://` and a template, or a folder."""
    trusted: bool
    """False takes the trust back that a `trust_all_hashes` of the CLI configuration gives."""
    providers: tuple[ProviderPattern, ...]


class Requirement(Struct, frozen=True, kw_only=True):
    """A `require` block: what the entries of its providers must have. What is left out is not required."""

    rule: Rule
    providers: tuple[ProviderPattern, ...]
    signed: bool = False
    """Every locked hash, or the archive that it was computed from, stands in a list with a signature that counts."""
    platforms: frozenset[Platform] = frozenset()
    """Every one of these has a hash of each required scheme (of any, when none is named)."""
    schemes: frozenset[str] = frozenset()
    """The entry has a usable hash of each."""
    hosts: frozenset[str] | None = None
    """Hosts, in comparison form, that providers may come from; None for all."""
    namespaces: frozenset[str] | None = None
    """Namespaces, in normal form, that providers may have; None for all."""


class Policy(Struct, frozen=True, kw_only=True):
    """All rules of one file, in its order. The empty policy, which asks for nothing, has no path."""

    path: str = ""
    """As people know the file; empty when there is none."""
    data: bytes = b""
    """The exact bytes it was read from."""
    keys: tuple[TrustedKey, ...] = ()
    mirrors: tuple[TrustedMirror, ...] = ()
    requirements: tuple[Requirement, ...] = ()

    def keys_for(self, address: ProviderAddress) -> tuple[TrustedKey, ...]:
        """The keys that are pinned for a provider; empty when any key counts."""
        return tuple(each for each in self.keys if _speaks_of(each.providers, address))

    def mirrors_for(self, address: ProviderAddress) -> tuple[TrustedMirror, ...]:
        """The rules about mirrors that speak of a provider."""
        return tuple(each for each in self.mirrors if _speaks_of(each.providers, address))

    def requirements_for(self, address: ProviderAddress) -> tuple[Requirement, ...]:
        """What is required of a provider's entry."""
        return tuple(each for each in self.requirements if _speaks_of(each.providers, address))

    @property
    def platforms(self) -> frozenset[Platform]:
        """Every platform that some requirement names."""
        return frozenset(platform for each in self.requirements for platform in each.platforms)


NO_POLICY: Final = Policy()


def _speaks_of(patterns: tuple[ProviderPattern, ...], address: ProviderAddress) -> bool:
    return any(pattern.matches(address) for pattern in patterns)

"""What many repositories rely on together: which providers and versions, by whom signed, and held by whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.policy.model import Policy
from lockwarden.core.policy.pins import signers_by_document
from lockwarden.core.review.key_use import key_uses
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.signing import Signing, signing_of
from lockwarden.core.review.trusted_keys import Trust, key_trust
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.core.values.versions import Version


class HeldFile(Struct, frozen=True, kw_only=True):
    """The review of one lock file with the repository that holds it."""

    repository: str
    label: str
    """Of the repository at its revision; unique."""
    review: Review


class ReleaseUse(Struct, frozen=True, kw_only=True):
    """One version of a provider, and who locks it."""

    version: Version
    signing: Signing
    signers: tuple[str, ...]
    """Primary fingerprints of the keys whose signature counts, in their order."""
    labels: tuple[str, ...]
    """The repositories at their revisions, each once, in their order."""
    files: int


class ProviderUse(Struct, frozen=True, kw_only=True):
    """One provider, with every version that is locked, the newest first."""

    address: ProviderAddress
    releases: tuple[ReleaseUse, ...]
    repositories: tuple[str, ...]
    """By name: a repository at two revisions is one."""
    files: int

    @property
    def lone(self) -> bool:
        """Whether only one repository uses it."""
        return len(self.repositories) == 1

    @property
    def signing(self) -> Signing:
        """The worst of its versions: unsigned before what is not known."""
        found = {each.signing for each in self.releases}
        return next(each for each in (Signing.UNSIGNED, Signing.UNKNOWN, Signing.SIGNED) if each in found)


class KeyReliance(Struct, frozen=True, kw_only=True):
    """One signing key that stands behind something that is locked."""

    key: KeySeen
    trusted: Trust
    """The rule of a policy that names the key for a provider; False when the policies name others; None when none
    speaks of it."""
    providers: tuple[ProviderAddress, ...]
    releases: int
    hashes: int
    """Locked ones that its signatures cover, each once."""
    repositories: tuple[str, ...]
    """By name."""
    files: int


class Reliance(Struct, frozen=True, kw_only=True):
    """What the repositories rely on."""

    providers: tuple[ProviderUse, ...]
    """By address."""
    keys: tuple[KeyReliance, ...]
    """Those that most repositories rely on first."""

    @property
    def lone(self) -> tuple[ProviderUse, ...]:
        """The providers that only one repository uses."""
        return tuple(each for each in self.providers if each.lone)


def reliance_of(held: Iterable[HeldFile]) -> Reliance:
    """What some lock files rely on. Entries that wait for their audit rely on nothing that is known."""
    collected = _Collected()
    for each in held:
        collected.add(each)
    return Reliance(providers=collected.providers(), keys=collected.keys())


class _Release:
    """What is known of one release that is locked somewhere."""

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        self.signing = signing_of(audit)
        found = {} if audit.origin is None else signers_by_document(audit.origin)
        self.signers = frozenset[str]().union(*found.values())
        self.labels: dict[str, None] = {}
        self.repositories: dict[str, None] = {}
        self.files: set[int] = set()
        self.locked: set[Hash] = set()
        self.policies: dict[int, Policy] = {}
        """By identity: their reviews keep them."""


class _Collected:
    """Files that were looked at, by what they lock."""

    def __init__(self) -> None:
        self._releases: dict[tuple[ProviderAddress, Version], _Release] = {}
        self._files = 0

    def add(self, held: HeldFile) -> None:
        self._files += 1
        policy = held.review.standards.policy
        for provider in held.review.providers:
            self._take(provider, held, policy)

    def _take(self, provider: ProviderReview, held: HeldFile, policy: Policy) -> None:
        if provider.audit is None:
            return
        key = (provider.address, provider.entry.version)
        release = self._releases.get(key)
        if release is None:
            release = self._releases[key] = _Release(provider.audit)
        release.labels.setdefault(held.label)
        release.repositories.setdefault(held.repository)
        release.files.add(self._files)
        release.locked |= provider.entry.hash_set
        release.policies[id(policy)] = policy

    def providers(self) -> tuple[ProviderUse, ...]:
        found: defaultdict[ProviderAddress, list[tuple[Version, _Release]]] = defaultdict(list)
        for (address, version), release in self._releases.items():
            found[address].append((version, release))
        return tuple(
            _use(address, sorted(found[address], key=lambda each: each[0], reverse=True))
            for address in sorted(found, key=lambda each: each.sort_key)
        )

    def keys(self) -> tuple[KeyReliance, ...]:
        seen = {use.key.fingerprint: use.key for use in key_uses(each.audit for each in self._releases.values())}
        behind: defaultdict[str, list[tuple[ProviderAddress, _Release]]] = defaultdict(list)
        for (address, _), release in self._releases.items():
            for fingerprint in release.signers & seen.keys():
                behind[fingerprint].append((address, release))
        found = [_reliance(seen[fingerprint], releases) for fingerprint, releases in behind.items()]
        return tuple(sorted(found, key=lambda each: (-len(each.repositories), -each.files, each.key.fingerprint)))


def _use(address: ProviderAddress, releases: list[tuple[Version, _Release]]) -> ProviderUse:
    return ProviderUse(
        address=address,
        releases=tuple(
            ReleaseUse(
                version=version,
                signing=each.signing,
                signers=tuple(sorted(each.signers)),
                labels=tuple(each.labels),
                files=len(each.files),
            )
            for version, each in releases
        ),
        repositories=tuple(dict.fromkeys(name for _, each in releases for name in each.repositories)),
        files=len(set[int]().union(*(each.files for _, each in releases))),
    )


def _reliance(key: KeySeen, releases: list[tuple[ProviderAddress, _Release]]) -> KeyReliance:
    said = [
        key_trust(policy, address, key.fingerprint)
        for address, release in releases
        for policy in release.policies.values()
    ]
    covered = {
        (address, hash_)
        for address, release in releases
        for hash_ in release.locked
        if (known := release.audit.dispositions.get(hash_)) is not None
        and key.fingerprint in known.signed_by_fingerprints
    }
    return KeyReliance(
        key=key,
        trusted=next((each for each in said if each), False if False in said else None),
        providers=tuple(sorted({address for address, _ in releases}, key=lambda each: each.sort_key)),
        releases=len(releases),
        hashes=len(covered),
        repositories=tuple(dict.fromkeys(name for _, release in releases for name in release.repositories)),
        files=len(set[int]().union(*(release.files for _, release in releases))),
    )

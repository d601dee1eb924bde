"""The disposition of a hash: the fold of its observations, never stored, always derived.

Merging is commutative, associative and idempotent, and only ever adds evidence. Platforms are a set, since two
platforms may share one package.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Self, assert_never

from msgspec import Struct

from lockwarden.core.evidence.observations import (
    ComputedLocally,
    ListedByMirror,
    Observation,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import Signer


class HashDisposition(Struct, frozen=True, kw_only=True):
    """What is known of one hash, and on whose word."""

    signed_by_gpg_key_ids: frozenset[str] = frozenset()
    """16-digit IDs of the primary keys whose signature counts."""
    signed_by_fingerprints: frozenset[str] = frozenset()
    reported_by_registry: bool = False
    reported_by_trusted_mirror: bool = False
    verified_locally: bool = False
    """It was computed here from a package that passed its source's checks."""
    platforms: frozenset[Platform] = frozenset()
    signed_otherwise_by: frozenset[Signer] = frozenset()
    """Signers of other schemes than GPG whose signature counts."""

    def merge(self, other: Self) -> HashDisposition:
        """Both together; nothing that either knows is lost."""
        return HashDisposition(
            signed_by_gpg_key_ids=self.signed_by_gpg_key_ids | other.signed_by_gpg_key_ids,
            signed_by_fingerprints=self.signed_by_fingerprints | other.signed_by_fingerprints,
            reported_by_registry=self.reported_by_registry or other.reported_by_registry,
            reported_by_trusted_mirror=self.reported_by_trusted_mirror or other.reported_by_trusted_mirror,
            verified_locally=self.verified_locally or other.verified_locally,
            platforms=self.platforms | other.platforms,
            signed_otherwise_by=self.signed_otherwise_by | other.signed_otherwise_by,
        )


NOTHING = HashDisposition()


def disposition_of(observation: Observation) -> HashDisposition:
    """What one observation alone says. One that does not count names its platform and nothing else."""
    named = frozenset() if observation.platform is None else frozenset({observation.platform})
    if isinstance(observation, ListedByMirror) or not observation.vouches:
        return HashDisposition(platforms=named)
    match observation:
        case SignedBy():
            return HashDisposition(
                signed_by_gpg_key_ids=frozenset({observation.key_id}),
                signed_by_fingerprints=frozenset({observation.fingerprint}),
                platforms=named,
            )
        case ReportedByRegistry():
            return HashDisposition(reported_by_registry=True, platforms=named)
        case ReportedByTrustedMirror():
            return HashDisposition(reported_by_trusted_mirror=True, platforms=named)
        case ComputedLocally():
            return HashDisposition(verified_locally=True, platforms=named)
        case OtherSignature():
            return HashDisposition(signed_otherwise_by=frozenset({observation.signature.signer}), platforms=named)
        case _:
            assert_never(observation)


def fold(observations: Iterable[Observation]) -> HashDisposition:
    """The disposition of the hash that all of these were observed of."""
    disposition = NOTHING
    for observation in observations:
        disposition = disposition.merge(disposition_of(observation))
    return disposition


class Summary(StrEnum):
    """The one word that a client prints for a provider and then throws the rest away."""

    SIGNED = "signed"
    SIGNING_SKIPPED = "signing skipped"
    VERIFIED_CHECKSUM = "verified checksum"
    UNAUTHENTICATED = "unauthenticated"


def summarize(dispositions: Iterable[HashDisposition], *, promise_kept: bool) -> Summary:
    """OpenTofu's word for these dispositions: the first of its rules that holds. It knows no signatures but GPG's.

    `promise_kept` says that some package matched a hash its source had promised; a hash that was merely computed, from
    a mirror that promises none, makes nothing verified in the client's sense.
    """
    known = tuple(dispositions)
    if any(each.signed_by_gpg_key_ids for each in known):
        return Summary.SIGNED
    if any(each.reported_by_registry for each in known):
        return Summary.SIGNING_SKIPPED
    if promise_kept:
        return Summary.VERIFIED_CHECKSUM
    return Summary.UNAUTHENTICATED

"""Observations: one thing seen about one hash, with its evidence.

A source states what it observed and nothing more: a mirror's word never becomes *reported by registry*, and what was
computed from a package that its own source could not authenticate is marked as refused. Whether an observation counts
is its `vouches`; an observation that does not count is kept and shown, since it is evidence too.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import SignatureScheme
from lockwarden.core.values.signing_keys import SignatureState


class ObservationKind(StrEnum):
    """The sort of thing that was seen."""

    SIGNED_BY = "signed by"
    REPORTED_BY_REGISTRY = "reported by registry"
    REPORTED_BY_TRUSTED_MIRROR = "reported by trusted mirror"
    LISTED_BY_MIRROR = "listed by mirror"
    COMPUTED_LOCALLY = "computed locally"
    SIGNED_OTHERWISE = "signed otherwise"


class ListShape(StrEnum):
    """Where in an origin registry's answer a hash stood."""

    SUMS = "SHA256SUMS"
    PACKAGES = "packages"
    HASHES_BY_ZH = "hashes by zh"
    HASHES = "hashes"


class Basis(StrEnum):
    """What a hash was computed from."""

    ARCHIVE = "archive"
    DIRECTORY = "directory"
    BLOB = "blob"


class Document(Struct, frozen=True, kw_only=True):
    """A document that a source answered with, as evidence: where it came from and which bytes it was."""

    name: str
    url: str
    """Without query and user information."""
    sha256: str
    """Lower-case hexadecimal digest of the bytes."""


class SignedBy(Struct, frozen=True, kw_only=True):
    """A GPG signature covers a document that lists the hash. It proves nothing about who holds the key.

    Signatures of other schemes are `OtherSignature`, so that no rule about GPG's ever takes one for the other.
    """

    kind: ClassVar = ObservationKind.SIGNED_BY
    source: str
    document: Document
    line: int | None
    """Line of the hash in the document, from 1."""
    file_name: str
    platform: Platform | None
    fingerprint: str
    """Of the primary key."""
    signing_fingerprint: str
    """Of the key or subkey that made the signature."""
    state: SignatureState
    valid_when_signed: bool
    signed_at: datetime | None
    scheme: ClassVar = SignatureScheme.GPG
    refused: str = ""
    """Why this does not count, beyond the signature's own state."""

    @property
    def key_id(self) -> str:
        """The primary key's 16-digit ID."""
        return self.fingerprint[-16:]

    @property
    def vouches(self) -> bool:
        """A right signature, made while the key was valid, by a key that the settings do not refuse."""
        if self.refused:
            return False
        if self.state is SignatureState.GOOD:
            return True
        expired = self.state in {SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE}
        return expired and self.valid_when_signed


class ReportedByRegistry(Struct, frozen=True, kw_only=True):
    """The origin registry itself lists the hash. Only the signed shape is covered by a signature."""

    kind: ClassVar = ObservationKind.REPORTED_BY_REGISTRY
    source: str
    document: Document
    shape: ListShape
    line: int | None = None
    file_name: str = ""
    platform: Platform | None = None
    refused: str = ""

    @property
    def vouches(self) -> bool:
        """The list it stands in was not refused."""
        return not self.refused


class ReportedByTrustedMirror(Struct, frozen=True, kw_only=True):
    """A mirror that is trusted lists the hash, and at least one hash it lists matched a downloaded package."""

    kind: ClassVar = ObservationKind.REPORTED_BY_TRUSTED_MIRROR
    source: str
    document: Document
    platform: Platform | None = None
    refused: str = ""

    @property
    def vouches(self) -> bool:
        """The mirror's list was not refused."""
        return not self.refused


class ListedByMirror(Struct, frozen=True, kw_only=True):
    """A mirror claims the hash. A bare claim: it never counts."""

    kind: ClassVar = ObservationKind.LISTED_BY_MIRROR
    source: str
    document: Document
    platform: Platform | None = None
    refused: str = ""

    @property
    def vouches(self) -> bool:
        """Never: nobody who could know stands behind it."""
        return False


class ComputedLocally(Struct, frozen=True, kw_only=True):
    """The hash was computed here from a package that the source gave out, whoever made that package."""

    kind: ClassVar = ObservationKind.COMPUTED_LOCALLY
    source: str
    platform: Platform
    basis: Basis
    location: str
    """File or URL, without query and user information."""
    package_zh: Hash | None
    """The `zh` of the archive it was computed from; None for a directory."""
    computed_on: datetime | None = None
    """When it was computed from bytes with this digest that were not fetched from the source again; None where the
    source's bytes were hashed for this audit."""
    refused: str = ""
    """Why the package does not count: its source's own authentication failed."""
    recorded: bool = False
    """It was computed by whoever made an evidence bundle, on the day told, and not here."""

    @property
    def vouches(self) -> bool:
        """The package passed whatever check its source has for it."""
        return not self.refused


class OtherSignature(Struct, frozen=True, kw_only=True):
    """A signature of another scheme than GPG covers a document that leads to the hash.

    It neither helps nor harms what GPG says. Nobody but the operator brings the keys for it, so that without a rule of
    the policy it counts for nothing, however good it is.
    """

    kind: ClassVar = ObservationKind.SIGNED_OTHERWISE
    source: str
    signature: SeenSignature
    platform: Platform | None = None
    refused: str = ""

    @property
    def vouches(self) -> bool:
        """A good signature by somebody whom the policy names for the provider."""
        return self.signature.counts and not self.refused


Observation = (
    SignedBy | ReportedByRegistry | ReportedByTrustedMirror | ListedByMirror | ComputedLocally | OtherSignature
)

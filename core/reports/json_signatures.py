"""Signatures beside GPG's in the JSON reports: who made them, over what, and what came of them."""

from __future__ import annotations

from typing import Annotated, Any, Self

from msgspec import Meta, Struct

from lockwarden.core.evidence.observations import ObservationKind, OtherSignature
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.reports.json_values import SourceId, Time, hashes_json, platform_json, time_json
from lockwarden.core.review.other_signings import OtherSigning
from lockwarden.core.values.signature_schemes import (
    EvidenceState,
    LogState,
    SignatureScheme,
    SignedKind,
    Signer,
)


class SignerJson(Struct, frozen=True, kw_only=True):
    """Somebody whose signature counts."""

    scheme: SignatureScheme
    signer: str
    """The whole name: a fingerprint as the scheme's own tools write it, or the identity with its issuer."""

    @classmethod
    def of(cls, signer: Signer) -> Self:
        """A signer of another scheme than GPG."""
        return cls(scheme=signer.scheme, signer=signer.name)


class IdentityJson(Struct, frozen=True, kw_only=True):
    """What a certificate says of whoever signed; texts are empty where it says nothing."""

    issuer: str
    subject: str
    source_repository: str
    source_ref: str


class ClaimJson(Struct, frozen=True, kw_only=True):
    """What the signer states beside: signed, and proven by nothing."""

    name: str
    value: str


class OtherSignatureJson(Struct, frozen=True, kw_only=True):
    """One signature of another scheme than GPG, whatever came of it."""

    scheme: SignatureScheme
    signer: str
    """The whole name; while no known key made it, what the signature says of itself. May be empty."""
    identity: IdentityJson | None
    """Null for a key."""
    document_kind: SignedKind
    document_digest: str
    """`sha256:` and 64 digits of the signed document."""
    state: EvidenceState
    detail: str
    """The reason behind the state; may be empty."""
    signed_at: Time | None
    """A time that was proven; null where none was."""
    log: LogState
    claims: list[ClaimJson]
    found_at: str
    rule: str
    """The rule of the policy that names the signer for the provider; empty when none does, and then it counts for
    nothing."""

    @classmethod
    def of(cls, seen: SeenSignature) -> Self:
        """One signature of a source."""
        return cls(**_members(seen))


class SignedOtherwiseJson(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag=ObservationKind.SIGNED_OTHERWISE.value
):
    """A signature of another scheme than GPG covers a document that leads to the hash."""

    source: SourceId
    signature: OtherSignatureJson
    platform: Annotated[str, Meta(description="OS_ARCH.")] | None
    vouches: Annotated[bool, Meta(description="Whether it counts by itself.")]
    refused: Annotated[str, Meta(description="Why it does not count; empty when nothing speaks against it.")]

    @classmethod
    def of(cls, seen: OtherSignature) -> Self:
        """One hash under a signature."""
        return cls(
            source=seen.source,
            signature=OtherSignatureJson.of(seen.signature),
            platform=platform_json(seen.platform),
            vouches=seen.vouches,
            refused=seen.refused,
        )


class FoundSignatureJson(OtherSignatureJson, frozen=True, kw_only=True):
    """One signature of another scheme than GPG that a source gave out for a provider version."""

    address: str
    version: str
    source: str
    hashes: list[str]
    """Every hash that the signed document leads to, whether or not the signature counts."""

    @classmethod
    def of_signing(cls, signing: OtherSigning) -> Self:
        """One signature of one source."""
        return cls(
            **_members(signing.signature),
            address=str(signing.address),
            version=str(signing.version),
            source=signing.source,
            hashes=hashes_json(signing.hashes),
        )


def _members(seen: SeenSignature) -> dict[str, Any]:
    signer = seen.signer
    identity = IdentityJson(
        issuer=signer.issuer,
        subject=signer.subject,
        source_repository=signer.source_repository,
        source_ref=signer.source_ref,
    )
    return {
        "scheme": seen.scheme,
        "signer": signer.name,
        "identity": identity if signer.subject else None,
        "document_kind": seen.document.kind,
        "document_digest": seen.document.digest,
        "state": seen.state,
        "detail": seen.detail,
        "signed_at": time_json(seen.signed_at),
        "log": seen.log,
        "claims": [ClaimJson(name=name, value=value) for name, value in seen.claims],
        "found_at": seen.found_at,
        "rule": seen.rule,
    }

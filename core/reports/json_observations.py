"""Observations in the JSON report: one thing seen about one hash, with its evidence."""

from __future__ import annotations

from typing import Annotated, Literal, Self, assert_never

from msgspec import UNSET, Meta, Struct, UnsetType

from lockwarden.core.evidence.observations import (
    Basis,
    ComputedLocally,
    ListedByMirror,
    ListShape,
    Observation,
    ObservationKind,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.reports.json_signatures import SignedOtherwiseJson
from lockwarden.core.reports.json_values import (
    DocumentJson,
    HexDigits,
    SourceId,
    Time,
    hash_json,
    platform_json,
    time_json,
)
from lockwarden.core.values.signing_keys import SignatureState

OsArch = Annotated[str, Meta(description="OS_ARCH.")]
Vouches = Annotated[bool, Meta(description="Whether it counts by itself.")]
Refused = Annotated[str, Meta(description="Why it does not count; empty when nothing speaks against it.")]


class SignedByJson(Struct, frozen=True, kw_only=True, tag_field="kind", tag=ObservationKind.SIGNED_BY.value):
    """A GPG signature covers a document that lists the hash."""

    source: SourceId
    scheme: Literal["gpg"]
    document: DocumentJson
    line: int | None
    file_name: str
    fingerprint: HexDigits
    signing_fingerprint: HexDigits
    """Of the key or subkey that made the signature."""
    state: SignatureState
    valid_when_signed: bool
    signed_at: Time | None
    platform: OsArch | None
    vouches: Vouches
    refused: Refused

    @classmethod
    def of(cls, seen: SignedBy) -> Self:
        """One hash under a signature."""
        return cls(
            source=seen.source,
            scheme="gpg",
            document=DocumentJson.of(seen.document),
            line=seen.line,
            file_name=seen.file_name,
            fingerprint=seen.fingerprint,
            signing_fingerprint=seen.signing_fingerprint,
            state=seen.state,
            valid_when_signed=seen.valid_when_signed,
            signed_at=time_json(seen.signed_at),
            platform=platform_json(seen.platform),
            vouches=seen.vouches,
            refused=seen.refused,
        )


class ReportedByRegistryJson(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag=ObservationKind.REPORTED_BY_REGISTRY.value
):
    """The origin registry lists the hash."""

    source: SourceId
    document: DocumentJson
    shape: ListShape
    line: int | None
    file_name: str
    platform: OsArch | None
    vouches: Vouches
    refused: Refused

    @classmethod
    def of(cls, seen: ReportedByRegistry) -> Self:
        """One line of the registry's answer."""
        return cls(
            source=seen.source,
            document=DocumentJson.of(seen.document),
            shape=seen.shape,
            line=seen.line,
            file_name=seen.file_name,
            platform=platform_json(seen.platform),
            vouches=seen.vouches,
            refused=seen.refused,
        )


class _OnMirrorsListJson(Struct, frozen=True, kw_only=True):
    """One hash of a mirror's list."""

    source: SourceId
    document: DocumentJson
    platform: OsArch | None
    vouches: Vouches
    refused: Refused

    @classmethod
    def of(cls, seen: ReportedByTrustedMirror | ListedByMirror) -> Self:
        """One hash of the mirror's list."""
        return cls(
            source=seen.source,
            document=DocumentJson.of(seen.document),
            platform=platform_json(seen.platform),
            vouches=seen.vouches,
            refused=seen.refused,
        )


class ReportedByTrustedMirrorJson(
    _OnMirrorsListJson, frozen=True, tag_field="kind", tag=ObservationKind.REPORTED_BY_TRUSTED_MIRROR.value
):
    """A trusted mirror lists the hash, and some hash of its list matched a package."""


class ListedByMirrorJson(_OnMirrorsListJson, frozen=True, tag_field="kind", tag=ObservationKind.LISTED_BY_MIRROR.value):
    """A mirror claims the hash, which proves nothing."""


class ComputedLocallyJson(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag=ObservationKind.COMPUTED_LOCALLY.value
):
    """The hash was computed here from a package."""

    source: SourceId
    basis: Basis
    location: str
    package_zh: str | None
    computed_on: str | None
    """When it was computed from bytes with this digest; null where the source's bytes were hashed for this audit."""
    platform: OsArch | None
    vouches: Vouches
    refused: Refused
    recorded: bool | UnsetType = UNSET
    """True where the maker of an evidence bundle computed it, and not this run; otherwise absent."""

    @classmethod
    def of(cls, seen: ComputedLocally) -> Self:
        """One hash of a package."""
        return cls(
            source=seen.source,
            basis=seen.basis,
            location=seen.location,
            package_zh=hash_json(seen.package_zh),
            computed_on=time_json(seen.computed_on),
            platform=platform_json(seen.platform),
            vouches=seen.vouches,
            refused=seen.refused,
            recorded=True if seen.recorded else UNSET,
        )


ObservationJson = Annotated[
    SignedByJson
    | ReportedByRegistryJson
    | ReportedByTrustedMirrorJson
    | ListedByMirrorJson
    | ComputedLocallyJson
    | SignedOtherwiseJson,
    Meta(description="One thing seen about one hash, with its evidence."),
]


def observation_json(seen: Observation) -> ObservationJson:
    """One observation with its evidence."""
    match seen:
        case SignedBy():
            return SignedByJson.of(seen)
        case ReportedByRegistry():
            return ReportedByRegistryJson.of(seen)
        case ReportedByTrustedMirror():
            return ReportedByTrustedMirrorJson.of(seen)
        case ListedByMirror():
            return ListedByMirrorJson.of(seen)
        case ComputedLocally():
            return ComputedLocallyJson.of(seen)
        case OtherSignature():
            return SignedOtherwiseJson.of(seen)
        case _:
            assert_never(seen)

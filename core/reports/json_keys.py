"""Signing keys as JSON: those of a provider in the report, and those of a run, `lockwarden.keys/1`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import asdict

from lockwarden.core.reports.json_signatures import FoundSignatureJson
from lockwarden.core.reports.json_standards import StandardsJson
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import HexDigits, ProblemJson, SourceJson, Time, hashes_json, time_json
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.key_use import KeyUse, SignedByKey, UnknownIssuer
from lockwarden.core.review.other_signings import signings_in_run
from lockwarden.core.review.trusted_keys import Trust, trust_in_run
from lockwarden.core.values.signing_keys import KeyState, SignatureState


class KeyJson(Struct, frozen=True, kw_only=True):
    """A signing key that a source offered. User IDs are claims of whoever made the key."""

    fingerprint: HexDigits
    """Of the primary key."""
    key_id: HexDigits
    """The last 16 digits of the fingerprint."""
    user_ids: list[str]
    algorithm: str
    created: Time | None
    expires: Time | None
    state: KeyState
    """Whether it could sign something today."""
    trusted: str | bool | None
    """The rule of the policy that names the key for the provider; false when the policy names other keys for it; null
    when it names none."""
    signing_subkeys: list[HexDigits]
    signed_hashes: list[str]
    """Every hash that a signature of this key covers and that counts."""

    @classmethod
    def of(cls, use: KeyUse, trusted: Trust) -> KeyJson:
        """The key, and what the policy says of it."""
        key = use.key
        return KeyJson(
            fingerprint=key.fingerprint,
            key_id=key.key_id,
            user_ids=list(key.user_ids),
            algorithm=key.algorithm,
            created=time_json(key.created),
            expires=time_json(key.expires),
            state=key.state,
            trusted=trusted,
            signing_subkeys=list(key.signing_subkeys),
            signed_hashes=hashes_json(use.signed_hashes),
        )


class SigningJson(Struct, frozen=True, kw_only=True):
    """One document that a key was offered for, and what came of it."""

    address: str
    version: str
    source: str
    document: str
    state: SignatureState
    signing_fingerprint: HexDigits
    """Empty when this key did not make the signature."""
    signed_at: Time | None
    valid_when_signed: bool
    detail: str
    """The reason behind the state, such as why a key was revoked; may be empty."""
    signed_hashes: list[str]

    @classmethod
    def of(cls, signing: SignedByKey) -> Self:
        """One document of one source."""
        return cls(
            address=str(signing.address),
            version=str(signing.version),
            source=signing.source,
            document=signing.document,
            state=signing.state,
            signing_fingerprint=signing.signing_fingerprint,
            signed_at=time_json(signing.signed_at),
            valid_when_signed=signing.valid_when_signed,
            detail=signing.detail,
            signed_hashes=hashes_json(signing.hashes),
        )


class OfferedKeyJson(KeyJson, frozen=True, kw_only=True):
    """A signing key that a source offered. User IDs are claims of whoever made the key."""

    signings: list[SigningJson]

    @classmethod
    def of(cls, use: KeyUse, trusted: Trust) -> OfferedKeyJson:
        """The key with all that it was offered for."""
        key = KeyJson.of(use, trusted)
        return OfferedKeyJson(**asdict(key), signings=[SigningJson.of(each) for each in use.signings])


class UnknownIssuerJson(Struct, frozen=True, kw_only=True):
    """One document whose maker is among none of the keys that were offered for it."""

    address: str
    version: str
    source: str
    document: str
    issuers: list[HexDigits]
    """Fingerprints, or 16-digit IDs where the signature has no more, that it names as its makers."""
    offered: list[HexDigits]
    """Fingerprints of the keys that the source offered."""

    @classmethod
    def of(cls, unknown_issuer: UnknownIssuer) -> Self:
        """One document of one source."""
        return cls(
            address=str(unknown_issuer.address),
            version=str(unknown_issuer.version),
            source=unknown_issuer.source,
            document=unknown_issuer.document,
            issuers=list(unknown_issuer.issuers),
            offered=list(unknown_issuer.offered),
        )


class KeysLockFileJson(Struct, frozen=True, kw_only=True):
    """One lock file."""

    path: str
    standards: StandardsJson | None
    """Null when it cannot be read."""
    problems: list[ProblemJson]

    @classmethod
    def of(cls, result: FileResult) -> Self:
        """What its keys were held against. The problems are those of the file as it lies on disk."""
        return cls(
            path=result.path,
            standards=None if result.review is None else StandardsJson.of(result.review.standards),
            problems=[ProblemJson.of(each) for each in result.problems],
        )


class KeysJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden keys --format json` writes. Members may be added; none is removed or changes its meaning within
    version 1."""

    schema: Literal["lockwarden.keys/1"] = "lockwarden.keys/1"
    exit_code: ExitCode
    """0 nothing to object to, 1 a client would refuse a signature, 2 a lock file cannot be read, 3 a source did not
    answer, or the configuration has none for a provider."""
    sources: list[SourceJson]
    lock_files: list[KeysLockFileJson]
    keys: list[OfferedKeyJson]
    unknown_issuers: list[UnknownIssuerJson]
    """Documents whose maker is among none of the keys that were offered for them."""
    other_signatures: list[FoundSignatureJson]
    """Signatures of other schemes than GPG, whatever they are worth."""


def json_keys(
    result: RunResult,
    uses: Iterable[KeyUse],
    exit_code: ExitCode,
    unknown: Iterable[UnknownIssuer] = (),
) -> str:
    """The signing keys of a run as one JSON object, with what each was offered for."""
    document = KeysJson(
        exit_code=exit_code,
        sources=[SourceJson.of(source) for source in result.sources],
        lock_files=[KeysLockFileJson.of(each) for each in result.files],
        keys=[OfferedKeyJson.of(use, trust_in_run(result.reviews, use)) for use in uses],
        unknown_issuers=[UnknownIssuerJson.of(each) for each in unknown],
        other_signatures=[FoundSignatureJson.of_signing(each) for each in signings_in_run(result.reviews)],
    )
    return json_text(document)

"""Source answers in the JSON report, its `findings`: packages, lists, signatures, and the way to them."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from lockwarden.core.evidence.observations import Basis
from lockwarden.core.evidence.source_answers import (
    DocumentSignature,
    HashList,
    OciChain,
    Outcome,
    PackageFacts,
    SourceAnswer,
)
from lockwarden.core.reports.json_values import (
    DocumentJson,
    HexDigits,
    Time,
    hash_json,
    platform_json,
    platforms_json,
    time_json,
)
from lockwarden.core.review.chains import layers_of
from lockwarden.core.values.signing_keys import Conclusion, ConclusionKind, KeyJudgement, SignatureState


class PackageJson(Struct, frozen=True, kw_only=True):
    """One platform's package at one source."""

    platform: str
    outcome: Outcome
    location: str
    basis: Basis
    size: int | None
    """Bytes of the archive."""
    zh: str | None
    h1_archive: str | None
    h1_directory: str | None
    """Of the folder that a client would unpack, which is the one that it records."""
    client_refusal: str
    """Why a client would refuse it with an empty lock file."""
    detail: str
    """Why there is no package."""

    @classmethod
    def of(cls, package: PackageFacts) -> Self:
        """What became of it, and its hashes where it was there."""
        return cls(
            platform=str(package.platform),
            outcome=package.outcome,
            location=package.location,
            basis=package.basis,
            size=package.size,
            zh=hash_json(package.zh),
            h1_archive=hash_json(package.h1_archive),
            h1_directory=hash_json(package.h1_directory),
            client_refusal=package.client_refusal,
            detail=package.detail,
        )


class ListJson(Struct, frozen=True, kw_only=True):
    """A list of one scheme's hashes that the origin registry stands behind."""

    scheme: str
    hashes: int
    """How many it has."""
    complete: bool
    authenticated: bool
    signed_by_fingerprints: list[HexDigits]
    documents: list[DocumentJson]

    @classmethod
    def of(cls, hash_list: HashList) -> Self:
        """Its size and its standing; the hashes are rows of their own."""
        return cls(
            scheme=hash_list.scheme,
            hashes=len(hash_list.hashes),
            complete=hash_list.complete,
            authenticated=hash_list.authenticated,
            signed_by_fingerprints=sorted(hash_list.signers),
            documents=[DocumentJson.of(document) for document in hash_list.documents],
        )


class JudgementJson(Struct, frozen=True, kw_only=True):
    """What one offered key says of a signature."""

    position: int
    state: SignatureState
    fingerprint: HexDigits
    signing_fingerprint: HexDigits
    signed_at: Time | None
    valid_when_signed: bool
    detail: str

    @classmethod
    def of(cls, judgement: KeyJudgement) -> Self:
        """Without the keys themselves, which the provider's `keys` has."""
        return cls(
            position=judgement.position,
            state=judgement.state,
            fingerprint=judgement.fingerprint,
            signing_fingerprint=judgement.signing_fingerprint,
            signed_at=time_json(judgement.signed_at),
            valid_when_signed=judgement.valid_when_signed,
            detail=judgement.detail,
        )


class ConclusionJson(Struct, frozen=True, kw_only=True):
    """What a client would conclude."""

    conclusion: ConclusionKind
    key_id: str
    expired: bool
    reason: str

    @classmethod
    def of(cls, conclusion: Conclusion) -> Self:
        """Of one signed document."""
        return cls(
            conclusion=conclusion.kind,
            key_id=conclusion.key_id,
            expired=conclusion.expired,
            reason=conclusion.reason,
        )


class SignatureJson(Struct, frozen=True, kw_only=True):
    """What the offered keys say of one signed document, and what a client would conclude."""

    document: DocumentJson
    issuers: list[str]
    keys: list[JudgementJson]
    client: ConclusionJson

    @classmethod
    def of(cls, signature: DocumentSignature) -> Self:
        """One signed document of a source."""
        return cls(
            document=DocumentJson.of(signature.document),
            issuers=list(signature.issuers),
            keys=[JudgementJson.of(each) for each in signature.judgements],
            client=ConclusionJson.of(signature.conclusion),
        )


class LayerJson(Struct, frozen=True, kw_only=True):
    """One layer of a manifest."""

    digest: str
    zh: str | None
    """The hash with the same digits; null for a layer that is not the package's archive."""


class OciChainJson(Struct, frozen=True, kw_only=True):
    """How a package was reached in an OCI registry: every step after the tag is named by a digest."""

    repository: str
    """Registry and path."""
    tag: str
    index_digest: str
    """What the tag led to when it was read; empty when that was not learned."""
    platform: str | None
    """OS_ARCH; null where the chain ends before it divides by platform."""
    manifest_digest: str
    """The platform's manifest; empty when it was not reached."""
    layers: list[LayerJson]
    """As the manifest names them, lowest first."""
    credentials: str
    """Where the credentials came from (kind and file), or “anonymous”; never a secret."""

    @classmethod
    def of(cls, answer: SourceAnswer, chain: OciChain) -> Self:
        """One chain of an OCI mirror's answer."""
        return cls(
            repository=chain.repository,
            tag=chain.tag,
            index_digest=chain.index_digest,
            platform=platform_json(chain.platform),
            manifest_digest=chain.manifest_digest,
            layers=[LayerJson(digest=each.digest, zh=hash_json(each.zh)) for each in layers_of(answer, chain)],
            credentials=chain.credentials,
        )


class FindingJson(Struct, frozen=True, kw_only=True):
    """What one source said of one provider version, beyond the hashes."""

    source: str
    outcome: Outcome
    detail: str
    platforms: list[str] | None
    """Every platform that the source knows of; null when it does not say."""
    packages: list[PackageJson]
    lists: list[ListJson]
    signatures: list[SignatureJson]
    chains: list[OciChainJson]
    """Where the source is an OCI mirror, one for each platform that was reached."""
    token_hosts: list[str]
    """Hosts that were sent the token for this source: its own, and what its service discovery names or leads to."""

    @classmethod
    def of(cls, answer: SourceAnswer) -> Self:
        """One source's answer. Its keys and its problems are the provider's."""
        return cls(
            source=answer.source.id,
            outcome=answer.outcome,
            detail=answer.detail,
            platforms=None if answer.platforms is None else platforms_json(answer.platforms),
            packages=[PackageJson.of(package) for package in answer.packages],
            lists=[ListJson.of(each) for each in answer.lists],
            signatures=[SignatureJson.of(each) for each in answer.signatures],
            chains=[OciChainJson.of(answer, each) for each in answer.chains],
            token_hosts=list(answer.token_hosts),
        )

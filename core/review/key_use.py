"""Signing keys and what they cover: every key that the sources of some audits offered, with what it signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct

from lockwarden.core.evidence.observations import SignedBy
from lockwarden.core.evidence.source_answers import Audit, DocumentSignature, Outcome, SourceAnswer
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.signing_keys import ConclusionKind, KeyJudgement, KeySeen, SignatureState
from lockwarden.core.values.versions import Version


class SignedByKey(Struct, frozen=True, kw_only=True):
    """One document that a key signed, or was offered for in vain when `state` says so."""

    address: ProviderAddress
    version: Version
    source: str
    document: str
    state: SignatureState
    signing_fingerprint: str
    """Of the key or subkey that made the signature; empty when this key did not make it."""
    signed_at: datetime | None
    valid_when_signed: bool
    detail: str
    """The reason behind the state where there is one, such as why a key was revoked."""
    hashes: frozenset[Hash]
    """What the document lists and this key covers."""

    @property
    def made_here(self) -> bool:
        """Whether the signature is this key's, whatever it is worth."""
        return bool(self.signing_fingerprint)


class KeyUse(Struct, frozen=True, kw_only=True):
    """One primary key, whoever holds it, and all that it was offered for."""

    key: KeySeen
    signings: tuple[SignedByKey, ...]

    @property
    def signed_hashes(self) -> frozenset[Hash]:
        """Every hash that a signature of this key covers."""
        return frozenset(hash_ for signing in self.signings for hash_ in signing.hashes)


def code_of_signatures(audits: Iterable[Audit]) -> ExitCode:
    """The exit code of `keys`: 1 when a client would refuse some signature, 3 when a source did not answer.

    It is 3, too, when there is no source for a provider.
    """
    codes = [ExitCode.NOTHING_TO_OBJECT]
    for audit in audits:
        codes.append(code_for(incomplete=not audit.source_answers))
        codes += [
            code_for(
                objected=any(each.conclusion.kind is ConclusionKind.REFUSED for each in answer.signatures),
                incomplete=answer.outcome in {Outcome.NO_ANSWER, Outcome.NOT_ASKED},
            )
            for answer in audit.source_answers
        ]
    return worst(codes)


def key_uses(audits: Iterable[Audit]) -> tuple[KeyUse, ...]:
    """Every key that was offered, by fingerprint; the first sight of a key gives its facts."""
    keys: dict[str, KeySeen] = {}
    signings: dict[str, list[SignedByKey]] = {}
    for audit in audits:
        for answer in audit.source_answers:
            for key in answer.keys:
                keys.setdefault(key.fingerprint, key)
            for signature in answer.signatures:
                for fingerprint, signing in _signings(audit, answer, signature):
                    known = signings.setdefault(fingerprint, [])
                    if signing not in known:
                        known.append(signing)
    return tuple(
        KeyUse(key=keys[fingerprint], signings=tuple(signings.get(fingerprint, ()))) for fingerprint in sorted(keys)
    )


def why_no_key(answer: SourceAnswer) -> str:
    """Why an origin registry's answer has no key, or none whose signature counts; a part of a sentence."""
    if answer.outcome is not Outcome.ANSWERED:
        return f"{answer.outcome}{f', {answer.detail}' if answer.detail else ''}"
    reasons = dict.fromkeys(each.conclusion.reason for each in answer.signatures if each.conclusion.reason)
    return "; ".join(reasons) or "the registry offers none"


class UnknownIssuer(Struct, frozen=True, kw_only=True):
    """A document whose maker is among none of the keys that the source offered for it."""

    address: ProviderAddress
    version: Version
    source: str
    document: str
    issuers: tuple[str, ...]
    """Fingerprints, or 16-digit IDs where the signature has no more, that it names as its makers."""
    offered: tuple[str, ...]
    """Fingerprints of the keys that the source offered."""


def unknown_issuers(audits: Iterable[Audit]) -> tuple[UnknownIssuer, ...]:
    """Every document that is signed by a key which nobody offered."""
    return tuple(
        UnknownIssuer(
            address=audit.address,
            version=audit.version,
            source=answer.source.id,
            document=signature.document.name,
            issuers=signature.issuers,
            offered=tuple(dict.fromkeys(key.fingerprint for each in signature.judgements for key in each.keys)),
        )
        for audit in audits
        for answer in audit.source_answers
        for signature in answer.signatures
        if signature.issuers and not any(each.fingerprint for each in signature.judgements)
    )


def _signings(audit: Audit, answer: SourceAnswer, signature: DocumentSignature) -> Iterator[tuple[str, SignedByKey]]:
    for judgement in signature.judgements:
        fingerprint = judgement.fingerprint or (judgement.keys[0].fingerprint if judgement.keys else "")
        if not fingerprint:
            continue
        yield (
            fingerprint,
            SignedByKey(
                address=audit.address,
                version=audit.version,
                source=answer.source.id,
                document=signature.document.name,
                state=judgement.state,
                signing_fingerprint=judgement.signing_fingerprint,
                signed_at=judgement.signed_at,
                valid_when_signed=judgement.valid_when_signed,
                detail=judgement.detail,
                hashes=_covered(answer, signature, judgement),
            ),
        )


def _covered(answer: SourceAnswer, signature: DocumentSignature, judgement: KeyJudgement) -> frozenset[Hash]:
    return frozenset(
        hash_
        for hash_, observation in answer.observations
        if isinstance(observation, SignedBy)
        and observation.vouches
        and observation.document == signature.document
        and observation.fingerprint == judgement.fingerprint
    )

"""From gpg's status lines and the facts about a key to one judgement. Pure.

The order of the questions is the clients': first whether the signature is right at all, then revocation, then the key's
expiry, then the signature's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from msgspec import Struct

from lockwarden.core.signatures.blocks import KeyBlock
from lockwarden.core.signatures.colons import Certificate, KeyFacts, read_time
from lockwarden.core.signatures.detached import DetachedSignatures
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.seen import key_seen
from lockwarden.core.signatures.signature_packets import SignaturePacket, embedded, unknown_to_gpg
from lockwarden.core.signatures.status import StatusLog
from lockwarden.core.values.signing_keys import DOES_NOT_FIT, KeyJudgement, SignatureState

_DOCUMENT_KINDS: Final = (0, 1)
_CHECKED_VERSION: Final = 4


class DecidingSignature(Struct, frozen=True, kw_only=True):
    """The signature that decides for one block, and the key in the block that it names."""

    signature: SignaturePacket
    certificate: Certificate
    key: KeyFacts


class Undecided(Struct, frozen=True, kw_only=True):
    """No signature in the file is to be checked against this block."""

    state: SignatureState
    detail: str


def choose(signatures: DetachedSignatures, block: KeyBlock) -> DecidingSignature | Undecided:
    """The first signature whose maker is in the block and may sign, as the clients choose it; others do not count."""
    reasons = list(signatures.skipped)
    for signature in signatures.readable:
        if not signature.key_id:
            return Undecided(state=SignatureState.UNDECODABLE_SIGNATURE, detail="it does not name the key that made it")
        holder = block.holder(signature.key_id)
        if holder is None:
            if signature.version != _CHECKED_VERSION:
                reasons.append(f"a signature of version {signature.version} is not read")
            continue
        certificate, key = holder
        if signature.version != _CHECKED_VERSION:
            detail = f"it is of version {signature.version}, and names a key of another version"
            return Undecided(state=SignatureState.UNDECODABLE_SIGNATURE, detail=detail)
        if not block.may_sign(key):
            reasons.append(f"key {key.fingerprint} is offered, but not for signing")
            continue
        if signature.kind not in _DOCUMENT_KINDS:
            detail = f"a signature of type 0x{signature.kind:02x} is not one over a document"
            return Undecided(state=SignatureState.UNDECODABLE_SIGNATURE, detail=detail)
        return DecidingSignature(signature=signature, certificate=certificate, key=key)
    if signatures.defect:
        return Undecided(state=SignatureState.UNDECODABLE_SIGNATURE, detail=signatures.defect)
    if not signatures.readable and not signatures.skipped:
        reasons.append("the signature is empty")
    return Undecided(state=SignatureState.UNKNOWN_ISSUER, detail="; ".join(reasons))


def judge(
    candidate: DecidingSignature,
    log: StatusLog,
    block: KeyBlock,
    *,
    position: int,
    now: datetime,
    limits: SignatureLimits,
) -> KeyJudgement:
    """What gpg's check of the candidate means, at `now`."""
    valid = _valid_signature(log, candidate)
    signed_at = candidate.signature.created or (valid.signed_at if valid else None)
    state, detail = _state(candidate, log, valid, block, now)
    primary, key = candidate.certificate.primary, candidate.key
    found = candidate.certificate
    others = (one for one in block.certificates if one is not found)
    return KeyJudgement(
        position=position,
        state=state,
        keys=tuple(key_seen(one, block, now=now, limits=limits) for one in (found, *others)),
        fingerprint=primary.fingerprint,
        signing_fingerprint=key.fingerprint,
        signed_at=signed_at,
        valid_when_signed=valid is not None
        and signed_at is not None
        and signed_at <= now
        and primary.valid_at(signed_at)
        and key.valid_at(signed_at),
        detail=detail,
    )


class _ValidSignature(Struct, frozen=True, kw_only=True):
    """gpg's word that the signature is right, whatever else is wrong with the key."""

    signed_at: datetime | None
    expires: datetime | None


def _valid_signature(log: StatusLog, candidate: DecidingSignature) -> _ValidSignature | None:
    """The VALIDSIG line, if it speaks of the key that was chosen."""
    for words in log.values("VALIDSIG"):
        if (
            len(words) >= 10
            and words[0] == candidate.key.fingerprint
            and words[9] == candidate.certificate.primary.fingerprint
        ):
            return _ValidSignature(signed_at=read_time(words[2]), expires=read_time(words[3]))
    return None


def _state(
    candidate: DecidingSignature, log: StatusLog, valid: _ValidSignature | None, block: KeyBlock, now: datetime
) -> tuple[SignatureState, str]:
    if candidate.signature.critical_notation:
        return SignatureState.BAD, "it carries a critical notation, which nobody here knows"
    if valid is None:
        return _refused(log, candidate.signature)
    if revoked := _revocation(candidate, block):
        return SignatureState.REVOKED, revoked
    if log.has("REVKEYSIG"):
        return SignatureState.REVOKED, "no reason given"
    if expired := _expiry(candidate, now):
        return SignatureState.EXPIRED_KEY, expired
    if log.has("EXPKEYSIG"):
        return SignatureState.EXPIRED_KEY, ""
    if stale := _stale(candidate, block, now):
        return SignatureState.EXPIRED_SIGNATURE, stale
    claimed = candidate.signature
    if any(each is not None and each > now for each in (valid.signed_at, claimed.created)):
        return SignatureState.EXPIRED_SIGNATURE, "the signature claims to be from the future"
    ends = min((each for each in (valid.expires, claimed.expires) if each is not None), default=None)
    if log.has("EXPSIG") or (ends is not None and ends <= now):
        return SignatureState.EXPIRED_SIGNATURE, f"the signature expired on {ends:%Y-%m-%d}" if ends else ""
    if not log.has("GOODSIG"):
        return SignatureState.BAD, "gpg does not call it good"
    return SignatureState.GOOD, _oddity(candidate, valid)


def _refused(log: StatusLog, signature: SignaturePacket) -> tuple[SignatureState, str]:
    """gpg found the signature wrong, or could not tell; never called when it found it right."""
    if log.has("BADSIG"):
        if (unknown := unknown_to_gpg(signature)) is not None:
            return SignatureState.UNDECODABLE_SIGNATURE, f"gpg does not know its critical subpacket {unknown}"
        return SignatureState.BAD, DOES_NOT_FIT
    if log.has("NO_PUBKEY"):
        return SignatureState.BAD, "it contradicts itself about the key that made it"
    if log.has("NODATA", "UNEXPECTED"):
        return SignatureState.UNDECODABLE_SIGNATURE, "gpg cannot read the signature"
    code = next((words[5] for words in log.values("ERRSIG") if len(words) > 5), "")
    return (
        SignatureState.UNDECODABLE_SIGNATURE,
        f"gpg cannot check it (error {code})" if code else "gpg cannot check it",
    )


def _revocation(candidate: DecidingSignature, block: KeyBlock) -> str:
    primary, key = candidate.certificate.primary, candidate.key
    if primary.revoked:
        return block.revocation(primary.fingerprint) or "no reason given"
    if key.revoked:
        return f"subkey {key.fingerprint}: {block.revocation(key.fingerprint) or 'no reason given'}"
    if candidate.certificate.user_ids and not candidate.certificate.valid_user_ids:
        return "all its user IDs are revoked"
    return ""


def _expiry(candidate: DecidingSignature, now: datetime) -> str:
    for name, key in _named_keys(candidate):
        if key.expires is not None and key.expires <= now:
            return f"{name} expired on {key.expires:%Y-%m-%d}"
        if key.created is not None and key.created > now:
            return f"{name} was made in the future, on {key.created:%Y-%m-%d}"
    return ""


def _stale(candidate: DecidingSignature, block: KeyBlock, now: datetime) -> str:
    """The clients ask of what the key signed about itself whether it has expired; gpg takes an older one instead."""
    for name, key in _named_keys(candidate):
        own = block.own_signature(key.fingerprint)
        for each in () if own is None else (own, embedded(own)):
            if each is not None and each.expires is not None and each.expires <= now:
                return f"what says of {name} that it may sign expired on {each.expires:%Y-%m-%d}"
            if each is not None and each.created is not None and each.created > now:
                return f"what says of {name} that it may sign claims to be from the future"
    return ""


def _oddity(candidate: DecidingSignature, valid: _ValidSignature) -> str:
    for name, key in _named_keys(candidate):
        if valid.signed_at is not None and key.created is not None and valid.signed_at < key.created:
            return f"{name} is newer than the signature claims to be"
    return ""


def _named_keys(candidate: DecidingSignature) -> Iterator[tuple[str, KeyFacts]]:
    yield "the key", candidate.certificate.primary
    if candidate.key is not candidate.certificate.primary:
        yield f"subkey {candidate.key.fingerprint}", candidate.key

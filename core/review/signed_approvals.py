"""What a signature over a file of approvals is worth, and for which of its records: by every policy that counts.

The file states what it is about itself, so that nothing but the key has to be paired with anything: address, version
and hash in each record, and once a serial number, without which an older file could stand in its place.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approval, Approvals, ApprovalSignature
from lockwarden.core.document_signatures.allowed_signers import AllowedSigner
from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.document_signatures.minisign import (
    UNTRUSTED,
    MinisignKey,
    MinisignSignature,
    read_minisign_key,
    read_minisign_signature,
)
from lockwarden.core.document_signatures.ssh_signature import BEGIN, NAMESPACE, SshSignature, read_ssh_signature
from lockwarden.core.document_signatures.verification import is_good_minisign, is_good_ssh, touched
from lockwarden.core.policy.model import OtherKey, Policy
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme


class _Trust(Struct, frozen=True, kw_only=True):
    """One rule that lets a key sign approvals."""

    place: str
    signer: str
    owner: str
    providers: tuple[ProviderPattern, ...] | None
    """None for all."""

    def speaks_of(self, address: ProviderAddress) -> bool:
        return self.providers is None or any(each.matches(address) for each in self.providers)


class _RefusedError(Exception):
    """The signature does not count."""

    def __init__(self, state: EvidenceState, detail: str, *, signer: str = "") -> None:
        super().__init__(detail)
        self.state, self.detail, self.signer = state, detail, signer


_Read = SshSignature | MinisignSignature


def judge_signature(
    approvals: Approvals, signature: bytes | None, policy: Policy, now: datetime
) -> tuple[Approvals, DocumentVerdict | None]:
    """The approvals with the signature at every record that it counts for, and what came of it; None without one.

    A record whose provider no rule about the key speaks of stands as if nobody had signed it. Whether the file is an
    older one is for the caller to say, who knows others.
    """
    if signature is None:
        return approvals, None
    read: _Read | None = None
    try:
        read = _read(signature)
        _look_into(read, approvals.data)
        trusts = tuple(_trusts(read, approvals, each, now) for each in policy.each)
        if not approvals.serial:
            why = "the file has no serial number, so that it could be of any age"
            raise _RefusedError(EvidenceState.SOMETHING_ELSE, why)
    except MalformedError as error:
        return approvals, _verdict(read, EvidenceState.MALFORMED, error.message, approvals)
    except UnsupportedError as error:
        return approvals, _verdict(read, EvidenceState.UNSUPPORTED, error.message, approvals)
    except _RefusedError as refused:
        verdict = _verdict(read, refused.state, refused.detail, approvals)
        return approvals, replace(verdict, signer=refused.signer) if refused.signer else verdict
    owner = next((each.owner for own in trusts for each in own if each.owner), "")
    verdict = replace(_verdict(read, EvidenceState.GOOD, "", approvals), signer=trusts[0][0].signer, owner=owner)
    marked = tuple(_marked(each, verdict, trusts) for each in approvals.records)
    return replace(approvals, records=marked), verdict


def _verdict(read: _Read | None, state: EvidenceState, detail: str, approvals: Approvals) -> DocumentVerdict:
    """What is told of a signature; of one that could not be read, hardly anything."""
    if isinstance(read, SshSignature):
        scheme, signer = SignatureScheme.SSHSIG, read.key.fingerprint
    elif read is not None:
        scheme, signer = SignatureScheme(read.scheme), f"a key with the ID {MinisignKey(read.id, b'').number}"
    else:
        return DocumentVerdict(state=state, detail=detail, serial=approvals.serial)
    return DocumentVerdict(state=state, scheme=scheme, signer=signer, detail=detail, serial=approvals.serial)


def _read(signature: bytes) -> _Read:
    try:
        text = signature.decode()
    except UnicodeDecodeError as error:
        raise MalformedError("the signature is not text") from error
    if text.startswith(BEGIN):
        return read_ssh_signature(text)
    if text.startswith(UNTRUSTED):
        return read_minisign_signature(text)
    raise MalformedError("it is no signature of SSH, minisign or signify")


def _look_into(read: _Read, document: bytes) -> None:
    """What can be told without knowing whose keys count. Raises _RefusedError."""
    if not isinstance(read, SshSignature):
        return
    if read.namespace != NAMESPACE:
        why = f"it is a signature for “{read.namespace}”, and approvals are signed for “{NAMESPACE}”"
        raise _RefusedError(EvidenceState.SOMETHING_ELSE, why)
    if not is_good_ssh(read, document):
        raise _RefusedError(EvidenceState.BAD, "the file is not the one that was signed")
    if not touched(read):
        raise _RefusedError(EvidenceState.UNSUPPORTED, "it was made by a security key that nobody touched")


def _trusts(read: _Read, approvals: Approvals, policy: Policy, now: datetime) -> tuple[_Trust, ...]:
    """The rules of one policy that let the signature count, at least one. Raises _RefusedError."""
    if isinstance(read, SshSignature):
        return _ssh_trusts(read, approvals.signer, policy, now)
    return _minisign_trusts(read, approvals.data, policy, now)


def _ssh_trusts(read: SshSignature, signer: str, policy: Policy, now: datetime) -> tuple[_Trust, ...]:
    fingerprint = read.key.fingerprint
    if fingerprint in policy.revoked_signers:
        raise _RefusedError(EvidenceState.KEY_REVOKED, f"{policy.path} names the key as revoked")
    named = [
        each for each in policy.other_keys if each.scheme is SignatureScheme.SSHSIG and each.fingerprint == fingerprint
    ]
    found: list[_Trust] = []
    refusals: list[_RefusedError] = []
    for each in named:
        _sort(_in_time(each, now), _trust_of(each), found, refusals)
    for line in policy.allowed_signers.of(read.key):
        place = f"{policy.allowed_signers.path} line {line.line}"
        trust = _Trust(place=place, signer=fingerprint, owner=signer, providers=None)
        _sort(_allowed(line, place, signer, now), trust, found, refusals)
    return _at_least_one(found, refusals, policy)


def _minisign_trusts(read: MinisignSignature, document: bytes, policy: Policy, now: datetime) -> tuple[_Trust, ...]:
    named = [each for each in policy.other_keys if each.scheme == read.scheme]
    of_this_id = [each for each in named if read_minisign_key(each.fingerprint).id == read.id]
    good = [each for each in of_this_id if is_good_minisign(read, document, read_minisign_key(each.fingerprint))]
    if of_this_id and not good:
        raise _RefusedError(EvidenceState.BAD, f"it fails under the key of {of_this_id[0].rule}, which has its ID")
    if revoked := [each for each in good if each.fingerprint in policy.revoked_signers]:
        raise _RefusedError(
            EvidenceState.KEY_REVOKED, f"{policy.path} names the key as revoked", signer=revoked[0].fingerprint
        )
    found: list[_Trust] = []
    refusals: list[_RefusedError] = []
    for each in good:
        _sort(_in_time(each, now), _trust_of(each), found, refusals)
    return _at_least_one(found, refusals, policy)


def _sort(refusal: _RefusedError | None, trust: _Trust, found: list[_Trust], refusals: list[_RefusedError]) -> None:
    if refusal is None:
        found.append(trust)
    else:
        refusals.append(refusal)


def _trust_of(key: OtherKey) -> _Trust:
    return _Trust(place=str(key.rule), signer=key.fingerprint, owner=key.owner, providers=key.providers)


def _at_least_one(found: list[_Trust], refusals: list[_RefusedError], policy: Policy) -> tuple[_Trust, ...]:
    if found:
        return tuple(found)
    if refusals:
        raise refusals[0]
    raise _RefusedError(EvidenceState.NO_KNOWN_KEY, f"{policy.path or 'no policy'} does not name the key")


def _in_time(key: OtherKey, now: datetime) -> _RefusedError | None:
    if key.not_after is None or now <= key.not_after:
        return None
    return _RefusedError(EvidenceState.KEY_EXPIRED, f"{key.rule} lets it sign until {key.not_after:%Y-%m-%d}")


def _allowed(line: AllowedSigner, place: str, signer: str, now: datetime) -> _RefusedError | None:
    """Why a line of a list of allowed signers lets nothing count; None when it does."""
    if not line.serves(NAMESPACE):
        why = f'{place} has the key, and not the namespace: namespaces="{NAMESPACE}"'
        return _RefusedError(EvidenceState.NO_KNOWN_KEY, why)
    if not signer or not line.names(signer):
        who = f"“{signer}”" if signer else "who signs, which the file does not say"
        return _RefusedError(EvidenceState.NO_KNOWN_KEY, f"{place} has the key, and does not name {who}")
    if line.begins_later(now):
        return _RefusedError(
            EvidenceState.KEY_NOT_YET_VALID, f"{place} lets it sign from {line.valid_after:%Y-%m-%d} on"
        )
    if line.has_ended(now):
        return _RefusedError(EvidenceState.KEY_EXPIRED, f"{place} lets it sign until {line.valid_before:%Y-%m-%d}")
    return None


def _marked(record: Approval, verdict: DocumentVerdict, trusts: tuple[tuple[_Trust, ...], ...]) -> Approval:
    """The record with the signature, where each policy lets the key speak of its provider."""
    chosen = [next((each for each in own if each.speaks_of(record.address)), None) for own in trusts]
    rules = [each.place for each in chosen if each is not None]
    if len(rules) < len(chosen) or verdict.scheme is None:
        return record
    owner = next((each.owner for each in chosen if each is not None and each.owner), "")
    signature = ApprovalSignature(
        scheme=verdict.scheme,
        signer=verdict.signer,
        owner=owner,
        serial=verdict.serial,
        rules=tuple(dict.fromkeys(rules)),
    )
    return replace(record, signature=signature)

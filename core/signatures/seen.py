"""The facts of an offered key for people and reports, cut to the limits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from lockwarden.core.signatures.blocks import KeyBlock
from lockwarden.core.signatures.colons import Certificate
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.values.signing_keys import KeySeen, KeyState


def key_seen(certificate: Certificate, block: KeyBlock, *, now: datetime, limits: SignatureLimits) -> KeySeen:
    """The facts of one key. What was cut or left out is said in its notes; text from the key stays exactly as it is."""
    primary = certificate.primary
    shown, notes = _user_ids(certificate, limits)
    return KeySeen(
        fingerprint=primary.fingerprint,
        key_id=primary.fingerprint[-16:],
        user_ids=shown,
        algorithm=primary.algorithm,
        created=primary.created,
        expires=primary.expires,
        state=_key_state(certificate, now),
        signing_subkeys=tuple(key.fingerprint for key in certificate.subkeys if block.may_sign(key)),
        armor=block.armor,
        notes=(*notes, *_left_out(certificate, block)),
    )


def _key_state(certificate: Certificate, now: datetime) -> KeyState:
    if certificate.primary.revoked:
        return KeyState.REVOKED
    return KeyState.VALID if certificate.primary.valid_at(now) else KeyState.EXPIRED


def _user_ids(certificate: Certificate, limits: SignatureLimits) -> tuple[tuple[str, ...], list[str]]:
    notes: list[str] = []
    shown: list[str] = []
    for number, user_id in enumerate(certificate.user_ids[: limits.user_ids], start=1):
        if len(user_id) > limits.user_id_bytes:
            notes.append(f"user ID {number} is cut after {limits.user_id_bytes} of {len(user_id)} bytes")
        shown.append(user_id[: limits.user_id_bytes].decode("utf-8", "backslashreplace"))
    if (more := len(certificate.user_ids) - limits.user_ids) > 0:
        notes.append(f"user IDs beyond the first {limits.user_ids}, not shown: {more}")
    return tuple(shown), notes


def _left_out(certificate: Certificate, block: KeyBlock) -> Iterator[str]:
    """What stands in the block and gpg did not accept, and attributes, which have no text to show."""
    shape = block.shape.keys.get(certificate.primary.fingerprint) if block.shape else None
    if certificate.user_attributes:
        yield f"user attributes (such as pictures), not shown: {certificate.user_attributes}"
    if shape and shape.user_ids > len(certificate.user_ids):
        yield f"user IDs without a valid signature by the key itself: {shape.user_ids - len(certificate.user_ids)}"
    yield from (f"another key of the same block is left out: {fault}" for fault in block.faults)

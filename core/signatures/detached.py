"""A detached signature file, as the clients' Go library reads it: packet by packet, from the front."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.signatures.armor import SIGNED_MESSAGE, ArmorError, armor_kind, decode_armor
from lockwarden.core.signatures.packets import MalformedPacketError, Packet, Tag, read_packets
from lockwarden.core.signatures.signature_packets import SignaturePacket, read_signature, why_unread

_FIRST_IGNORABLE_TAG: Final = 40
"""RFC 9580, section 4.3: packets with this tag or a higher one are passed over where they are unknown."""


class DetachedSignatures(Struct, frozen=True, kw_only=True):
    """What a signature file holds."""

    readable: tuple[SignaturePacket, ...] = ()
    """The signatures that the clients look at, in order."""
    defect: str = ""
    """Why nothing can be read after those; empty when the file simply ends."""
    skipped: tuple[str, ...] = ()
    """Why the clients pass over other signatures in it, one sentence part each."""
    issuers: tuple[str, ...] = ()
    """All makers that are named, skipped signatures included: fingerprints, or key IDs where there is no more."""
    digest_algorithms: tuple[str, ...] = ()
    """The digests of all signatures, skipped ones included."""


def read_detached(data: bytes) -> DetachedSignatures:
    """Read a signature file. Never raises: what cannot be read is said in the result.

    An armoured file is a defect, since the clients read only binary ones; its issuers are named all the same.
    """
    kind = armor_kind(data) if data[:1] and not data[0] & 0x80 else ""
    if kind == SIGNED_MESSAGE:
        return DetachedSignatures(defect="it is a clear-signed document, not a detached signature")
    if kind:
        inside = _read(_armored(data))
        return DetachedSignatures(
            defect="it is ASCII-armoured, and the clients read only binary signatures",
            issuers=inside.issuers,
            digest_algorithms=inside.digest_algorithms,
        )
    return _read(data)


def _armored(data: bytes) -> bytes:
    try:
        return decode_armor(data).data
    except ArmorError:
        return b""


def _read(data: bytes) -> DetachedSignatures:
    found: list[SignaturePacket] = []
    defect = ""
    try:
        for signature in _signatures(data):
            found.append(signature)  # noqa: PERF402 - what came before a malformed packet has to stay
    except MalformedPacketError as error:
        defect = str(error)
    reasons = [why_unread(signature) for signature in found]
    return DetachedSignatures(
        readable=tuple(signature for signature, reason in zip(found, reasons, strict=True) if not reason),
        defect=defect,
        skipped=tuple(reason for reason in reasons if reason),
        issuers=tuple(dict.fromkeys(name for one in found if (name := one.fingerprint or one.key_id))),
        digest_algorithms=tuple(one.digest for one in found if one.digest),
    )


def _signatures(data: bytes) -> Iterator[SignaturePacket]:
    for packet in read_packets(data):
        if packet.tag == Tag.SIGNATURE:
            signature = read_signature(packet)
            yield signature
            if signature.overlong:
                raise MalformedPacketError("a signature is followed by bytes inside its packet")
        elif not _is_ignored(packet):
            raise MalformedPacketError(f"it holds an OpenPGP packet of another kind (tag {packet.tag})")


def _is_ignored(packet: Packet) -> bool:
    return packet.tag in (Tag.MARKER, Tag.TRUST) or packet.tag >= _FIRST_IGNORABLE_TAG

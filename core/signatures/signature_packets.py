"""Signature packets of OpenPGP, read only as far as gpg's status lines do not tell: issuers, digests, key flags.

Nothing here checks a signature. The reader raises `MalformedPacketError` alone. Format: RFC 4880, section 5.2; what the
clients' Go library makes of odd packets is said where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.signatures.packets import MalformedPacketError, Packet, Tag, number_at

_DIGESTS: Final = {
    1: "md5",
    2: "sha1",
    3: "ripemd160",
    8: "sha256",
    9: "sha384",
    10: "sha512",
    11: "sha224",
    12: "sha3-256",
    14: "sha3-512",
}


class SubpacketType(IntEnum):
    """The signature subpackets that matter here."""

    CREATED = 2
    EXPIRES = 3
    TRUST = 5
    REGULAR_EXPRESSION = 6
    KEY_EXPIRES = 9
    ISSUER = 16
    NOTATION = 20
    PRIMARY_USER_ID = 25
    KEY_FLAGS = 27
    REVOCATION_REASON = 29
    EMBEDDED_SIGNATURE = 32
    ISSUER_FINGERPRINT = 33
    CIPHER_SUITES = 39


_LENGTHS: Final[Mapping[int, int]] = {
    SubpacketType.CREATED: 4,
    SubpacketType.EXPIRES: 4,
    SubpacketType.TRUST: 2,
    SubpacketType.KEY_EXPIRES: 4,
    SubpacketType.PRIMARY_USER_ID: 1,
}
"""Bytes of subpackets that have always as many."""
_DIGESTS_READ: Final = frozenset({"sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-512"})
_ALGORITHMS_READ: Final = frozenset({1, 3, 17, 19, 22, 27, 28})
_CRITICAL_KNOWN: Final = frozenset(
    {2, 3, 4, 5, 6, 9, 11, 16, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 32, 33, 35, 39}
)
_NEVER_EMPTY: Final = frozenset({SubpacketType.KEY_FLAGS, SubpacketType.REVOCATION_REASON})
_BACK_SIGNATURE: Final = 0x19
"""RFC 9580, section 5.2.1: a subkey's signature over its primary key, the only one that is put into another."""


class Subpacket(Struct, frozen=True, kw_only=True):
    """One subpacket of a signature."""

    kind: int
    hashed: bool
    """Whether the signature covers it; anyone may add or change one that is not."""
    critical: bool
    """Who does not know this kind must not accept the signature."""
    body: bytes


class SignaturePacket(Struct, frozen=True, kw_only=True):
    """What a signature packet says of itself. None of it is proven before the signature is checked."""

    version: int
    kind: int = -1
    """Type: 0 over a document's bytes, 1 over its text, 0x10 and above over keys."""
    public_key_algorithm: int = -1
    digest: str = ""
    key_id: str = ""
    """The 16-digit ID of the key that it names as its maker, as the clients read it; empty when it names none."""
    fingerprint: str = ""
    """The full fingerprint, when the packet has it."""
    created: datetime | None = None
    expires: datetime | None = None
    """When the signature stops to hold; None for never."""
    subpackets: tuple[Subpacket, ...] = ()
    raw: bytes
    """The whole packet with its header."""
    covered: bytes = b""
    """Of version 4, the beginning that the signature covers."""
    rest: bytes = b""
    """Of version 4, what follows the subpackets: two bytes of the digest, and the signature's numbers."""

    @property
    def critical_notation(self) -> bool:
        """Whether it covers a notation that who does not know it must not pass over."""
        return any(each.kind == SubpacketType.NOTATION and each.critical and each.hashed for each in self.subpackets)

    def naming(self, key_id: str) -> bytes:
        """The same packet with nothing beside what it covers but its maker's ID.

        Anyone may change what is not covered. The clients read of it only who the maker is, gpg more.
        """
        maker = bytes([9, SubpacketType.ISSUER]) + bytes.fromhex(key_id)
        body = self.covered + len(maker).to_bytes(2, "big") + maker + self.rest
        return bytes([0xC0 | Tag.SIGNATURE, 0xFF]) + len(body).to_bytes(4, "big") + body


def read_signature(packet: Packet) -> SignaturePacket:
    """Read the fields of a signature packet. Of versions other than 3 and 4 only the version is known.

    Raises:
        MalformedPacketError: the packet contradicts its own lengths.
    """
    match number_at(packet.body, 0, 1):
        case 4:
            return _version_4(packet)
        case 3:
            return _version_3(packet)
        case version:
            return SignaturePacket(version=version, raw=packet.raw)


def embedded(signature: SignaturePacket) -> SignaturePacket | None:
    """The signature that a signature holds, as a subkey's over its primary key. Raises as `read_signature` does."""
    held = (each.body for each in signature.subpackets if each.kind == SubpacketType.EMBEDDED_SIGNATURE)
    return next((read_signature(Packet(tag=Tag.SIGNATURE, body=body, raw=b"")) for body in held), None)


def _version_4(packet: Packet) -> SignaturePacket:
    body = packet.body
    hashed_end = 6 + number_at(body, 4, 2)
    unhashed_end = hashed_end + 2 + number_at(body, hashed_end, 2)
    if unhashed_end + 2 > len(body):
        raise MalformedPacketError("a signature packet is cut short")
    subpackets = (
        *_subpackets(body[6:hashed_end], hashed=True),
        *_subpackets(body[hashed_end + 2 : unhashed_end], hashed=False),
    )
    _well_formed(subpackets)
    key_id, fingerprint = _issuer(subpackets)
    created = _created(subpackets)
    return SignaturePacket(
        version=4,
        kind=body[1],
        public_key_algorithm=body[2],
        digest=_digest(body[3]),
        key_id=key_id,
        fingerprint=fingerprint,
        created=created,
        expires=_expires(subpackets, created),
        subpackets=subpackets,
        raw=packet.raw,
        covered=body[:hashed_end],
        rest=body[unhashed_end:],
    )


def _version_3(packet: Packet) -> SignaturePacket:
    """The old form, which the clients do not read (RFC 4880, section 5.2.2)."""
    body = packet.body
    return SignaturePacket(
        version=3,
        kind=number_at(body, 2, 1),
        public_key_algorithm=number_at(body, 15, 1),
        digest=_digest(number_at(body, 16, 1)),
        key_id=body[7:15].hex().upper(),
        created=datetime.fromtimestamp(number_at(body, 3, 4), UTC),
        raw=packet.raw,
    )


def _digest(number: int) -> str:
    return _DIGESTS.get(number, f"digest {number}")


def _subpackets(area: bytes, *, hashed: bool) -> Iterator[Subpacket]:
    position = 0
    while position < len(area):
        first = area[position]
        if first < 192:
            length, start = first, position + 1
        elif first < 255:
            length, start = ((first - 192) << 8) + number_at(area, position + 1, 1) + 192, position + 2
        else:
            length, start = number_at(area, position + 1, 4), position + 5
        if length == 0 or start + length > len(area):
            raise MalformedPacketError("a signature's subpacket is empty or cut short")
        yield Subpacket(
            kind=area[start] & 0x7F,
            hashed=hashed,
            critical=bool(area[start] & 0x80),
            body=area[start + 1 : start + length],
        )
        position = start + length


def _issuer(subpackets: tuple[Subpacket, ...]) -> tuple[str, str]:
    """Key ID and fingerprint of the maker. As in the clients, the last subpacket that names one wins."""
    key_id = fingerprint = ""
    for subpacket in subpackets:
        match subpacket.kind:
            case SubpacketType.ISSUER:
                if len(subpacket.body) != 8:
                    raise MalformedPacketError("a signature's issuer has the wrong length")
                key_id = subpacket.body.hex().upper()
            case SubpacketType.ISSUER_FINGERPRINT:
                if len(subpacket.body) != 21:
                    raise MalformedPacketError("a signature's issuer fingerprint has the wrong length")
                fingerprint = subpacket.body[1:].hex().upper()
                key_id = fingerprint[-16:]
            case _:
                pass
    return key_id, fingerprint if fingerprint.endswith(key_id) else ""


def _well_formed(subpackets: tuple[Subpacket, ...]) -> None:
    """Raises MalformedPacketError for what the clients refuse, though gpg passes over it."""
    for each in subpackets:
        if each.hashed and not _has_its_length(each):
            raise MalformedPacketError(f"a signature's subpacket {each.kind} has the wrong length")
    if not any(each.hashed and each.kind == SubpacketType.CREATED for each in subpackets):
        raise MalformedPacketError("a signature does not say when it was made")
    embedded = [each.body for each in subpackets if each.kind == SubpacketType.EMBEDDED_SIGNATURE]
    if len(embedded) > 1:
        raise MalformedPacketError("a signature holds several others")
    for body in embedded:
        # No deeper: what it holds itself may be nested without end.
        if len(body) < 2 or (body[0] == 4 and body[1] != _BACK_SIGNATURE):
            raise MalformedPacketError("a signature holds another one of the wrong type")


def _has_its_length(subpacket: Subpacket) -> bool:
    body, kind = subpacket.body, subpacket.kind
    match kind:
        case SubpacketType.REGULAR_EXPRESSION:
            return body.endswith(b"\0")
        case SubpacketType.NOTATION:
            return len(body) >= 8 and len(body) == 8 + int.from_bytes(body[4:6], "big") + int.from_bytes(
                body[6:8], "big"
            )
        case SubpacketType.CIPHER_SUITES:
            return len(body) % 2 == 0
        case _ if kind in _NEVER_EMPTY:
            return bool(body)
        case _:
            return len(body) == _LENGTHS.get(kind, len(body))


def _created(subpackets: tuple[Subpacket, ...]) -> datetime | None:
    """As in the clients, the last of several counts."""
    given = _last(subpackets, SubpacketType.CREATED)
    return None if given is None else datetime.fromtimestamp(given, UTC)


def _expires(subpackets: tuple[Subpacket, ...], created: datetime | None) -> datetime | None:
    seconds = _last(subpackets, SubpacketType.EXPIRES)
    return created + timedelta(seconds=seconds) if created is not None and seconds else None


def _last(subpackets: tuple[Subpacket, ...], kind: SubpacketType) -> int | None:
    found = [each.body for each in subpackets if each.kind == kind and each.hashed]
    return int.from_bytes(found[-1], "big") if found else None


def why_unread(signature: SignaturePacket) -> str:
    """Why the clients pass over a signature, whatever it is over; the empty string for one that they look at."""
    if signature.version != 4:
        return f"a signature of version {signature.version} is not read"
    if signature.digest not in _DIGESTS_READ:
        return f"a signature over a {signature.digest} digest is not read"
    if signature.public_key_algorithm not in _ALGORITHMS_READ:
        return f"a signature of algorithm {signature.public_key_algorithm} is not read"
    for subpacket in signature.subpackets:
        if subpacket.kind == SubpacketType.EMBEDDED_SIGNATURE and subpacket.body[:1] != b"\x04":
            return "a signature that holds one of another version is not read"
        if subpacket.critical and subpacket.hashed and subpacket.kind not in _CRITICAL_KNOWN:
            return f"a signature with an unknown critical subpacket ({subpacket.kind}) is not read"
    return ""

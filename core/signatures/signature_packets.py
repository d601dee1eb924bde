"""Signature packets of OpenPGP, read only as far as gpg's status lines do not tell: issuers, digests, key flags.

Nothing here checks a signature. The reader raises `MalformedPacketError` alone. Format: RFC 4880, section 5.2; what the
clients' Go library makes of odd packets is said where it matters. The items in it, `signature_subpackets` reads.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from lockwarden.core.signatures.packets import MalformedPacketError, Packet, Tag, number_at
from lockwarden.core.signatures.signature_subpackets import (
    Subpacket,
    SubpacketType,
    read_subpackets,
    require_well_formed,
)

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
_DIGESTS_READ: Final = frozenset({"sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-512"})
_ALGORITHMS_READ: Final = frozenset({1, 3, 17, 19, 22, 27, 28})
_CRITICAL_KNOWN: Final = frozenset({2, 3, 5, 6, 9, 11, 16, 20, 21, 22, 25, 26, 27, 28, 29, 30, 32, 33, 39})
_CRITICAL_UNKNOWN_TO_GPG: Final = frozenset({28, 39})
_SALT_LENGTHS: Final = {"sha224": 16, "sha256": 16, "sha384": 24, "sha512": 32, "sha3-256": 16, "sha3-512": 32}
"""Bytes of the salt in a signature of version 6 (RFC 9580, section 9.5)."""
_NUMBERS: Final = {1: 1, 3: 1, 17: 2, 19: 2, 22: 2}
"""How many numbers a signature of each algorithm has at its end (RFC 9580, section 5.2.3)."""
_OCTETS: Final = {27: 64, 28: 114}
"""Of newer algorithms, the octets that it has there."""


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
    overlong: bool = False
    """Whether bytes follow those numbers, which the clients read as if a new packet began there."""

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
    """Read the fields of a signature packet. Of versions other than 3 to 6 only the version is known.

    Raises:
        MalformedPacketError: the packet contradicts its own lengths, or the clients differ in whether it can be read.
    """
    match number_at(packet.body, 0, 1):
        case 4 | 5:
            return _version_4(packet)
        case 6:
            return _version_6(packet)
        case 3:
            return _version_3(packet)
        case version:
            return SignaturePacket(version=version, raw=packet.raw)


def embedded(signature: SignaturePacket) -> SignaturePacket | None:
    """The signature that a signature holds, as a subkey's over its primary key. Raises as `read_signature` does."""
    held = (each.body for each in signature.subpackets if each.kind == SubpacketType.EMBEDDED_SIGNATURE)
    return next((read_signature(Packet(tag=Tag.SIGNATURE, body=body, raw=b"")) for body in held), None)


def _version_4(packet: Packet) -> SignaturePacket:
    """The usual form, and version 5, which has the same one. Terraform reads that as well, OpenTofu passes over it."""
    body = packet.body
    hashed_end = 6 + number_at(body, 4, 2)
    unhashed_end = hashed_end + 2 + number_at(body, hashed_end, 2)
    if unhashed_end + 2 > len(body):
        raise MalformedPacketError("a signature packet is cut short")
    subpackets = (
        *read_subpackets(body[6:hashed_end], hashed=True),
        *read_subpackets(body[hashed_end + 2 : unhashed_end], hashed=False),
    )
    require_well_formed(subpackets)
    key_id, fingerprint = _issuer(subpackets, body[0])
    created = _created(subpackets)
    return SignaturePacket(
        version=body[0],
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
        overlong=_numbers_end(body, unhashed_end + 2) < len(body),
    )


def _version_6(packet: Packet) -> SignaturePacket:
    """The newest form, of which OpenTofu reads as much as says whether it is to be passed over, and Terraform nothing.

    Its lengths are wider, and a salt follows the digest's two bytes (RFC 9580, section 5.2.3).
    """
    body = packet.body
    hashed_end = 8 + number_at(body, 4, 4)
    if body[2] not in _ALGORITHMS_READ or (digest := _digest(body[3])) not in _SALT_LENGTHS:
        return SignaturePacket(version=6, raw=packet.raw)
    unhashed_end = hashed_end + 4 + number_at(body, hashed_end, 4)
    salt_end = unhashed_end + 3 + number_at(body, unhashed_end + 2, 1)
    if salt_end != unhashed_end + 3 + _SALT_LENGTHS[digest]:
        raise MalformedPacketError("a signature's salt has the wrong length")
    hashed = tuple(read_subpackets(body[8:hashed_end], hashed=True))
    require_well_formed(hashed)
    if any(each.kind == SubpacketType.ISSUER for each in hashed):
        raise MalformedPacketError("a signature of version 6 names a key as older ones do")
    key_id, fingerprint = _issuer(hashed, 6)
    if not key_id:
        raise MalformedPacketError("a signature of version 6 does not name the key that made it")
    return SignaturePacket(
        version=6,
        digest=digest,
        key_id=key_id,
        fingerprint=fingerprint,
        raw=packet.raw,
        overlong=_numbers_end(body, salt_end) < len(body),
    )


def _numbers_end(body: bytes, start: int) -> int:
    """Where the numbers end that make a signature; as far as the algorithm is known, else the end of all.

    Raises MalformedPacketError where the packet ends before they do.
    """
    algorithm = body[2]
    if algorithm in _NUMBERS:
        end = start
        for _ in range(_NUMBERS[algorithm]):
            end += 2 + (number_at(body, end, 2) + 7) // 8
    else:
        end = start + _OCTETS.get(algorithm, len(body) - start)
    if end > len(body):
        raise MalformedPacketError("a signature packet is cut short")
    return end


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


def _issuer(subpackets: tuple[Subpacket, ...], version: int) -> tuple[str, str]:
    """Key ID and fingerprint of the maker. As in the clients, the last subpacket that names one wins."""
    key_id = fingerprint = ""
    for subpacket in subpackets:
        match subpacket.kind:
            case SubpacketType.ISSUER:
                if len(subpacket.body) != 8:
                    raise MalformedPacketError("a signature's issuer has the wrong length")
                key_id = subpacket.body.hex().upper()
            case SubpacketType.ISSUER_FINGERPRINT:
                fingerprint = _fingerprint(subpacket.body, version)
                key_id = fingerprint[:16] if version > 4 else fingerprint[-16:]
            case _:
                pass
    return key_id, fingerprint if key_id and key_id in fingerprint else ""


def _fingerprint(body: bytes, version: int) -> str:
    """Of a key of the signature's own version, 20 bytes up to version 4 and 32 after it."""
    if len(body) != (33 if version > 4 else 21) or body[0] != version:
        raise MalformedPacketError(f"a signature's issuer fingerprint is not one of version {version}")
    return body[1:].hex().upper()


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


def unknown_to_gpg(signature: SignaturePacket) -> int | None:
    """A critical subpacket that the clients know and gpg does not, which calls every such signature bad."""
    critical = (each.kind for each in signature.subpackets if each.critical and each.hashed)
    return next((kind for kind in critical if kind in _CRITICAL_UNKNOWN_TO_GPG), None)


def why_unread(signature: SignaturePacket) -> str:
    """Why the clients pass over a signature, whatever it is over; the empty string for one that they look at."""
    if signature.version > 4 and signature.key_id:
        return ""
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

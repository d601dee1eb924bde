"""Subpackets of OpenPGP signatures: what a signature says of itself, item by item (RFC 9580, section 5.2.3.7).

What the clients' Go library makes of odd ones is said where it matters. Raises `MalformedPacketError` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.signatures.packets import MalformedPacketError, number_at


class SubpacketType(IntEnum):
    """The signature subpackets that matter here."""

    CREATED = 2
    EXPIRES = 3
    EXPORTABLE = 4
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
    RECIPIENT = 35
    CIPHER_SUITES = 39


_LENGTHS: Final[Mapping[int, int]] = {
    SubpacketType.CREATED: 4,
    SubpacketType.EXPIRES: 4,
    SubpacketType.TRUST: 2,
    SubpacketType.KEY_EXPIRES: 4,
    SubpacketType.PRIMARY_USER_ID: 1,
}
"""Bytes of subpackets that have always as many."""
_CRITICAL_DISPUTED: Final = frozenset({23, 24, 35})
"""Kinds of subpackets that OpenTofu knows and Terraform does not."""
_NEVER_EMPTY: Final = frozenset({SubpacketType.EXPORTABLE, SubpacketType.KEY_FLAGS, SubpacketType.REVOCATION_REASON})
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


def read_subpackets(area: bytes, *, hashed: bool) -> Iterator[Subpacket]:
    """The subpackets of one of a signature's two areas, in order. Raises MalformedPacketError where one is cut."""
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


def require_well_formed(subpackets: tuple[Subpacket, ...]) -> None:
    """Raises MalformedPacketError for what a client refuses, though gpg passes over it."""
    for each in subpackets:
        if each.hashed and not _has_its_length(each):
            raise MalformedPacketError(f"a signature's subpacket {each.kind} has the wrong length")
        if _is_disputed(each):
            raise MalformedPacketError(
                f"a signature's subpacket {each.kind} makes one of the clients alone pass over it"
            )
    if not any(each.hashed and each.kind == SubpacketType.CREATED for each in subpackets):
        raise MalformedPacketError("a signature does not say when it was made")
    embedded = [each.body for each in subpackets if each.kind == SubpacketType.EMBEDDED_SIGNATURE]
    if len(embedded) > 1:
        raise MalformedPacketError("a signature holds several others")
    for body in embedded:
        # No deeper: what it holds itself may be nested without end.
        if len(body) < 2 or (body[0] == 4 and body[1] != _BACK_SIGNATURE):
            raise MalformedPacketError("a signature holds another one of the wrong type")


def _is_disputed(subpacket: Subpacket) -> bool:
    """Whether one client passes over a signature because of it and the other one does not.

    OpenTofu passes over what its maker has kept for itself, Terraform over whatever is critical and unknown to it.
    """
    if subpacket.kind == SubpacketType.EXPORTABLE:
        return subpacket.hashed and subpacket.critical == bool(subpacket.body[0])
    return subpacket.hashed and subpacket.critical and subpacket.kind in _CRITICAL_DISPUTED


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
        case SubpacketType.RECIPIENT:
            return len(body) == (33 if body[:1] >= b"\5" else 21)
        case _ if kind in _NEVER_EMPTY:
            return bool(body)
        case _:
            return len(body) == _LENGTHS.get(kind, len(body))

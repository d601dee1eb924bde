"""OpenPGP packets: bytes split into whole packets, of whatever kind.

Nothing here checks a signature. The reader is strict and bounded, and raises `MalformedPacketError` alone. Format:
RFC 4880, section 4.2; what is in a signature, `signature_packets` reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from msgspec import Struct

MAX_PACKETS: Final = 20_000
"""More packets than this in one file or key block are refused."""


class MalformedPacketError(Exception):
    """The bytes are not whole OpenPGP packets of the kinds read here; the text says why in a few words."""


class Tag(IntEnum):
    """The kinds of packets that matter here."""

    SIGNATURE = 2
    SECRET_KEY = 5
    PUBLIC_KEY = 6
    SECRET_SUBKEY = 7
    MARKER = 10
    TRUST = 12
    USER_ID = 13
    PUBLIC_SUBKEY = 14
    USER_ATTRIBUTE = 17


class Packet(Struct, frozen=True, kw_only=True):
    """One packet of any kind."""

    tag: int
    body: bytes
    raw: bytes
    """Header and body, exactly as found."""


def read_packets(data: bytes) -> Iterator[Packet]:
    """Split bytes into packets, in order.

    Raises:
        MalformedPacketError: at the first byte that cannot start or continue a packet; packets before it were yielded.
    """
    position = 0
    count = 0
    while position < len(data):
        count += 1
        if count > MAX_PACKETS:
            raise MalformedPacketError(f"more than {MAX_PACKETS} packets")
        tag, start, length = _header(data, position)
        end = start + length
        if end > len(data):
            raise MalformedPacketError("the last packet is cut short")
        yield Packet(tag=tag, body=data[start:end], raw=data[position:end])
        position = end


def _header(data: bytes, position: int) -> tuple[int, int, int]:
    """The tag, the place of the body and its length in bytes."""
    first = data[position]
    if not first & 0x80:
        raise MalformedPacketError("these are not OpenPGP packets")
    if first & 0x40:
        length, start = _new_length(data, position + 1)
        return first & 0x3F, start, length
    size = 1 << (first & 3)
    if size == 8:
        raise MalformedPacketError("a packet of unknown length")
    start = position + 1 + size
    return (first >> 2) & 0x0F, start, number_at(data, position + 1, size)


def _new_length(data: bytes, position: int) -> tuple[int, int]:
    """The length in the newer packet format, and the place after it."""
    first = number_at(data, position, 1)
    if first < 192:
        return first, position + 1
    if first < 224:
        return ((first - 192) << 8) + number_at(data, position + 1, 1) + 192, position + 2
    if first < 255:
        raise MalformedPacketError("a packet in parts")
    return number_at(data, position + 1, 4), position + 5


def number_at(data: bytes, position: int, size: int) -> int:
    """The number in so many bytes. Raises MalformedPacketError where they end before it does."""
    if position + size > len(data):
        raise MalformedPacketError("the last packet is cut short")
    return int.from_bytes(data[position : position + size], "big")

"""ASCII armour of key blocks, read as the clients' Go library reads it (RFC 4880, section 6.2).

gpg is laxer: it reads every block of a text and mends some. What gpg gets to see is therefore only the bytes that a
client would see: those of the first block.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from msgspec import Struct

_START: Final = b"-----BEGIN "
_END: Final = b"-----END "
_DASHES: Final = b"-----"
_LONGEST_LINE: Final = 96
_CRC_START: Final = 0xB704CE
"""RFC 9580, section 6.1: the CRC-24 of an armor."""
_CRC_POLYNOMIAL: Final = 0x1864CFB

PUBLIC_KEY_BLOCK: Final = "PGP PUBLIC KEY BLOCK"
PRIVATE_KEY_BLOCK: Final = "PGP PRIVATE KEY BLOCK"
SIGNATURE: Final = "PGP SIGNATURE"
SIGNED_MESSAGE: Final = "PGP SIGNED MESSAGE"


class ArmorError(Exception):
    """The text holds no armoured block, or a broken one; the message says why in a few words."""


class ArmorBlock(Struct, frozen=True, kw_only=True):
    """The first armoured block of a text."""

    kind: str
    """The words after BEGIN, such as `PGP PUBLIC KEY BLOCK`."""
    data: bytes


def armor_kind(text: bytes) -> str:
    """The words after the first BEGIN line, or the empty string; says nothing about what follows that line."""
    for line in text.splitlines():
        if _is_start(line.strip()):
            return _kind(line.strip())
    return ""


def decode_armor(text: bytes, *, lax: bool = False) -> ArmorBlock:
    """Decode the first armoured block; what stands before and after it is ignored.

    A wrong checksum, indented lines and a missing END line are refused, as Terraform does. With `lax` they are taken,
    as OpenTofu does (ProtonMail's go-crypto trims lines, compares no checksum and ends where the text does).

    Raises:
        ArmorError: there is no block, or it is not well-formed.
    """
    lines = [line.removesuffix(b"\r") for line in text.split(b"\n")]
    position = 0
    while (found := _next_body(lines, position)) is not None:
        kind, start, ok = found
        if ok:
            return ArmorBlock(kind=kind, data=_lax_body(lines[start:]) if lax else _body(lines, start))
        position = start
    raise ArmorError("there is no armoured block")


def _next_body(lines: list[bytes], position: int) -> tuple[str, int, bool] | None:
    """The next block's kind, the line after its headers, and whether the headers are well-formed."""
    while position < len(lines) and not _is_start(lines[position].strip()):
        position += 1
    if position == len(lines):
        return None
    kind = _kind(lines[position].strip())
    for index in range(position + 1, len(lines)):
        header = lines[index].strip()
        if not header:
            return kind, index + 1, True
        if b":" not in header:
            return kind, index + 1, False
    return None


def _is_start(line: bytes) -> bool:
    return line.startswith(_START) and len(line) > len(_START) + len(_DASHES)


def _kind(line: bytes) -> str:
    return line[len(_START) : -len(_DASHES)].decode("ascii", "backslashreplace")


def _lax_body(lines: list[bytes]) -> bytes:
    encoded: list[bytes] = []
    for line in (each.strip() for each in lines):
        if line.startswith(_END) or _is_checksum(line):
            break
        encoded.append(line)
    return _decoded(encoded)


def _decoded(encoded: list[bytes]) -> bytes:
    if any(len(line) > _LONGEST_LINE for line in encoded):
        raise ArmorError(f"a line is longer than {_LONGEST_LINE} characters")
    try:
        return base64.b64decode(b"".join(encoded), validate=True)
    except binascii.Error:
        raise ArmorError("it is not valid base64") from None


def _body(lines: list[bytes], start: int) -> bytes:
    end = next((index for index in range(start, len(lines)) if lines[index].startswith(_END)), None)
    if end is None:
        raise ArmorError("the END line is missing")
    encoded = lines[start:end]
    checksum = encoded.pop()[1:] if encoded and _is_checksum(encoded[-1]) else b""
    data = _decoded(encoded)
    expected = _decoded([checksum])
    if expected and expected != _crc24(data).to_bytes(3, "big"):
        raise ArmorError("its checksum is wrong")
    return data


def _is_checksum(line: bytes) -> bool:
    return len(line) == 5 and line.startswith(b"=")


def _crc24_table() -> tuple[int, ...]:
    table: list[int] = []
    for byte in range(256):
        crc = byte << 16
        for _ in range(8):
            crc = (crc << 1) ^ (_CRC_POLYNOMIAL if crc & 0x800000 else 0)
        table.append(crc & 0xFFFFFF)
    return tuple(table)


_CRC_TABLE: Final = _crc24_table()


def _crc24(data: bytes) -> int:
    crc = _CRC_START
    for byte in data:
        crc = ((crc << 8) & 0xFFFFFF) ^ _CRC_TABLE[(crc >> 16) ^ byte]
    return crc

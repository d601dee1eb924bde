"""Key blocks that are small and take gpg long: RSA with an exponent as large as its modulus, signed a few times."""

from __future__ import annotations

import base64
import hashlib
import random
from typing import Final

_BITS: Final = 4_096
_CREATED: Final = (1_767_225_600).to_bytes(4, "big")
_RSA: Final = 1
_SHA256: Final = 8


def slow_block(seed: int, *, user_ids: int) -> str:
    """A block that nobody has seen before; gpg checks each user ID's signature in vain, one after the other."""
    made = random.Random(seed)  # noqa: S311 - nothing here is secret
    key = b"\x04" + _CREATED + bytes([_RSA]) + _number(made) + _number(made)
    key_id = hashlib.sha1(b"\x99" + len(key).to_bytes(2, "big") + key, usedforsecurity=False).digest()[-8:]
    packets = _packet(6, key)
    for number in range(user_ids):
        packets += _packet(13, f"Slow {seed} {number}".encode())
        hashed = _subpacket(2, _CREATED) + _subpacket(27, b"\x03")
        unhashed = _subpacket(16, key_id)
        head = bytes([4, 0x13, _RSA, _SHA256])
        areas = len(hashed).to_bytes(2, "big") + hashed + len(unhashed).to_bytes(2, "big") + unhashed
        packets += _packet(2, head + areas + b"\0\0" + _number(made))
    text = base64.encodebytes(packets).decode("ascii")
    return f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{text}-----END PGP PUBLIC KEY BLOCK-----\n"


def _number(made: random.Random) -> bytes:
    value = made.getrandbits(_BITS) | 1 | 1 << (_BITS - 1)
    return _BITS.to_bytes(2, "big") + value.to_bytes(_BITS // 8, "big")


def _subpacket(kind: int, body: bytes) -> bytes:
    return bytes([len(body) + 1, kind]) + body


def _packet(tag: int, body: bytes) -> bytes:
    return bytes([0xC0 | tag, 0xFF]) + len(body).to_bytes(4, "big") + body

"""Packages as large as real ones: made-up machine code that deflates about as well, the same bytes on every machine."""

from __future__ import annotations

import hashlib
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from typing import Final

MIB: Final = 1024 * 1024
_BLOCK: Final = 64 * 1024
_BASE: Final = 4 * MIB
_SALT: Final = 64
_DOS_DATE: Final = 0x21  # 1980-01-01
_LICENSE: Final = b"Made-up bytes for measuring. Do with them what you like.\n" * 40


def write_package(path: Path, *, provider_type: str, seed: str, size: int) -> str:
    """Write the zip archive of a package whose executable has `size` bytes; the SHA-256 digest in hexadecimal."""
    members = (
        ("LICENSE.txt", iter((_LICENSE,))),
        (f"terraform-provider-{provider_type}_v1.0.0", _code(seed, size)),
    )
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        directory = b""
        for name, pieces in members:
            start = file.tell()
            file.write(b"\0" * (30 + len(name)))
            crc, plain, packed = 0, 0, 0
            deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
            for piece in pieces:
                crc = zlib.crc32(piece, crc)
                plain += len(piece)
                packed += file.write(deflate.compress(piece))
            packed += file.write(deflate.flush())
            shared = pack("<HHHHHIIIHH", 20, 0, 8, 0, _DOS_DATE, crc, packed, plain, len(name), 0)
            file.seek(start)
            file.write(b"PK\x03\x04" + shared + name.encode())
            file.seek(0, 2)
            tail = pack("<HHHII", 0, 0, 0, 0o100755 << 16, start)
            directory += b"PK\x01\x02" + pack("<H", 3 << 8 | 20) + shared + tail + name.encode()
        place = file.tell()
        file.write(directory + pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 2, 2, len(directory), place, 0))
    part.replace(path)
    with path.open("rb") as done:
        return hashlib.file_digest(done, "sha256").hexdigest()


def _code(seed: str, size: int) -> Iterator[bytes]:
    """Bytes that deflate to about a quarter; every block of 64 KiB differs from all others."""
    base = _base()
    salts = random.Random(seed)  # noqa: S311 - nothing secret
    at = 0
    while size > 0:
        block = salts.randbytes(_SALT) + base[at : at + _BLOCK - _SALT]
        yield block[:size]
        size -= len(block)
        at = (at + _BLOCK) % (_BASE - _BLOCK)


def _base() -> bytes:
    choice = random.Random("machine code")  # noqa: S311 - nothing secret
    words = [choice.randbytes(choice.choice((4, 8, 12, 16, 24))) for _ in range(1000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    made = b"".join(choice.choices(words, weights, k=_BASE // 6))
    return (made * 2)[:_BASE]

"""Zip archives byte by byte, in which every field can be made to lie."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lockwarden.core.archives.inspection import ArchiveFacts, ArchiveLimits, inspect_archive

BINARY = "terraform-provider-demo_v1.2.3"
FILE = 0o100644
PROGRAM = 0o100755
FOLDER = 0o040755


@dataclass(kw_only=True)
class Entry:
    """One member; every field of its two headers can be made to lie."""

    name: bytes | str
    content: bytes = b""
    mode: int = FILE
    deflate: bool = False
    creator: int = 3
    flags: int = 0
    method: int | None = None
    size: int | None = None
    crc: int | None = None
    data: bytes | None = None
    local_name: bytes | None = None
    local_crc: int | None = None
    local_size: int | None = None
    local_method: int | None = None
    descriptor: bytes = b""
    attributes: int | None = None
    zip64: bool = False
    offset: int | None = None
    extra: bytes = b""
    compressed: int | None = None

    @property
    def raw_name(self) -> bytes:
        return self.name.encode() if isinstance(self.name, str) else self.name

    @property
    def stored(self) -> bytes:
        if self.data is not None:
            return self.data
        if not self.deflate:
            return self.content
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
        return squeeze.compress(self.content) + squeeze.flush()


@dataclass(kw_only=True)
class Zip:
    """A zip archive, byte by byte."""

    entries: Sequence[Entry]
    prefix: bytes = b""
    comment: bytes = b""
    suffix: bytes = b""
    before_end: bytes = b""
    zip64: bool = False
    members: int | None = None
    shift: bool = False

    def bytes(self) -> bytes:
        base = 0 if self.shift else len(self.prefix)
        body = bytearray()
        directory = bytearray()
        for entry in self.entries:
            offset = entry.offset if entry.offset is not None else base + len(body)
            body += local_part(entry)
            directory += central_part(entry, offset)
        start = base + len(body)
        count = len(self.entries) if self.members is None else self.members
        end = b""
        if self.zip64:
            end = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(directory), start)
            end += struct.pack("<4sIQI", b"PK\6\7", 0, len(self.prefix) + len(body) + len(directory), 1)
            numbers = (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
        else:
            numbers = (count, count, len(directory), start)
        end += struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, *numbers, len(self.comment)) + self.comment
        return bytes(self.prefix + body + directory + self.before_end + end + self.suffix)


def local_part(entry: Entry) -> bytes:
    name = entry.raw_name if entry.local_name is None else entry.local_name
    size = len(entry.content) if entry.size is None else entry.size
    crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
    method = entry.method if entry.method is not None else (8 if entry.deflate else 0)
    return (
        struct.pack(
            "<4s5H3I2H",
            b"PK\3\4",
            20,
            entry.flags,
            method if entry.local_method is None else entry.local_method,
            0,
            0,
            crc if entry.local_crc is None else entry.local_crc,
            len(entry.stored) if entry.compressed is None else entry.compressed,
            size if entry.local_size is None else entry.local_size,
            len(name),
            0,
        )
        + name
        + entry.stored
        + entry.descriptor
    )


def central_part(entry: Entry, offset: int) -> bytes:
    name = entry.raw_name
    size = len(entry.content) if entry.size is None else entry.size
    extra = entry.extra
    numbers = (len(entry.stored) if entry.compressed is None else entry.compressed, size)
    if entry.zip64:
        extra += struct.pack("<2H3Q", 1, 24, size, len(entry.stored), offset)
        numbers, offset = (0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF
    return (
        struct.pack(
            "<4s6H3I5H2I",
            b"PK\1\2",
            entry.creator << 8 | 20,
            20,
            entry.flags,
            entry.method if entry.method is not None else (8 if entry.deflate else 0),
            0,
            0,
            zlib.crc32(entry.content) if entry.crc is None else entry.crc,
            *numbers,
            len(name),
            len(extra),
            0,
            0,
            0,
            entry.mode << 16 if entry.attributes is None else entry.attributes,
            offset,
        )
        + name
        + extra
    )


def inspect(tmp_path: Path, archive: Zip | bytes, limits: ArchiveLimits | None = None) -> ArchiveFacts:
    path = tmp_path / "package.zip"
    path.write_bytes(archive if isinstance(archive, bytes) else archive.bytes())
    return inspect_archive(path, limits=limits)


def plain(*more: Entry) -> list[Entry]:
    return [
        Entry(name="LICENSE.txt", content=b"example licence\n"),
        Entry(name=BINARY, content=b"not a real binary\n", mode=PROGRAM, deflate=True),
        *more,
    ]


def codes(facts: ArchiveFacts, *, fatal: bool | None = None) -> set[str]:
    return {str(oddity.code) for oddity in facts.oddities if fatal in (None, oddity.fatal)}


def changed(archive: bytes, at: int, form: str, value: int) -> bytes:
    data = bytearray(archive)
    struct.pack_into(form, data, at if at >= 0 else len(data) + at, value)
    return bytes(data)

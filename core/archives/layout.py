"""Where each member's data lies in a zip archive, and whether local headers and directory tell the same story.

The clients read the central directory and hardly look at the local headers; other programs do the opposite. Where the
two differ, one archive has two contents, so nothing is claimed about it.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from lockwarden.core.archives.directory import ArchiveMember, zip64_values
from lockwarden.core.archives.end import EndRecord
from lockwarden.core.archives.oddities import OddityCode, OddityLog, shown
from lockwarden.core.values.errors import ArchiveError

_LOCAL: Final = b"PK\x03\x04"
_LOCAL_FORM: Final = struct.Struct("<4s5H3I2H")
_DESCRIPTOR_SIGNATURE: Final = b"PK\x07\x08"
_LONGEST_DESCRIPTOR: Final = 24
"""Bytes of a data descriptor with its signature and sizes in ZIP64 form."""


class Placed(Struct, frozen=True, kw_only=True):
    """A member with the range of its data in the file, in bytes."""

    member: ArchiveMember
    start: int
    """Where its local header starts."""
    data_start: int
    data_end: int


def place(file: int, members: Iterable[ArchiveMember], end: EndRecord, log: OddityLog) -> tuple[Placed, ...]:
    """Find every member's data, in the order of the directory; notes overlaps, gaps and headers that disagree.

    A member without a local header is noted as fatal, and then nothing is placed.
    """
    placed: list[Placed] = []
    for member in members:
        one = _placed(file, member, end.directory_start, log)
        if one is None:
            return ()
        placed.append(one)
    _check_ranges(file, placed, end.directory_start, log)
    return tuple(placed)


def _placed(file: int, member: ArchiveMember, directory_start: int, log: OddityLog) -> Placed | None:
    in_range = member.header_offset <= directory_start - _LOCAL_FORM.size
    head = os.pread(file, _LOCAL_FORM.size, member.header_offset) if in_range else b""
    if len(head) < _LOCAL_FORM.size or head[:4] != _LOCAL:
        log.note(OddityCode.LOCAL_HEADER, f"“{shown(member.name)}” has no local header", fatal=True)
        return None
    _, _, flags, method, _, _, crc, compressed, size, name_length, extra_length = _LOCAL_FORM.unpack(head)
    rest = os.pread(file, name_length + extra_length, member.header_offset + _LOCAL_FORM.size)
    data_start = member.header_offset + _LOCAL_FORM.size + name_length + extra_length
    name = rest[:name_length]
    try:
        size, compressed, _ = zip64_values(rest[name_length:], (size, compressed, 0), name)
    except ArchiveError as error:
        log.note(OddityCode.LOCAL_HEADER, error.message, fatal=True)
    local = ArchiveMember(
        name=name,
        creator=member.creator,
        flags=flags,
        method=method,
        crc=crc,
        compressed_size=compressed,
        size=size,
        attributes=member.attributes,
        header_offset=member.header_offset,
    )
    _compare(member, local, log)
    return Placed(
        member=member,
        start=member.header_offset,
        data_start=data_start,
        data_end=data_start + member.compressed_size,
    )


def _compare(member: ArchiveMember, local: ArchiveMember, log: OddityLog) -> None:
    if local.name != member.name:
        log.note(
            OddityCode.LOCAL_HEADER,
            f"“{shown(member.name)}” is called “{shown(local.name)}” in its local header",
            fatal=True,
        )
    pairs = [
        ("compression method", member.method, local.method),
        ("encryption", member.encrypted, local.encrypted),
    ]
    deferred = member.has_descriptor or local.has_descriptor
    for what, listed, stated in (
        ("checksum", member.crc, local.crc),
        ("compressed size", member.compressed_size, local.compressed_size),
        ("size", member.size, local.size),
    ):
        if not (deferred and stated == 0):
            pairs.append((what, listed, stated))
    for what, listed, stated in pairs:
        if listed != stated:
            log.note(
                OddityCode.LOCAL_HEADER,
                f"“{shown(member.name)}” has another {what} in its local header than in the central directory",
                fatal=True,
            )


def _check_ranges(file: int, placed: Iterable[Placed], directory_start: int, log: OddityLog) -> None:
    """Walk the file from its start; what members claim must follow one another up to the central directory."""
    reached = 0
    before: ArchiveMember | None = None
    for one in sorted(placed, key=lambda one: one.start):
        _check_gap(file, reached, one.start, before, one.member, log)
        reached = max(reached, one.data_end)
        before = one.member
    if reached > directory_start:
        log.note(OddityCode.OVERLAP, "a member's data runs into the central directory", fatal=True)
    else:
        _check_gap(file, reached, directory_start, before, None, log)


def _check_gap(
    file: int, reached: int, start: int, before: ArchiveMember | None, after: ArchiveMember | None, log: OddityLog
) -> None:
    gap = start - reached
    if gap < 0 and after is not None:
        log.note(OddityCode.OVERLAP, f"the data of “{shown(after.name)}” overlaps another member's", fatal=True)
    elif gap > 0 and before is None:
        log.note(OddityCode.JUNK_PREFIX, f"{gap} bytes lie before the archive's first member", fatal=True)
    elif gap > 0 and before is not None and gap not in _descriptor_lengths(file, reached, before):
        log.note(OddityCode.UNLISTED_BYTES, f"{gap} bytes after “{shown(before.name)}” belong to nothing")


def _descriptor_lengths(file: int, at: int, member: ArchiveMember) -> tuple[int, ...]:
    """How long a data descriptor after `member` may be: with or without its signature, with short or long sizes."""
    if not member.has_descriptor:
        return ()
    signed = os.pread(file, 4, at) == _DESCRIPTOR_SIGNATURE
    return (16, _LONGEST_DESCRIPTOR) if signed else (12, 20)


def descriptor_crc(file: int, at: int) -> int:
    """The checksum in the data descriptor at `at`, with or without its signature, read as Go reads it."""
    data = os.pread(file, 8, at)
    return int.from_bytes(data[4:8] if data[:4] == _DESCRIPTOR_SIGNATURE else data[:4], "little")

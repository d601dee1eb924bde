"""The end of a zip archive: where its central directory lies and how many members it says it has.

The end record is chosen as Go's archive/zip chooses it (the last signature in the last 65 KiB), because that is the
reader of the clients. Unlike Go, nothing is guessed: layouts that Go repairs are oddities or refused.
"""

from __future__ import annotations

import os
import struct
from typing import Final

from msgspec import Struct

from lockwarden.core.archives.oddities import OddityCode, OddityLog
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

_END: Final = b"PK\x05\x06"
_END64: Final = b"PK\x06\x06"
_LOCATOR64: Final = b"PK\x06\x07"
_CENTRAL: Final = b"PK\x01\x02"
_LOCAL: Final = b"PK\x03\x04"
_END_FORM: Final = struct.Struct("<4x4H2IH")
_END64_FORM: Final = struct.Struct("<4xQ2H2I4Q")
_LOCATOR64_FORM: Final = struct.Struct("<4xIQI")
_TAIL: Final = 65 * 1024
"""Bytes from the end in which the end record is looked for: it and a comment of 65,535 bytes fit."""
_NO_DISK: Final = (0, 0xFFFF)


class EndRecord(Struct, frozen=True, kw_only=True):
    """Where the central directory is, in bytes from the start of the file."""

    directory_start: int
    directory_size: int
    members: int
    """How many the record says; not yet counted."""


def read_end_record(file: int, size: int, log: OddityLog) -> EndRecord:
    """Find and check the end record of the archive behind the file descriptor `file` of `size` bytes.

    Notes two end records, bytes before the archive and bytes after it. Raises ArchiveError when there is no usable
    one.
    """
    tail_start = max(0, size - _TAIL)
    tail = os.pread(file, size - tail_start, tail_start)
    at = tail.rfind(_END, 0, max(0, len(tail) - _END_FORM.size + len(_END)))
    if at < 0:
        raise _no_archive(os.pread(file, 512, 0), size)
    disk, start_disk, here, members, directory_size, offset, comment = _END_FORM.unpack_from(tail, at)
    position = tail_start + at
    comment_end = position + _END_FORM.size + comment
    if comment_end > size:
        raise ArchiveError(
            "the comment of its end record goes on past the end of the file", code=ArchiveFault.END_RECORD
        )
    if disk not in _NO_DISK or start_disk not in _NO_DISK:
        raise ArchiveError("it is a part of an archive in several files", code=ArchiveFault.SEVERAL_DISKS)
    declared = (here, members, directory_size, offset)
    position, (here, members, directory_size, offset) = _zip64(file, position, declared)
    if here != members:
        raise ArchiveError("it is a part of an archive in several files", code=ArchiveFault.SEVERAL_DISKS)
    start = position - directory_size
    if start < offset or start < 0:
        raise ArchiveError(
            "its central directory is not where the end record says", code=ArchiveFault.DIRECTORY_MISPLACED
        )
    if start > offset:
        start = _shifted(file, start, offset, log)
    _note_other_end_records(tail, at, max(0, start + directory_size - tail_start), log)
    if comment_end < size:
        log.note(OddityCode.TRAILING_BYTES, f"{size - comment_end} bytes follow the end of the archive")
    return EndRecord(directory_start=start, directory_size=directory_size, members=members)


def _zip64(file: int, position: int, declared: tuple[int, int, int, int]) -> tuple[int, tuple[int, int, int, int]]:
    """The position of the record that counts and its numbers: those of Zip64 where there is a locator."""
    locator_at = position - _LOCATOR64_FORM.size
    locator = os.pread(file, _LOCATOR64_FORM.size, locator_at) if locator_at >= 0 else b""
    if locator[:4] != _LOCATOR64:
        return position, declared
    disk, at, disks = _LOCATOR64_FORM.unpack(locator)
    if disk != 0 or disks != 1:
        raise ArchiveError("it is a part of an archive in several files", code=ArchiveFault.SEVERAL_DISKS)
    record = os.pread(file, _END64_FORM.size, at) if at < locator_at else b""
    if len(record) != _END64_FORM.size or record[:4] != _END64:
        raise ArchiveError("its Zip64 end record is missing", code=ArchiveFault.END_RECORD)
    length, _, _, _, _, *numbers = _END64_FORM.unpack(record)
    if at + 12 + length != locator_at:
        raise ArchiveError("its Zip64 end record has a wrong length", code=ArchiveFault.END_RECORD)
    for short, long, unknown in zip(declared, numbers, (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF), strict=True):
        if short not in (long, unknown):
            raise ArchiveError("its two end records contradict each other", code=ArchiveFault.END_RECORD)
    _, count, length, start = declared
    if length == 0xFFFFFFFF and count != 0xFFFF and start != 0xFFFFFFFF:
        raise ArchiveError("the clients cannot read its Zip64 end record", code=ArchiveFault.END_RECORD)
    here, members, directory_size, offset = numbers
    return at, (here, members, directory_size, offset)


def _shifted(file: int, start: int, offset: int, log: OddityLog) -> int:
    """The start of a directory that does not touch its end record, decided as Go decides it."""
    if os.pread(file, 4, offset) == _CENTRAL:
        log.note(
            OddityCode.UNLISTED_BYTES,
            f"{start - offset} bytes that belong to nothing lie before the end record",
            fatal=True,
        )
        return offset
    log.note(OddityCode.JUNK_PREFIX, f"{start - offset} bytes lie before the archive begins", fatal=True)
    return start


def _note_other_end_records(tail: bytes, chosen: int, directory_end: int, log: OddityLog) -> None:
    """Note a second record that another reader could take: one after the directory, or one that ends the file."""
    last = len(tail) - _END_FORM.size
    at = tail.find(_END)
    while 0 <= at <= last:
        comment = _END_FORM.unpack_from(tail, at)[-1]
        if at != chosen and (at >= directory_end or at + _END_FORM.size + comment == len(tail)):
            log.note(
                OddityCode.SEVERAL_END_RECORDS,
                "it has two end records, so programs can disagree about what is in it",
                fatal=True,
            )
        at = tail.find(_END, at + 1)


def _no_archive(head: bytes, size: int) -> ArchiveError:
    """What the file is instead of a zip archive, as far as its first bytes tell."""
    if size == 0:
        return ArchiveError(
            "the file is empty", code=ArchiveFault.EMPTY_FILE, hint="the download was probably cut off; fetch it again"
        )
    if head.startswith(_LOCAL):
        return ArchiveError(
            "the archive is cut off: it has no end record", code=ArchiveFault.CUT_OFF, hint="fetch it again"
        )
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:64].lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--")):
        return ArchiveError(
            "the file is an HTML page, not a zip archive",
            code=ArchiveFault.HTML,
            hint="a proxy, a login page or an error page probably answered in the server's place",
        )
    if start.startswith((b"<?xml", b"{", b"[")):
        return ArchiveError("the file is a text document, not a zip archive", code=ArchiveFault.NOT_ZIP)
    if head.startswith(b"\x1f\x8b"):
        return ArchiveError("the file is gzip data, not a zip archive", code=ArchiveFault.NOT_ZIP)
    return ArchiveError("the file is not a zip archive: it has no end record", code=ArchiveFault.NOT_ZIP)

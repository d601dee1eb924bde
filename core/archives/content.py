"""The content of one zip member as a SHA-256 digest: inflated in pieces, never kept and never written anywhere.

What makes Go's archive/zip fail on a member makes this fail, since then the clients have no `h1` either.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from isal import igzip_lib, isal_zlib

from lockwarden.core.archives.directory import DEFLATED, ArchiveMember
from lockwarden.core.archives.layout import Placed, descriptor_crc
from lockwarden.core.archives.oddities import OddityCode, OddityLog, shown

_READ: Final = 256 * 1024
_WRITE: Final = 1024 * 1024
_MIB: Final = 1024 * 1024


class MemberError(Exception):
    """The content of a member cannot be had; says why and of which kind that is."""

    def __init__(self, code: OddityCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ReadingStoppedError(Exception):
    """The caller asked to stop in the middle."""


@dataclass(slots=True, kw_only=True)
class UnpackBudget:
    """What may still be inflated of one archive. Counts what really comes out, whatever the headers promise."""

    max_size: int
    """Bytes of all members together."""
    max_ratio: int
    """How many bytes may come out for each byte that goes in, once `ratio_floor` bytes have come out."""
    ratio_floor: int
    stop: Callable[[], bool]
    consumed: int = 0
    produced: int = 0

    def spend(self, produced: int) -> None:
        """Count inflated bytes. Raises MemberError past a limit, ReadingStoppedError when told to stop."""
        self.produced += produced
        if self.produced > self.max_size:
            raise MemberError(OddityCode.TOO_LARGE, f"it unpacks to more than the limit of {self.max_size // _MIB} MiB")
        if self.produced > self.ratio_floor and self.produced > self.max_ratio * self.consumed:
            raise MemberError(
                OddityCode.RATIO, f"it unpacks to more than {self.max_ratio} times its size, as only a zip bomb does"
            )
        if self.stop():
            raise ReadingStoppedError


def digest_of(file: int, placed: Placed, budget: UnpackBudget, log: OddityLog) -> bytes:
    """The SHA-256 digest (32 bytes) of the content of a member that is stored or deflated. Raises as `content_of`."""
    digest = hashlib.sha256()
    for piece in content_of(file, placed, budget, log):
        digest.update(piece)
    return digest.digest()


def content_of(file: int, placed: Placed, budget: UnpackBudget, log: OddityLog) -> Iterator[bytes]:
    """The content of a member that is stored or deflated, in pieces. Only behind the last one is it known to be right.

    Raises MemberError when the content is not as promised, ReadingStoppedError when the budget says to stop.
    """
    member = placed.member
    if member.names_a_folder:
        if member.size:
            raise MemberError(OddityCode.FOLDER_WITH_CONTENT, f"the folder “{shown(member.name)}” has content")
        return
    crc = 0
    size = 0
    pieces = _inflated(file, placed, budget, log) if member.method == DEFLATED else _raw(file, placed, budget)
    for piece in pieces:
        size += len(piece)
        budget.spend(len(piece))
        if size > member.size:
            break
        crc = isal_zlib.crc32(piece, crc)
        yield piece
    if size != member.size:
        raise MemberError(OddityCode.WRONG_SIZE, f"“{shown(member.name)}” does not have the size that is listed")
    _check_crc(file, placed, crc, log)


def _raw(file: int, placed: Placed, budget: UnpackBudget) -> Iterator[bytes]:
    at = placed.data_start
    while at < placed.data_end:
        piece = os.pread(file, min(_READ, placed.data_end - at), at)
        if not piece:
            return
        at += len(piece)
        budget.consumed += len(piece)
        yield piece


def _inflated(file: int, placed: Placed, budget: UnpackBudget, log: OddityLog) -> Iterator[bytes]:
    inflate = isal_zlib.decompressobj(wbits=-15)
    source = _raw(file, placed, budget)
    waiting = b""
    ended = False
    while not inflate.eof:
        if not waiting and not ended:
            waiting = next(source, b"")
            ended = not waiting
        try:
            piece = inflate.decompress(waiting, _WRITE)
        except igzip_lib.IsalError as error:  # type: ignore[misc]  # its stub declares an instance
            raise _wrong_data(placed.member) from error
        waiting = inflate.unconsumed_tail
        if piece:
            yield piece
        elif ended:
            raise _wrong_data(placed.member)
    if inflate.unused_data or next(source, b""):
        log.note(OddityCode.UNUSED_DATA, f"bytes follow the compressed data of “{shown(placed.member.name)}”")


def _wrong_data(member: ArchiveMember) -> MemberError:
    return MemberError(OddityCode.WRONG_DATA, f"the compressed data of “{shown(member.name)}” is damaged")


def _check_crc(file: int, placed: Placed, crc: int, log: OddityLog) -> None:
    """Compare checksums as Go does: one of zero is not compared unless a data descriptor follows."""
    member = placed.member
    if member.has_descriptor:
        if descriptor_crc(file, placed.data_end) != member.crc or crc != member.crc:
            raise MemberError(OddityCode.CHECKSUM, f"the checksum of “{shown(member.name)}” is wrong")
    elif member.crc == 0 and crc != 0:
        log.note(OddityCode.MISSING_CHECKSUM, f"“{shown(member.name)}” has no checksum")
    elif crc != member.crc:
        raise MemberError(OddityCode.CHECKSUM, f"the checksum of “{shown(member.name)}” is wrong")

"""Decompresses streams piece by piece, counted against a budget: gzip, bzip2 and xz, any number of them in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

from isal import igzip_lib, isal_zlib

from lockwarden.core.archives.content import Budget
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

if TYPE_CHECKING:
    import bz2
    import lzma

_WRITE: Final = 1024 * 1024
_GZIP: Final = 31
_MAX_STREAMS: Final = 200_000
"""Streams in one file. Tools that compress in pieces make one for some ten thousand bytes."""
_XZ_MEMORY: Final = 256 * 1024 * 1024
_HINT: Final = "ask who made it"


class Compression(StrEnum):
    """How a stream is compressed."""

    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"


class PieceReader:
    """Reads exactly as much as is asked for from pieces of any size."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._waiting = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, or fewer at the end."""
        parts: list[memoryview] = []
        while size:
            if not self._waiting:
                self._waiting = memoryview(next(self._pieces, b""))
                if not self._waiting:
                    break
            part, self._waiting = self._waiting[:size], self._waiting[size:]
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


class _DamagedError(Exception):
    """A stream holds what no such stream can hold."""


class _Stream(Protocol):
    """One compressed stream."""

    @property
    def ended(self) -> bool:
        """Whether its end was met."""
        ...

    @property
    def behind(self) -> bytes:
        """What followed its end in what it was given last."""
        ...

    def decompress(self, data: bytes) -> Iterator[bytes]:
        """What more of it holds, in pieces. Raises _DamagedError."""
        ...


class _Gzip:
    def __init__(self) -> None:
        self._stream = isal_zlib.decompressobj(wbits=_GZIP)

    @property
    def ended(self) -> bool:
        return self._stream.eof

    @property
    def behind(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes) -> Iterator[bytes]:
        full = True
        while full and not self._stream.eof:
            try:
                piece = self._stream.decompress(data, _WRITE)
            except igzip_lib.IsalError as error:  # type: ignore[misc]  # its stub declares an instance
                raise _DamagedError from error
            data = self._stream.unconsumed_tail
            full = bool(data) or len(piece) == _WRITE
            if piece:
                yield piece


class _Slow:
    """What Python's own library reads."""

    def __init__(self, stream: bz2.BZ2Decompressor | lzma.LZMADecompressor, damage: type[Exception]) -> None:
        self._stream = stream
        self._damage = damage

    @property
    def ended(self) -> bool:
        return self._stream.eof

    @property
    def behind(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes) -> Iterator[bytes]:
        more = True
        while more:
            try:
                piece = self._stream.decompress(data, _WRITE)
            except self._damage as error:
                raise _DamagedError from error
            data = b""
            more = not (self._stream.eof or self._stream.needs_input)
            if piece:
                yield piece


def _bzip2() -> _Stream:
    import bz2  # few commands need it

    return _Slow(bz2.BZ2Decompressor(), OSError)


def _xz() -> _Stream:
    import lzma  # few commands need it

    return _Slow(lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY), lzma.LZMAError)


_STREAMS: Final[Mapping[Compression, Callable[[], _Stream]]] = {
    Compression.GZIP: _Gzip,
    Compression.BZIP2: _bzip2,
    Compression.XZ: _xz,
}


def decompressed(
    chunks: Iterable[bytes], compression: Compression, budget: Budget, *, what: str = "it"
) -> Iterator[bytes]:
    """The content of streams in a row, in pieces, which are not yet counted against the budget.

    Raises ArchiveError, of `what`, for what is damaged, cut off, in too many streams, or wants more memory than real
    ones do.
    """
    begin = _STREAMS[compression]
    stream = begin()
    streams = 0
    for chunk in chunks:
        data = chunk
        while data:
            if stream.ended or not streams:
                stream = begin()
                streams += 1
            if streams > _MAX_STREAMS:
                raise ArchiveError(
                    f"{what} has too many {compression} members", code=ArchiveFault.TOO_MANY_MEMBERS, hint=_HINT
                )
            budget.spend(0)
            try:
                yield from stream.decompress(data)
            except _DamagedError as error:
                raise ArchiveError(
                    f"{what} is {compression} data that is damaged", code=ArchiveFault.WRONG_DATA, hint=_HINT
                ) from error
            data = stream.behind
    if not stream.ended:
        raise ArchiveError(
            f"{what} is {compression} data that ends too early", code=ArchiveFault.WRONG_DATA, hint=_HINT
        )

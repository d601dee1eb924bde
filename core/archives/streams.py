"""One compressed stream, in pieces of bounded size, whatever a small piece unpacks to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Protocol

from isal import igzip_lib, isal_zlib

if TYPE_CHECKING:
    import bz2
    import lzma

PIECE: Final = 1024 * 1024
"""Bytes of a piece at most."""
_GZIP: Final = 31
_XZ_MEMORY: Final = 256 * 1024 * 1024
"""Bytes that a stream may ask a decoder for; the largest preset of xz needs 65 MiB."""


class DamagedStreamError(Exception):
    """A stream holds what no such stream can hold."""


class _Reader(Protocol):
    """What a library reads a stream with."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class CompressedStream(ABC):
    """One stream; what follows it is behind it."""

    _reader: _Reader
    _damage: type[Exception]

    @property
    def ended(self) -> bool:
        """Whether its end was met."""
        return self._reader.eof

    @property
    def behind(self) -> bytes:
        """What followed its end in what it was given last."""
        return self._reader.unused_data

    def decompress(self, data: bytes) -> Iterator[bytes]:
        """What more of it holds, in pieces of at most `PIECE`. Raises DamagedStreamError."""
        given: bytes | None = data
        while given is not None and not self.ended:
            try:
                piece = self._reader.decompress(given, PIECE)
            except self._damage as error:
                raise DamagedStreamError from error
            given = self._left(piece)
            if piece:
                yield piece

    @abstractmethod
    def _left(self, piece: bytes) -> bytes | None:
        """What it has to be given to go on after a piece; None when that takes more of the stream."""


class GzipStream(CompressedStream):
    """A member of a gzip file."""

    _damage = igzip_lib.IsalError  # type: ignore[assignment]  # its stub declares an instance

    def __init__(self) -> None:
        self._reader = self._inflating = isal_zlib.decompressobj(wbits=_GZIP)

    def _left(self, piece: bytes) -> bytes | None:
        tail = self._inflating.unconsumed_tail
        return tail if tail or len(piece) == PIECE else None


class _StandardStream(CompressedStream):
    """What Python's own library reads, which keeps what it has not used."""

    def __init__(self, reader: bz2.BZ2Decompressor | lzma.LZMADecompressor, damage: type[Exception]) -> None:
        self._reader = self._keeping = reader
        self._damage = damage

    def _left(self, piece: bytes) -> bytes | None:  # noqa: ARG002
        return None if self._keeping.needs_input else b""


def bzip2_stream() -> CompressedStream:
    """A stream of a bzip2 file."""
    import bz2  # few commands need it

    return _StandardStream(bz2.BZ2Decompressor(), OSError)


def xz_stream() -> CompressedStream:
    """A stream of an xz file, which may take the memory of its greatest common preset several times."""
    import lzma  # few commands need it

    return _StandardStream(lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY), lzma.LZMAError)

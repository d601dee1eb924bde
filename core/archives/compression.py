"""Decompresses streams piece by piece, counted against a budget: gzip, bzip2 and xz, any number of them in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from lockwarden.core.archives.content import UnpackBudget
from lockwarden.core.archives.streams import CompressedStream, DamagedStreamError, GzipStream, bzip2_stream, xz_stream
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

_MAX_STREAMS: Final = 200_000
"""Streams in one file. Tools that compress in pieces make one for some ten thousand bytes."""
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


_STREAMS: Final[Mapping[Compression, Callable[[], CompressedStream]]] = {
    Compression.GZIP: GzipStream,
    Compression.BZIP2: bzip2_stream,
    Compression.XZ: xz_stream,
}


def decompressed(
    chunks: Iterable[bytes], compression: Compression, budget: UnpackBudget, *, what: str = "it"
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
            except DamagedStreamError as error:
                raise ArchiveError(
                    f"{what} is {compression} data that is damaged", code=ArchiveFault.WRONG_DATA, hint=_HINT
                ) from error
            data = stream.behind
    if not stream.ended:
        raise ArchiveError(
            f"{what} is {compression} data that ends too early", code=ArchiveFault.WRONG_DATA, hint=_HINT
        )

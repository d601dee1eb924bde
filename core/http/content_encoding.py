"""Undoes `Content-Encoding: gzip`, in pieces of bounded size, whatever a small piece unpacks to.

It is undone where Go undoes it, and nowhere else (net/http, `Transport`): bytes with any other encoding reach the
clients as they came, so that they are what is hashed and read here, too.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

MAX_RATIO: Final = 20
"""Bytes out for each byte in. A zip archive, which is compressed already, stays near one."""
RATIO_FLOOR: Final = 16 * 1024 * 1024
"""Bytes of content below which the ratio does not matter; limits on documents are tighter."""
_GZIP: Final = "gzip"


class EncodingError(Exception):
    """The data is not what the content encoding says; the text says what it is."""


class EncodedEndError(EncodingError):
    """The encoded data ends too early."""


def is_encoded(encoding: str) -> bool:
    """Whether the clients undo an encoding, so that the announced length is not the length of the content."""
    return encoding.lower() == _GZIP


async def decoded(chunks: AsyncIterator[bytes], encoding: str) -> AsyncGenerator[bytes, None]:
    """The content in pieces of at most 1 MiB or the size of a chunk. Raises EncodingError."""
    if not is_encoded(encoding):
        async for chunk in chunks:
            yield chunk
        return
    from lockwarden.core.http.gunzip import DamagedStreamError, Gunzip

    gunzip = Gunzip()
    given = taken = 0
    async for chunk in chunks:
        taken += len(chunk)
        try:
            for piece in gunzip.feed(chunk):
                given += len(piece)
                if given > RATIO_FLOOR and given > MAX_RATIO * taken:
                    raise EncodingError(f"gzip data that unpacks to more than {MAX_RATIO} times its size")
                yield piece
        except DamagedStreamError as error:
            raise EncodingError("gzip data that is damaged") from error
    if not gunzip.complete:
        raise EncodedEndError("gzip data that ends too early")

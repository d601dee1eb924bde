"""A package on its way from a server, in pieces, with the trouble that may come up half-way as typed errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from types import MappingProxyType
from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core.errors import BadAnswerError, Stage
from lockwarden.core.http.content_encoding import EncodedEndError, EncodingError
from lockwarden.core.http.exchanges import Reply, announced_length, body_of
from lockwarden.core.http.transport_errors import explain
from lockwarden.core.http.urls import host_of, redacted

PASSING_CODES: Final = frozenset({"timeout", "connection-reset", "short-body", "no-connection"})
"""Codes of errors in the middle of a package after which it may be asked for anew."""


class PackageStream(Struct, frozen=True, kw_only=True):
    """The answer to a request for a package. Whatever its status, its bytes are only what the server sent."""

    url: str
    """Where it comes from in the end, without its secrets."""
    status: int
    declared_size: int | None
    """Bytes that are to come; None where the server does not say, or says it of encoded bytes."""
    content_type: str
    headers: Mapping[str, str]
    """All headers, their names in lower case."""
    redirects: tuple[str, ...]
    """The URLs that led here, without their secrets."""
    chunks: AsyncGenerator[bytes, None]
    """With a content encoding undone. Raises NoAnswerError or BadAnswerError; read it once."""


def package_stream(reply: Reply, *, stage: Stage, seconds: float) -> PackageStream:
    """Wrap the final answer to a request for a package; all of it must come within `seconds`."""
    headers = reply.response.headers
    encoding = headers.get("content-encoding", "")
    plain = not encoding or encoding.strip().lower() == "identity"
    length = announced_length(reply)
    return PackageStream(
        url=redacted(reply.url),
        status=reply.response.status_code,
        declared_size=length if plain and length >= 0 else None,
        content_type=headers.get("content-type", ""),
        headers=MappingProxyType(dict(headers)),
        redirects=reply.redirects,
        chunks=_chunks(reply, stage, seconds),
    )


async def _chunks(reply: Reply, stage: Stage, seconds: float) -> AsyncGenerator[bytes, None]:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    try:
        async with aclosing(body_of(reply)) as pieces:
            async for piece in pieces:
                yield piece
                if loop.time() > end:
                    raise TimeoutError
    except EncodedEndError as error:
        raise BadAnswerError(f"{redacted(reply.url)} answered with {error}", stage=stage, code="short-body") from error
    except EncodingError as error:
        raise BadAnswerError(
            f"{redacted(reply.url)} answered with {error}", stage=stage, code="content-encoding"
        ) from error
    except (httpx.TransportError, OSError) as error:
        raise explain(error, host=host_of(reply.url), in_body=True).error(stage, error) from error

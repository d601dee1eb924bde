"""What httpx sends its requests through when no proxy stands between: httpcore's pool over connections of our own."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

import httpcore
import httpx

from lockwarden.core.http.wide_reads import WideReads

_IDLE_SECONDS: Final = 5.0
"""How long a connection that nobody uses is kept."""


class DirectTransport(httpx.AsyncBaseTransport):
    """HTTP/1.1 over TLS with keep-alive; a pool of connections to any number of hosts."""

    def __init__(self, context: ssl.SSLContext, *, connections: int, idle: int) -> None:
        """`connections` in all at the same time, of which `idle` are kept for later requests."""
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            max_keepalive_connections=idle,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=WideReads(),
        )

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        with _as_httpx():
            await self._pool.__aexit__(exc_type, exc_value, traceback)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises httpx's exceptions, each with httpcore's as its cause."""
        url = request.url
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            answer = await self._pool.handle_async_request(asked)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer), extensions=answer.extensions)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx():
            async for piece in self._answer.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        with _as_httpx():
            await self._answer.aclose()


@contextmanager
def _as_httpx() -> Iterator[None]:
    """httpcore's exceptions as those of the same name that httpx has."""
    try:
        yield
    except Exception as error:  # httpcore gives its errors no class of their own; all others go on as they are
        for kind in type(error).__mro__:
            if kind.__module__.startswith("httpcore") and (known := getattr(httpx, kind.__name__, None)):
                raise known(str(error)) from error
        raise

"""What httpx sends its requests through when no proxy stands between: httpcore's pool over connections of our own."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

import httpcore
import httpx

from lockwarden.core.http.early_connections import EarlyConnections

_HTTPS_PORT: Final = 443
_HTTP_PORT: Final = 80
_IDLE_SECONDS: Final = 5.0
"""How long a connection that nobody uses is kept."""


class DirectTransport(httpx.AsyncBaseTransport):
    """HTTP/1.1 over TLS with keep-alive; a pool of connections to any number of hosts."""

    def __init__(self, context: ssl.SSLContext, *, connections: int, idle: int) -> None:
        """`connections` in all at the same time, of which `idle` are kept for later requests."""
        self._network = EarlyConnections(context)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            max_keepalive_connections=idle,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=self._network,
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
        await self._network.aclose()
        with _as_httpx():
            await self._pool.__aexit__(exc_type, exc_value, traceback)

    def foresee(self, url: httpx.URL, *, connections: int, timeout: float) -> None:
        """Begin to open so many connections to a host over https, in all, for requests that will follow soon."""
        host, port = _place(url)
        self._network.foresee(host, port, connections=connections, timeout=timeout)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises httpx's exceptions, each with httpcore's as its cause."""
        url = request.url
        if url.scheme == "http":
            await self._network.speak_plainly(*_place(url))
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
        await self._network.aclose()
        await self._pool.aclose()


def _place(url: httpx.URL) -> tuple[str, int]:
    """Host and port as httpcore asks for a connection to them."""
    return url.raw_host.decode("ascii"), url.port or (_HTTPS_PORT if url.scheme == "https" else _HTTP_PORT)


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
    except Exception as error:
        for kind in type(error).__mro__:
            if kind.__module__.startswith("httpcore") and (known := getattr(httpx, kind.__name__, None)):
                raise known(str(error)) from error
        raise

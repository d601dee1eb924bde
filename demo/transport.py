"""A world served inside the process, as a transport for httpx: no socket, no name look-up, no network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import httpx

from lockwarden.demo.world import World

_CHUNK: Final = 16 * 1024


class WorldTransport(httpx.AsyncBaseTransport):
    """Answers an httpx client's requests from `world`.

    `latency` is the time in seconds that passes before each answer and again before each further chunk of a body, so
    that progress can be seen. Raises httpx.ConnectError for a host that the world does not have and for plain HTTP.
    """

    def __init__(self, world: World, *, latency: float = 0.0) -> None:
        self._world = world
        self._latency = latency

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request; the body is streamed in chunks of 16 KiB."""
        host = request.url.host
        if request.url.scheme != "https" or request.url.port not in {None, 443}:
            raise httpx.ConnectError("the demo world speaks https on port 443 only", request=request)
        if host not in self._world.hosts:
            raise httpx.ConnectError(f"the demo world has no host {host}", request=request)
        await asyncio.sleep(self._latency)
        answer = self._world.respond(host, request.url.raw_path.decode("ascii"))
        if request.method not in {"GET", "HEAD"}:
            return httpx.Response(405, headers={"Allow": "GET, HEAD"}, stream=_Chunks(b"", 0.0))
        body = b"" if request.method == "HEAD" else answer.body
        stream = _Chunks(body, self._latency)
        return httpx.Response(answer.status, headers=list(answer.headers_with_length), stream=stream)


class _Chunks(httpx.AsyncByteStream):
    """A body in pieces, with a pause before each but the first."""

    def __init__(self, body: bytes, pause: float) -> None:
        self._body = body
        self._pause = pause

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), _CHUNK):
            await asyncio.sleep(self._pause if start else 0.0)
            yield self._body[start : start + _CHUNK]

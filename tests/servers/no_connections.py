"""Commands that run in the tests' process are answered by its servers without connections, where these show nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import httpx
import pytest

from lockwarden.core.http.connections import open_client
from lockwarden.core.http.settings import HttpSettings
from lockwarden.demo.responses import Response
from servers.https import Broken, HttpsServer
from servers.journal import Request
from servers.proxy import Proxy, is_one_of

_PIECE = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Way:
    """A proxy of the tests with the server that it leads to, and the authority that clients have to trust for that."""

    proxy: Proxy
    server: HttpsServer
    ca_file: str

    def is_used(self, settings: HttpSettings) -> bool:
        """Whether these settings lead there, and would reach the server, whatever host is asked."""
        plain = not (settings.ca_folders or settings.client_certificate or settings.proxies.get("no"))
        return plain and settings.ca_file == self.ca_file and settings.proxies.get("https") == self.proxy.url


_WAYS: list[Way] = []


@contextlib.contextmanager
def known(way: Way) -> Iterator[None]:
    """Meanwhile, let commands that run in this process go this way without connections."""
    _WAYS.append(way)
    try:
        yield
    finally:
        _WAYS.remove(way)


@contextlib.contextmanager
def without_connections() -> Iterator[None]:
    """Meanwhile, have clients whose settings lead to a server of this process answered by it without a connection.

    TLS, the proxy and the reading of HTTP take most of the time of a command. They have tests of their own, and each
    command that is a process goes through them. So do here, too: settings that are not the usual ones, hosts that the
    proxy does not lead to, and every answer that is not whole or not well-formed.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lockwarden.core.http.client.open_client", _open)
        yield


@contextlib.contextmanager
def over_connections() -> Iterator[None]:
    """Meanwhile, have commands that run in this process go through connections after all."""
    kept = _WAYS[:]
    _WAYS.clear()
    try:
        yield
    finally:
        _WAYS[:] = kept


def _open(settings: HttpSettings, transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    way = next((way for way in _WAYS if way.is_used(settings)), None)
    if transport is not None or way is None:
        return open_client(settings, transport)
    return open_client(settings, _OnTheWay(way, settings))


class _OnTheWay(httpx.AsyncBaseTransport):
    def __init__(self, way: Way, settings: HttpSettings) -> None:
        self._way = way
        self._settings = settings
        self._connected: httpx.AsyncClient | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url, server = request.url, self._way.server
        if url.scheme != "https" or url.port is not None or not is_one_of(url.host, self._way.proxy.hosts):
            return await self._over_a_connection(request)
        await asyncio.sleep(0)
        asked = Request(
            scheme="https",
            method=request.method,
            host=url.host.lower(),
            path=url.raw_path.decode("ascii"),
            headers={name.lower(): value for name, value in request.headers.items()},
        )
        answer = server.answer(asked)
        if isinstance(answer, Broken) or not _is_plain(answer):
            server.prepare(asked, answer)
            return await self._over_a_connection(request)
        body = b"" if request.method == "HEAD" else answer.body
        return httpx.Response(answer.status, headers=list(answer.headers_with_length), stream=_Pieces(body))

    async def _over_a_connection(self, request: httpx.Request) -> httpx.Response:
        if self._connected is None:
            self._connected = open_client(self._settings, None)
        return await self._connected.send(request, stream=True)

    async def aclose(self) -> None:
        if self._connected is not None:
            await self._connected.aclose()


def _is_plain(answer: Response) -> bool:
    """Whether an answer would come through a connection as it is."""
    told = {name.lower(): value for name, value in answer.headers_with_length}
    return (
        told.get("content-length") == str(len(answer.body))
        and "transfer-encoding" not in told
        and answer.status >= 200
        and (answer.status not in {204, 304} or not answer.body)
        and all(f"{name}{value}".isascii() and f"{name}{value}".isprintable() for name, value in answer.headers)
        and all(name == name.strip() and value == value.strip() for name, value in answer.headers)
    )


class _Pieces(httpx.AsyncByteStream):
    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), _PIECE):
            yield self._body[start : start + _PIECE]

"""A server that sends much at once, in tiny pieces or not, holds up nothing else that runs."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

import httpcore
import httpx
from servers.authority import Authority

from lockwarden.core.http.exchanges import HttpResponse, body_of
from lockwarden.core.http.wide_reads import WideReads

PIECES = 6_400
RECORD = 16 * 1024


class Turns:
    """How often everybody else got a turn."""

    def __init__(self) -> None:
        self.count = 0

    async def take(self) -> None:
        while True:
            self.count += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def others() -> AsyncIterator[Turns]:
    turns = Turns()
    running = asyncio.create_task(turns.take())
    try:
        yield turns
    finally:
        running.cancel()


class TinyPieces(httpx.AsyncByteStream):
    """A body that is there already."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(PIECES):
            yield b"x"


class Peer(httpcore.AsyncNetworkStream):
    """The other end of a TLS connection, which never has to be waited for."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._ssl = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._shaken = False

    def send(self, data: bytes) -> None:
        self._ssl.write(data)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._outgoing.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._incoming.write(buffer)
        if not self._shaken:
            try:
                self._ssl.do_handshake()
            except ssl.SSLWantReadError:
                return
            self._shaken = True

    async def aclose(self) -> None:
        """Nothing is open."""


class Network(httpcore.AsyncNetworkBackend):
    """Where everybody is this peer."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return self._peer


def turns_during(reading: Callable[[], Awaitable[int]], expected: int) -> int:
    """The turns of others while so many bytes are read."""

    async def count() -> int:
        async with others() as turns:
            assert await reading() == expected
            return turns.count

    return asyncio.run(count())


def test_others_get_their_turn_while_tiny_pieces_come_that_are_all_there() -> None:
    async def reading() -> int:
        response = httpx.Response(200, stream=TinyPieces())
        reply = HttpResponse(response=response, url=httpx.URL("https://a.test/"), redirects=(), secrets_sent=False)
        return sum([len(piece) async for piece in body_of(reply)])

    assert turns_during(reading, PIECES) >= PIECES // 100


def test_others_get_their_turn_before_each_read_of_what_is_there(authority: Authority) -> None:
    async def reading() -> int:
        peer = Peer(authority.server_context)
        plain = await WideReads(Network(peer)).connect_tcp("localhost", 443)
        stream = await plain.start_tls(authority.client_context(), "localhost")
        peer.send(bytes(10 * RECORD))
        return sum([len(await stream.read(RECORD)) for _ in range(10)])

    assert turns_during(reading, 10 * RECORD) >= 9

"""A real server on the loopback interface, with TLS or without, that answers what it is told and then misbehaves."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus

_LINGER_NOT = struct.pack("ii", 1, 0)


class End(StrEnum):
    """What happens once the bytes of an answer are out."""

    KEEP = "the connection stays open for the next request"
    CLOSE = "the connection is closed"
    RESET = "the connection is reset"
    STALL = "nothing more comes"
    DRIP = "a byte comes now and then, for ever"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer; `raw` replaces head and body."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    length: int | None = None
    """Content-Length, where it is not the body's; below zero for none."""
    chunked: bool = False
    raw: bytes | None = None
    end: End = End.KEEP

    def head_and_body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        headers = dict(self.headers)
        length = len(self.body) if self.length is None else self.length
        body = self.body
        if self.chunked:
            headers["Transfer-Encoding"] = "chunked"
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            if self.end is End.KEEP:
                body += b"0\r\n\r\n"
        elif length >= 0:
            headers["Content-Length"] = str(length)
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}", *(f"{n}: {v}" for n, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a client asked; header names in lower case."""

    path: str
    headers: Mapping[str, str]

    @property
    def authorization(self) -> str | None:
        return self.headers.get("authorization")


class FaultyServer:
    """Answers each path with its answers in a row, the last one again and again; every other path with 404."""

    def __init__(self, scheme: str, port: int) -> None:
        self.scheme = scheme
        self.port = port
        self.requests: list[Request] = []
        self.most_at_once = 0
        self.connections = 0
        """How many were opened."""
        self.closed = 0
        self._changed = asyncio.Condition()
        self.release = asyncio.Event()
        """Answers wait for it; it is set unless a test clears it."""
        self.release.set()
        self._answers: dict[str, list[Answer]] = {}
        self._open = 0

    def on(self, path: str, *answers: Answer) -> str:
        """Set the answers for a path; its URL."""
        self._answers[path] = list(answers)
        return self.url(path)

    def url(self, path: str, host: str = "localhost") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    def asked(self) -> list[str]:
        """The paths that were asked, in order."""
        return [request.path for request in self.requests]

    def answer(self, path: str) -> Answer:
        answers = self._answers.get(path, [Answer(status=404)])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._count(opened=1)
        try:
            while await self._serve_one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.close()
            await self._count(closed=1)

    async def _count(self, *, opened: int = 0, closed: int = 0) -> None:
        async with self._changed:
            self.connections += opened
            self.closed += closed
            self._changed.notify_all()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until what is true of the counted connections."""
        async with self._changed:
            await self._changed.wait_for(reached)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        first = await reader.readexactly(1)
        if first == b"\x16":  # a TLS handshake where there is no TLS
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            return False
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        pairs = (line.partition(":") for line in head[1:] if line)
        self.requests.append(Request(path=path, headers={name.lower(): value.strip() for name, _, value in pairs}))
        await self._count()
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        try:
            await self.release.wait()
            answer = self.answer(path.partition("?")[0])
            writer.write(answer.head_and_body())
            await writer.drain()
        finally:
            self._open -= 1
        return await self._end(answer.end, reader, writer)

    async def _end(self, end: End, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        match end:
            case End.KEEP:
                return True
            case End.RESET:
                sock: socket.socket = writer.get_extra_info("socket")
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
                writer.transport.abort()
            case End.STALL:
                await reader.read()  # until the client leaves
            case End.DRIP:
                while not reader.at_eof():
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(0.01)
            case End.CLOSE:
                pass
        return False


@asynccontextmanager
async def faulty_server(context: ssl.SSLContext | None) -> AsyncIterator[FaultyServer]:
    """Run a server in this event loop, over TLS where a context is given."""
    connections: set[asyncio.Task[None]] = set()
    listener = socket.create_server(("127.0.0.1", 0))
    server = FaultyServer("https" if context else "http", listener.getsockname()[1])

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        try:
            await server.serve(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            connections.discard(task)

    running = await asyncio.start_server(connected, sock=listener, ssl=context)
    try:
        yield server
    finally:
        running.close()
        for task in tuple(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

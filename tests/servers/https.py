"""A real HTTPS server on the loopback interface for any number of host names.

It serves a callable. HTTP/1.1 with keep-alive, one thread a connection; a body is sent with its true length unless the
answer's own headers say otherwise. To misbehave below HTTP, the callable raises `Broken`.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http.server import BaseHTTPRequestHandler
from typing import Any

from lockwarden.demo.world import Response, World
from servers.journal import Journal, Request
from servers.listening import Listener

Respond = Callable[[str, str, Mapping[str, str]], Response]
"""Host, request target and headers (names in lower case) → answer."""

_LINGER_NOT = struct.pack("ii", 1, 0)


class Breakage(StrEnum):
    """How a connection ends that does not end well."""

    CLOSE = "the connection is closed"
    RESET = "the connection is reset"
    STALL = "nothing more comes until the server is stopped"


class Broken(Exception):  # noqa: N818 - it is an answer, not an error
    """Raised by a callable: send the first `after` bytes of `response` (None: not even a status), then break off."""

    def __init__(self, how: Breakage, *, response: Response | None = None, after: int = 0) -> None:
        super().__init__(how)
        self.how = how
        self.response = response
        self.after = after


def of_world(world: World) -> Respond:
    """Serve a demo world."""
    return lambda host, path, headers: world.respond(host, path)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def setup(self) -> None:
        super().setup()
        # Whole answers leave at once, so that no client waits for a delayed acknowledgement.
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def answer(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        scheme = "http" if self.server.context is None else "https"
        request = Request(scheme=scheme, method=self.command, host=host.lower(), path=self.path, headers=headers)
        if length := int(headers.get("content-length", "0")):
            self.rfile.read(length)
        response = self.server.prepared.pop((request.host, request.path), None) or self.server.answer(request)
        if isinstance(response, Broken):
            self.break_off(response)
        else:
            self.send(response, body=response.body if self.command != "HEAD" else b"")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - names of the base class

    def send(self, response: Response, *, body: bytes) -> None:
        headers = response.headers_with_length
        lines = [f"HTTP/1.1 {response.status} {self.responses.get(response.status, ('Status',))[0]}"]
        lines += [f"{name}: {value}" for name, value in headers]
        lowered = {name.lower(): value for name, value in headers}
        if lowered.get("transfer-encoding") == "chunked":
            body = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n" if body else b"0\r\n\r\n"
        elif self.command != "HEAD" and int(lowered.get("content-length", "0")) != len(body):
            self.close_connection = True
            lines.append("Connection: close")
        self.wfile.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    def break_off(self, broken: Broken) -> None:
        self.close_connection = True
        if broken.response is not None:
            self.send(broken.response, body=broken.response.body[: broken.after])
        match broken.how:
            case Breakage.STALL:
                self.server.stopping.wait()
            case Breakage.RESET:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
                with contextlib.suppress(OSError):
                    # A close through TLS would say goodbye first; the bare descriptor does not.
                    socket.socket(fileno=self.connection.detach()).close()
            case Breakage.CLOSE:
                pass

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - name of the base class
        """Say nothing: the journal has it."""


class _Server(Listener):
    def __init__(self, respond: Respond, context: ssl.SSLContext | None) -> None:
        self.respond = respond
        self.context = context
        self.journal = Journal()
        self.stopping = threading.Event()
        self.connections: set[socket.socket] = set()
        self.prepared: dict[tuple[str, str], Response | Broken] = {}
        super().__init__(_Handler)

    def answer(self, request: Request) -> Response | Broken:
        self.journal.add(request)
        try:
            return self.respond(request.host, request.path, request.headers)
        except Broken as broken:
            return broken

    def finish_request(self, request: Any, client_address: Any) -> None:
        # The handshake belongs in the connection's own thread: a client that does not shake hands holds up nobody.
        try:
            connection = request if self.context is None else self.context.wrap_socket(request, server_side=True)
        except OSError:
            return  # a client that does not trust us leaves during the handshake
        with connection:
            self.connections.add(connection)
            try:
                super().finish_request(connection, client_address)
            finally:
                self.connections.discard(connection)

    def shutdown(self) -> None:
        """End the connections that clients keep open, too, so that no thread outlives the server."""
        self.stopping.set()
        super().shutdown()
        for connection in tuple(self.connections):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


@dataclass(slots=True, kw_only=True)
class HttpsServer:
    """A running server."""

    port: int
    journal: Journal
    _server: _Server

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        return ("127.0.0.1", self.port)

    @property
    def url(self) -> str:
        """Its own URL on this machine, for clients that need no other host name."""
        scheme = "http" if self._server.context is None else "https"
        return f"{scheme}://localhost:{self.port}/"

    def answer(self, request: Request) -> Response | Broken:
        """What a request would get, which is noted as if it had come."""
        return self._server.answer(request)

    def prepare(self, request: Request, answer: Response | Broken) -> None:
        """Give this answer when such a request comes next, without a note."""
        self._server.prepared[request.host, request.path] = answer

    def settle(self) -> None:
        """Wait until nobody is connected: what a killed client asked last may still be on its way."""
        while self._server.connections:
            time.sleep(0.01)

    def serve(self, respond: Respond) -> None:
        """Serve something else from now on, and start the journal afresh."""
        self._server.respond = respond
        self.journal.clear()


@contextlib.contextmanager
def serving(respond: Respond, *, context: ssl.SSLContext | None) -> Iterator[HttpsServer]:
    """Run a server until the block ends; without a context it speaks plain HTTP."""
    server = _Server(respond, context)
    with server.running():
        yield HttpsServer(port=server.address[1], journal=server.journal, _server=server)

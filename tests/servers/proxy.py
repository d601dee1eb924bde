"""A CONNECT proxy on the loopback interface that leads chosen host names to a server on this machine.

With HTTPS_PROXY set to it, a real client reaches `https://registry.example.test/` here, without a change to the
machine. Everything else is refused, so that no test ever leaves the machine.
"""

from __future__ import annotations

import contextlib
import fnmatch
import select
import socket
import socketserver
from collections.abc import Iterator
from dataclasses import dataclass

from servers.journal import Journal, Request
from servers.listening import Listener

_HEAD_LIMIT = 65536


class _Handler(socketserver.BaseRequestHandler):
    server: _Proxy
    request: socket.socket

    def handle(self) -> None:
        head = self._read_head()
        method, _, rest = head.partition(" ")
        target = rest.partition(" ")[0]
        host, _, port = target.rpartition(":")
        allowed = method == "CONNECT" and port == "443" and self.server.leads(host)
        seen = Request(scheme="connect" if method == "CONNECT" else "http", method=method, host=host, path=target)
        (self.server.connects if allowed else self.server.refused).add(seen)
        if not allowed:
            self.request.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        with socket.create_connection(self.server.destination) as upstream:
            self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            _pump(self.request, upstream)

    def _read_head(self) -> str:
        head = b""
        while b"\r\n\r\n" not in head and len(head) < _HEAD_LIMIT:
            piece = self.request.recv(4096)
            if not piece:
                break
            head += piece
        return head.decode("latin-1")


def is_one_of(host: str, patterns: tuple[str, ...]) -> bool:
    """Whether a host is meant by one of these names or `*.` patterns."""
    return any(fnmatch.fnmatchcase(host.lower(), pattern) for pattern in patterns)


def _pump(client: socket.socket, upstream: socket.socket) -> None:
    """Carry bytes both ways until one side has nothing more to say."""
    other = {client: upstream, upstream: client}
    while True:
        ready, _, _ = select.select([client, upstream], [], [])
        for side in ready:
            piece = side.recv(65536)
            if not piece:
                return
            other[side].sendall(piece)


class _Proxy(Listener):
    def __init__(self, destination: tuple[str, int], hosts: tuple[str, ...]) -> None:
        self.destination = destination
        self.hosts = hosts
        self.connects = Journal()
        self.refused = Journal()
        super().__init__(_Handler)

    def leads(self, host: str) -> bool:
        return is_one_of(host, self.hosts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """A running proxy."""

    url: str
    """The value for HTTPS_PROXY."""
    hosts: tuple[str, ...]
    """The names and `*.` patterns that it leads to the server."""
    connects: Journal
    """The tunnels that were opened."""
    refused: Journal
    """What was asked for and refused: another host, another port, or plain HTTP."""


@contextlib.contextmanager
def proxying(destination: tuple[str, int], *, hosts: tuple[str, ...]) -> Iterator[Proxy]:
    """Run a proxy until the block ends that leads `hosts` (names or `*.` patterns), port 443, to `destination`."""
    proxy = _Proxy(destination, hosts)
    with proxy.running():
        url = f"http://127.0.0.1:{proxy.address[1]}"
        yield Proxy(url=url, hosts=hosts, connects=proxy.connects, refused=proxy.refused)

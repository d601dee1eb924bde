"""Connections that read as much at once as is there, for packages: several TLS records a time instead of one.

The usual backend of httpcore gives every record of 16 KiB on its own, and each costs the way up through all layers. A
TCP connection to an address is httpcore's own; TLS is done here, with Python's `ssl`, whose context decides what is
trusted.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any, Final

import httpcore

from lockwarden.core.http.name_lookups import NameLookups, first_connected

_ENCRYPTED: Final = 256 * 1024
"""Bytes that are taken from the network at once."""


class WideReads(httpcore.AsyncNetworkBackend):
    """Opens TCP connections whose TLS reads several records at once."""

    def __init__(self, network: httpcore.AsyncNetworkBackend | None = None) -> None:
        """`network` opens the TCP connections in the place of httpcore's own."""
        self._network = network or httpcore.AnyIOBackend()
        self._names = NameLookups()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A plain connection, on which TLS can be started."""
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._names.addresses(host)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        stream = await first_connected(
            addresses,
            lambda address: self._network.connect_tcp(address, port, timeout, local_address, socket_options),
            lambda late: late.aclose(),
        )
        return _Plain(stream)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """As httpcore does it."""
        return await self._network.connect_unix_socket(path, timeout, socket_options)

    async def sleep(self, seconds: float) -> None:
        """As httpcore does it."""
        await self._network.sleep(seconds)


class _Plain(httpcore.AsyncNetworkStream):
    """A connection as httpcore has it, but for the TLS that may be started on it."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        stream = _Encrypted(self, ssl_context, server_hostname)
        try:
            await stream.shake_hands(timeout)
        except BaseException:  # a cancellation too: nobody else knows the connection yet
            await self.aclose()
            raise
        return stream

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Encrypted(_Plain):
    """TLS over another connection."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, context: ssl.SSLContext, name: str | None) -> None:
        super().__init__(stream)
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._ssl = context.wrap_bio(self._incoming, self._outgoing, server_hostname=name)

    async def shake_hands(self, timeout: float | None) -> None:
        """Agree on keys and check the server's certificate, each step within `timeout` seconds."""
        while True:
            try:
                self._ssl.do_handshake()
            except ssl.SSLWantReadError:
                await self._flush(timeout)
                await self._feed(timeout)
            except ssl.SSLError as error:
                raise httpcore.ConnectError(str(error)) from error
            else:
                await self._flush(timeout)
                return

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._incoming.pending or self._ssl.pending():
            await asyncio.sleep(0)  # what is read now needs no waiting: everybody else gets a turn before
        got: list[bytes] = []
        left = max_bytes
        while left:
            try:
                piece = self._ssl.read(left)
            except ssl.SSLWantReadError:
                if got:
                    break
                await self._flush(timeout)
                await self._feed(timeout)
                continue
            except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
                break  # the end; whether it comes too early, HTTP knows
            except ssl.SSLError as error:
                raise httpcore.ReadError(str(error)) from error
            if not piece:
                break
            got.append(piece)
            left -= len(piece)
        return b"".join(got)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        try:
            self._ssl.write(buffer)
        except ssl.SSLError as error:
            raise httpcore.WriteError(str(error)) from error
        await self._flush(timeout)

    def get_extra_info(self, info: str) -> Any:
        return self._ssl if info == "ssl_object" else super().get_extra_info(info)

    async def _flush(self, timeout: float | None) -> None:
        if self._outgoing.pending:
            await self._stream.write(self._outgoing.read(), timeout)

    async def _feed(self, timeout: float | None) -> None:
        data = await self._stream.read(_ENCRYPTED, timeout)
        if data:
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

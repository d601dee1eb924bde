"""Connections that are opened before they are asked for, while the first answer of their host is on its way.

However far away a host is, each new connection costs two or three ways there and back before it may ask. Nothing is
sent on these but what opens them, and they are no more than there will be requests at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import httpcore

from lockwarden.core.http.wide_reads import WideReads

_Place = tuple[str, int]
_Opening = asyncio.Task[tuple[httpcore.AsyncNetworkStream, float]]
_FRESH: Final = 4.0
"""Seconds for which an unused connection is taken as still open at its other end."""
_PROTOCOLS: Final = ["http/1.1"]


class EarlyConnections(httpcore.AsyncNetworkBackend):
    """Opens connections as `WideReads` does, and some of them early."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._network = WideReads()
        self._context = context
        self._opening: defaultdict[_Place, list[_Opening]] = defaultdict(list)
        self._begun: defaultdict[_Place, int] = defaultdict(int)
        self._plain: set[_Place] = set()

    def foresee(self, host: str, port: int, *, connections: int, timeout: float) -> None:
        """Begin to open what is missing of so many connections to a host, each step within `timeout` seconds."""
        place = (host, port)
        if place in self._plain:
            return
        for _ in range(connections - self._begun[place]):
            self._begun[place] += 1
            self._opening[place].append(asyncio.create_task(self._open(host, port, timeout)))

    async def speak_plainly(self, host: str, port: int) -> None:
        """From now on no TLS is spoken with a host that has not been asked for."""
        self._plain.add((host, port))
        await _let_go(self._opening.pop((host, port), []))

    async def aclose(self) -> None:
        """Close what nobody has asked for."""
        every = [each for opening in self._opening.values() for each in opening]
        self._opening.clear()
        await _let_go(every)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection on which TLS can be started; where one was opened early, it has been.

        An attempt that fails while it is waited for is this one's failure; what failed before says nothing any more.
        """
        waiting = self._opening.get((host, port), [])
        while waiting:
            attempt = waiting.pop(0)
            if attempt.done() and not _is_fresh(attempt):
                await _let_go([attempt])
                continue
            stream, _ = await attempt
            return _Encrypted(stream, self._context, host)
        return await self._network.connect_tcp(host, port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """As httpcore does it."""
        return await self._network.connect_unix_socket(path, timeout, socket_options)

    async def sleep(self, seconds: float) -> None:
        """As httpcore does it."""
        await self._network.sleep(seconds)

    async def _open(self, host: str, port: int, timeout: float) -> tuple[httpcore.AsyncNetworkStream, float]:
        plain = await self._network.connect_tcp(host, port, timeout)
        self._context.set_alpn_protocols(_PROTOCOLS)
        stream = await plain.start_tls(self._context, host, timeout)
        return stream, asyncio.get_running_loop().time()


class _Encrypted(httpcore.AsyncNetworkStream):
    """A connection whose TLS has been started, for whoever would start it next."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, context: ssl.SSLContext, name: str) -> None:
        self._stream = stream
        self._context = context
        self._name = name

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - what is done takes no time
    ) -> httpcore.AsyncNetworkStream:
        if ssl_context is not self._context or server_hostname != self._name:
            raise httpcore.ConnectError(f"the connection was opened for {self._name}")
        return self._stream

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _is_fresh(attempt: _Opening) -> bool:
    if attempt.cancelled() or attempt.exception() is not None:
        return False
    return asyncio.get_running_loop().time() - attempt.result()[1] <= _FRESH


async def _let_go(attempts: Iterable[_Opening]) -> None:
    """End what is being opened, and close what is open."""
    attempts = tuple(attempts)
    for each in attempts:
        each.cancel()
    for opened in await asyncio.gather(*attempts, return_exceptions=True):
        if not isinstance(opened, BaseException):
            with contextlib.suppress(httpcore.NetworkError, OSError):
                await opened[0].aclose()

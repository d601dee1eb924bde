"""Looks up the addresses of hosts, each in a thread of its own that nothing else needs.

A lookup cannot be broken off, and a name server that keeps silent makes it last for half a minute. In the threads that
everything else works in, a few such names would hold up every other host, and the end of the command.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

_T = TypeVar("_T")
_STAGGER: Final = 0.25
"""Seconds until the next address of a host is tried beside those that have not answered (RFC 8305)."""

_Found = tuple[str, ...] | OSError


class NameLookups:
    """The lookups of one client. A name is looked up once for all who wait for it at the same time."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Future[_Found]] = {}

    async def addresses(self, host: str) -> tuple[str, ...]:
        """The addresses of a host, in the order in which they should be tried. Raises OSError where it has none."""
        found = self._under_way.get(host)
        if found is None:
            found = self._under_way[host] = asyncio.get_running_loop().create_future()
            threading.Thread(target=self._look_up, args=(host, found), name="name lookup", daemon=True).start()
        outcome = await asyncio.shield(found)
        if isinstance(outcome, OSError):
            raise outcome
        return outcome

    def _look_up(self, host: str, found: asyncio.Future[_Found]) -> None:
        outcome: _Found
        try:
            infos = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
            outcome = tuple(dict.fromkeys(str(address[0]) for *_, address in infos))
        except OSError as error:
            outcome = error
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            found.get_loop().call_soon_threadsafe(self._settle, host, found, outcome)

    def _settle(self, host: str, found: asyncio.Future[_Found], outcome: _Found) -> None:
        del self._under_way[host]
        found.set_result(outcome)


async def first_connected(
    addresses: Sequence[str], connect: Callable[[str], Awaitable[_T]], close: Callable[[_T], Awaitable[None]]
) -> _T:
    """The first connection to any of some addresses, each tried a little after the one before, or once that failed.

    Raises what the last one to fail raised. Connections that are too many are closed.
    """
    waiting = list(addresses)
    trying: set[asyncio.Future[_T]] = set()
    failure: BaseException = OSError("the host has no address")
    try:
        while waiting or trying:
            if waiting:
                trying.add(asyncio.ensure_future(connect(waiting.pop(0))))
            done, _ = await asyncio.wait(
                trying, timeout=_STAGGER if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for each in done:
                trying.discard(each)
                if (error := each.exception()) is None:
                    return each.result()
                failure = error
        raise failure
    finally:
        for each in trying:
            each.cancel()
        for left in await asyncio.gather(*trying, return_exceptions=True):
            if not isinstance(left, BaseException):
                await close(left)

"""A wide-area link in front of the registry: a relay that is as slow as the way to a server far away.

Every byte takes half a round trip, each connection pays a round trip before it may send (TCP's handshake; TLS's pass
through the relay and pay for themselves), and what servers send shares one rate, in turn for every connection that has
something to send. Started as `python -m benchmarks.wide_area_link PORT`, it prints its own port and relays to that one;
it ends when its input does.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from typing import Final

ROUND_TRIP: Final = 0.040
"""Seconds."""
BYTES_A_SECOND: Final = 200_000_000 // 8
_PIECE: Final = 32 * 1024
_EARLY: Final = 0.002
"""Seconds that a piece may go out too early, since sleeping is not as exact as that; the next one waits longer."""

_Delayed = asyncio.Queue[tuple[float, bytes]]


class Line:
    """The shared way down: one piece at a time, whoever came first."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._free_at = 0.0

    async def carry(self, size: int) -> float:
        """Send so many bytes; when the last one has left."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            self._free_at = max(self._free_at, loop.time()) + size / BYTES_A_SECOND
            if (wait := self._free_at - loop.time()) > _EARLY:
                await asyncio.sleep(wait)
            return self._free_at


async def _take(source: asyncio.StreamReader, under_way: _Delayed, line: Line | None) -> None:
    """Read what an end sends and say when it arrives at the other; `line` is what it has to share, if anything."""
    loop = asyncio.get_running_loop()
    piece = b"begun"
    while piece:
        try:
            piece = await source.read(_PIECE)
        except OSError:
            piece = b""
        left = loop.time() if line is None or not piece else await line.carry(len(piece))
        await under_way.put((left + ROUND_TRIP / 2, piece))


async def _give(under_way: _Delayed, target: asyncio.StreamWriter) -> None:
    """Write every piece when it is due; an empty one is the end."""
    loop = asyncio.get_running_loop()
    while True:
        due, piece = await under_way.get()
        await asyncio.sleep(due - loop.time())
        if not piece:
            target.close()
            return
        with contextlib.suppress(OSError):
            target.write(piece)
            await target.drain()


async def _relay(near: asyncio.StreamReader, to_near: asyncio.StreamWriter, port: int, line: Line) -> None:
    to_near.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    await asyncio.sleep(ROUND_TRIP)
    far, to_far = await asyncio.open_connection("127.0.0.1", port, limit=_PIECE)
    up: _Delayed = asyncio.Queue()
    down: _Delayed = asyncio.Queue(int(BYTES_A_SECOND * ROUND_TRIP / _PIECE))
    async with asyncio.TaskGroup() as group:
        group.create_task(_take(near, up, None))
        group.create_task(_give(up, to_far))
        group.create_task(_take(far, down, line))
        group.create_task(_give(down, to_near))


async def main(port: int) -> None:
    """Relay to `port` until the standard input ends."""
    line = Line()
    server = await asyncio.start_server(lambda near, to_near: _relay(near, to_near, port, line), "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # whatever is still under way


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))

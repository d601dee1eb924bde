"""The pipelines of a worker process: one for each run's settings, kept open between the batches that it is handed.

A batch is data and so is what it gives: nothing else of it stays, so that it may be done twice, or by another worker.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Final

import msgspec

from lockwarden.core.engine.registries.pipeline import Pipeline, opened_pipeline
from lockwarden.core.engine.registries.settings import WorkPlace, WorkSettings
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.plan import Package

_PACKAGES: Final = msgspec.json.Decoder(tuple[Package, ...])
_LINES: Final = msgspec.json.Decoder(tuple[JournalLine, ...])
_SETTINGS: Final = msgspec.json.Decoder(WorkSettings)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""
_ONE_AT_A_TIME: Final = threading.Lock()


def batch_as_bytes(packages: Sequence[Package]) -> bytes:
    """A batch as it goes to a worker."""
    return msgspec.json.encode(packages)


def lines_of(answer: bytes) -> tuple[JournalLine, ...]:
    """What a worker gave back. Raises msgspec.MsgspecError."""
    return _LINES.decode(answer)


class _Held:
    """A pipeline with an event loop of its own, in a thread that ends with the process."""

    def __init__(self, settings: WorkSettings, place: WorkPlace, paused: Callable[[str, float], None]) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="lockwarden-pipeline", daemon=True).start()
        self._stack = AsyncExitStack()
        opening = self._stack.enter_async_context(opened_pipeline(settings, place, paused=paused))
        self._pipeline: Pipeline = asyncio.run_coroutine_threadsafe(opening, self._loop).result()

    def run(self, packages: Sequence[Package]) -> list[JournalLine]:
        lines: list[JournalLine] = []
        asyncio.run_coroutine_threadsafe(self._pipeline.run(packages, lines.append), self._loop).result()
        return lines

    def hold(self, host: str, seconds: float) -> None:
        self._loop.call_soon_threadsafe(self._pipeline.slots.hold, host, seconds)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._stack.aclose(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)


_HELD: Final[dict[bytes, _Held]] = {}


def run_batch(settings: bytes, batch: bytes, place: WorkPlace, paused: Callable[[str, float], None]) -> bytes:
    """Look at the packages of a batch; what becomes of each, as bytes. Blocks.

    All batches of a process share connections and the limits on hosts. `paused` hears of hosts that want to be left
    alone; it is called in another thread.
    """
    with _ONE_AT_A_TIME:
        held = _HELD.get(settings)
        if held is None:
            held = _HELD[settings] = _Held(_SETTINGS.decode(settings), place, paused)
    return msgspec.json.encode(held.run(_PACKAGES.decode(batch)))


def hold_everywhere(host: str, seconds: float) -> None:
    """Ask a host nothing for so many seconds from now, in all pipelines of this process."""
    for held in tuple(_HELD.values()):
        held.hold(host, seconds)


def close_pipeline(settings: bytes) -> None:
    """Close the pipeline of a run that is over, if this process had one. Blocks."""
    with _ONE_AT_A_TIME:
        held = _HELD.pop(settings, None)
    if held is not None:
        held.close()

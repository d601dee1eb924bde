"""The pipelines of a worker process: one for each run's settings, kept open between the batches that it is handed.

A batch is data and so is what it gives: nothing else of it stays, so that it may be done twice, or by another worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from lockwarden.core.engine.registries.held import HeldOpen
from lockwarden.core.engine.registries.pipeline import Pipeline, opened_pipeline
from lockwarden.core.engine.registries.settings import WorkRuntime, WorkSettings
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.plan import PlannedPackage

_PACKAGES: Final = msgspec.json.Decoder(tuple[PlannedPackage, ...])
_LINES: Final = msgspec.json.Decoder(tuple[JournalLine, ...])
_SETTINGS: Final = msgspec.json.Decoder(WorkSettings)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""
OPEN: Final[HeldOpen[Pipeline]] = HeldOpen()
"""In this process."""


def batch_as_bytes(packages: Sequence[PlannedPackage]) -> bytes:
    """A batch as it goes to a worker."""
    return msgspec.json.encode(packages)


def lines_of(answer: bytes) -> tuple[JournalLine, ...]:
    """What a worker gave back. Raises msgspec.MsgspecError."""
    return _LINES.decode(answer)


def run_batch(settings: bytes, batch: bytes, place: WorkRuntime, paused: Callable[[str, float], None]) -> bytes:
    """Look at the packages of a batch; what becomes of each, as bytes. Blocks.

    All batches of a process share connections and the limits on hosts. `paused` hears of hosts that want to be left
    alone; it is called in another thread.
    """
    packages = _PACKAGES.decode(batch)

    async def work(pipeline: Pipeline) -> list[JournalLine]:
        lines: list[JournalLine] = []
        await pipeline.run(packages, lines.append)
        return lines

    lines = OPEN.run(settings, lambda: opened_pipeline(_SETTINGS.decode(settings), place, paused=paused), work)
    return msgspec.json.encode(lines)


def hold_everywhere(host: str, seconds: float) -> None:
    """Ask a host nothing for so many seconds from now, in all pipelines of this process."""
    OPEN.everywhere(lambda pipeline: pipeline.slots.hold(host, seconds))


def close_pipeline(settings: bytes) -> None:
    """Close the pipeline of a run that is over, if this process had one. Blocks."""
    OPEN.close(settings)

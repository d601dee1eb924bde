"""The same run on many processes or machines, by Dask's `distributed`: batches go out, and lines come back.

Workers return evidence and do nothing else; this process alone writes the journal. The limits on hosts are dealt out in
equal shares to as many workers as there are seats, and a seat is taken again only when its worker is gone, so that all
together never ask more than one process would.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct

from lockwarden.core.engine.registries.held_pipelines import batch_as_bytes, lines_of
from lockwarden.core.engine.registries.pipeline import MayBegin, OnLine
from lockwarden.core.engine.registries.seats import LOOK, Seats, deadly, killed_workers, not_done
from lockwarden.core.engine.registries.settings import WorkSettings
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.plan import PlannedPackage
from lockwarden.core.values.errors import ToolError

PAUSES: Final = "lockwarden-host-pauses"
"""The topic by which a worker tells that a host wants to be left alone."""
_BATCH: Final = 32
"""Packages of one batch: few enough that a lost worker costs little, many enough that handing out costs little."""
_BATCH_BYTES: Final = 1_000_000_000
"""Bytes of packages, as estimated, from which on a batch gets no other one."""
AHEAD: Final = 2
"""Batches that a seat has at the same time, so that it never waits for the next one."""
TRIES: Final = 3
"""How often a package is handed out again that workers died of."""


class ClusterTasks(Struct, frozen=True):
    """The functions that workers run; they have to be importable there under the same name."""

    work: Callable[[bytes, bytes], bytes]
    package: Callable[[bytes, bytes], bytes]
    hold: Callable[[str, float], None]
    versions: Callable[[], tuple[str, str]]
    end: Callable[[bytes], None]


class _Batch(Struct):
    packages: tuple[PlannedPackage, ...]
    seats: tuple[str, ...] = ()
    """Addresses of the workers that may do it."""
    tries: int = 0
    future: Any = None
    result: Any = None

    @property
    def key(self) -> str:
        """The same for the same packages, but for how often it was tried."""
        keys = "\n".join(each.key for each in self.packages)
        return f"lockwarden-{hashlib.sha256(keys.encode()).hexdigest()[:32]}-{self.tries}"


class ClusterEngine:
    """A run's way to a cluster."""

    def __init__(self, client: Any, settings: WorkSettings, tasks: ClusterTasks, seats: Seats) -> None:
        self._client = client
        self._tasks = tasks
        self._seats = seats
        self.shared = msgspec.json.encode(settings.share(seats.count))
        self._waiting: deque[_Batch] = deque()
        self._running: list[_Batch] = []

    async def run(
        self, packages: Iterable[PlannedPackage], on_line: OnLine, may_begin: MayBegin = lambda _: True
    ) -> None:
        """Look at packages; each that is begun gives one line, whichever workers come and go.

        Raises ToolError when the scheduler or all workers are gone, or when a worker gives something that it was not
        asked for.
        """
        fresh = self._batches(list(packages), may_begin)
        try:
            while True:
                while len(self._running) < AHEAD * self._seats.count:
                    batch = self._waiting.popleft() if self._waiting else next(fresh, None)
                    if batch is None:
                        break
                    self._submit(batch)
                if not self._running:
                    return
                results = [each.result for each in self._running]
                done, _ = await asyncio.wait(results, timeout=LOOK, return_when=asyncio.FIRST_COMPLETED)
                for batch in [each for each in self._running if each.result in done]:
                    self._running.remove(batch)
                    self._ended(batch, on_line)
                await self._look_at_workers()
        finally:
            for batch in self._running:
                batch.result.cancel()
            await asyncio.gather(*(each.result for each in self._running), return_exceptions=True)
            with suppress(Exception):  # the run is over; a scheduler that is gone has nothing left to cancel
                await self._client.cancel([each.future for each in self._running])

    def _batches(self, packages: list[PlannedPackage], may_begin: MayBegin) -> Iterator[_Batch]:
        """In the order of the plan; smaller towards the end, so that all workers end together."""
        at = 0
        while at < len(packages):
            most = min(_BATCH, max(1, (len(packages) - at) // (4 * self._seats.count)))
            chosen: list[PlannedPackage] = []
            size = 0
            while at < len(packages) and len(chosen) < most:
                if chosen and size + packages[at].estimate > _BATCH_BYTES:
                    break
                if not may_begin(packages[at]):
                    at = len(packages)
                    break
                chosen.append(packages[at])
                size += packages[at].estimate
                at += 1
            if chosen:
                yield _Batch(packages=tuple(chosen))

    def _submit(self, batch: _Batch) -> None:
        batch.seats = self._seats.taken
        batch.future = self._client.submit(
            self._tasks.work,
            self.shared,
            batch_as_bytes(batch.packages),
            key=batch.key,
            workers=list(batch.seats),
            allow_other_workers=False,
            pure=False,
        )
        batch.result = asyncio.ensure_future(batch.future.result())
        self._running.append(batch)

    def _ended(self, batch: _Batch, on_line: OnLine) -> None:
        try:
            answer = batch.result.result()
        except (asyncio.CancelledError, Exception) as error:  # a lost task is a cancelled one; nothing is awaited here
            self._failed(batch, error)
            return
        for line in _checked(batch, answer):
            on_line(line)
        batch.future.release()

    def _failed(self, batch: _Batch, error: BaseException) -> None:
        """Do it again in parts where workers have died of it; anything else is nobody's package's fault."""
        if not killed_workers(error):
            raise not_done(error) from error
        if len(batch.packages) > 1:
            self._waiting.extend(_Batch(packages=(each,), tries=batch.tries + 1) for each in batch.packages)
        elif batch.tries < TRIES:
            self._waiting.append(_Batch(packages=batch.packages, tries=batch.tries + 1))
        else:
            raise deadly(batch.packages[0].url) from error

    async def _look_at_workers(self) -> None:
        """Give to others what only workers could do that are gone."""
        alive = await self._seats.alive()
        if not self._seats.taken:
            return
        for batch in [each for each in self._running if not alive & set(each.seats)]:
            self._running.remove(batch)
            batch.result.cancel()
            # Gathered, not awaited: how it ends does not matter, and a cancellation of this run must not be lost.
            await asyncio.gather(batch.result, return_exceptions=True)
            await self._client.cancel([batch.future])
            self._submit(_Batch(packages=batch.packages, tries=batch.tries + 1))


def _checked(batch: _Batch, answer: bytes) -> tuple[JournalLine, ...]:
    """The lines of a batch. Raises ToolError where they are not just those that were asked for."""
    try:
        lines = lines_of(answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, TypeError) as error:
        raise ToolError(f"a worker gave something that is no line of a journal: {error}") from error
    asked = {each.key: each for each in batch.packages}
    for line in lines:
        package = asked.pop(line.key, None)
        flaw = "nobody asked for it" if package is None or package.shasum != line.zh_expected else line.flaw
        if flaw:
            raise ToolError(
                f"the worker {line.worker} gave a line for {line.url} that cannot be believed: {flaw}",
                hint="look at that machine; nothing of the batch was taken",
            )
    if asked:
        raise ToolError(f"a worker gave {len(lines)} lines for {len(batch.packages)} packages")
    return lines

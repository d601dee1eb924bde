"""The bounded pipeline that fetches and hashes packages in this process, for a whole run or for one batch of it.

What is begun next is the first package, in the order of the plan, whose host has room and wants to be asked: one host's
pause holds up nobody else. Memory does not grow with packages: each is a file until it is hashed.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from lockwarden.core.engine.registries.settings import WorkRuntime, WorkSettings
from lockwarden.core.engine.registries.work import looked_at
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.politeness import PoliteSlots
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.plan import PlannedPackage
from lockwarden.core.store.packages import PackageStore

OnLine = Callable[[JournalLine], None]
MayBegin = Callable[[PlannedPackage], bool]
"""Whether one more package may be begun; once it says no, nothing is begun any more."""


class Pipeline:
    """An open pipeline."""

    def __init__(
        self, http: HttpClient, store: PackageStore, slots: PoliteSlots, settings: WorkSettings, place: WorkRuntime
    ) -> None:
        self._http = http
        self._store = store
        self.slots = slots
        self._settings = settings
        self._place = place

    async def run(
        self, packages: Iterable[PlannedPackage], on_line: OnLine, may_begin: MayBegin = lambda _: True
    ) -> None:
        """Look at packages. `on_line` is called with the line of each as soon as it is there, in no certain order.

        `may_begin` is asked before each; once it says no, no other is begun. A cancellation ends when all temporary
        files are gone. It raises nothing for what a server does: that is in the line.
        """
        waiting = _Waiting(packages, self.slots, self._settings.hosts.running)
        running: dict[asyncio.Task[JournalLine], str] = {}
        try:
            while True:
                while len(running) < self._settings.jobs and (package := waiting.next(alone=not running)) is not None:
                    if not may_begin(package):
                        waiting.stop()
                        break
                    task = asyncio.ensure_future(self._look(package))
                    running[task] = package.host
                    waiting.began(package.host)
                if not running:
                    return
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    waiting.ended(running.pop(task))
                    on_line(task.result())
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _look(self, package: PlannedPackage) -> JournalLine:
        return await looked_at(
            self._http,
            self._store,
            package,
            now=self._place.now,
            run_id=self._settings.run_id,
            worker=self._place.worker,
        )


class _Waiting:
    """What was not begun yet, by host."""

    def __init__(self, packages: Iterable[PlannedPackage], slots: PoliteSlots, running: int) -> None:
        self._queues: dict[str, deque[tuple[int, PlannedPackage]]] = {}
        for place, package in enumerate(packages):
            self._queues.setdefault(package.host, deque()).append((place, package))
        self._slots = slots
        self._most = running
        self._running: Counter[str] = Counter()

    def next(self, *, alone: bool) -> PlannedPackage | None:
        """The next package whose host has room; where nothing runs, also one whose host has to be waited for."""
        ready = [host for host, queue in self._queues.items() if queue and self._running[host] < self._most]
        awake = [host for host in ready if self._slots.is_open(host)] or (ready if alone else [])
        if not awake:
            return None
        return min(self._queues[host][0] for host in awake)[1]

    def began(self, host: str) -> None:
        self._queues[host].popleft()
        self._running[host] += 1

    def ended(self, host: str) -> None:
        self._running[host] -= 1

    def stop(self) -> None:
        self._queues.clear()


@asynccontextmanager
async def opened_pipeline(
    settings: WorkSettings, place: WorkRuntime, *, paused: Callable[[str, float], None] = lambda _host, _seconds: None
) -> AsyncIterator[Pipeline]:
    """A pipeline until the block ends; no connection and no file is left behind.

    `paused` is told of each host, in comparison form, that wants to be left alone, and for how many seconds.
    """
    slots = PoliteSlots(limits=settings.hosts, now=place.now, allowed=settings.allowed_hosts, paused=paused)
    client = HttpClient(place.http(settings), now=place.now, transport=place.transport, package_slots=slots)
    async with client as http, PackageStore(place.scratch, now=place.now, limits=settings.store_limits) as store:
        yield Pipeline(http, store, slots, settings, place)

"""A real Dask scheduler with workers, in threads of this process: what tests need no processes for."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lockwarden.core.engine.registries import audited_packages, held_pipelines

_QUIET = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": "2s",
}


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """A running one."""

    address: str
    loop: asyncio.AbstractEventLoop
    scheduler: Any

    def end(self) -> None:
        """Have the scheduler go away, as a machine that is switched off does."""
        asyncio.run_coroutine_threadsafe(self.scheduler.close(reason="a test ends it"), self.loop).result()


@contextlib.contextmanager
def running_cluster(folder: Path, *, workers: int = 2) -> Iterator[Cluster]:
    """A scheduler on loopback that anybody may use, with workers of two threads each."""
    # Here because every worker that runs tests reads this module, and few need what takes half a second to import.
    import dask
    import distributed as installed

    distributed: Any = installed  # it has hardly any types
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="tests-cluster", daemon=True)
    thread.start()
    stack = contextlib.AsyncExitStack()

    async def begin() -> Any:
        scheduler = await stack.enter_async_context(
            distributed.Scheduler(host="127.0.0.1", dashboard_address="127.0.0.1:0")
        )
        for number in range(workers):
            worker = distributed.Worker(
                scheduler.address,
                nthreads=2,
                name=f"worker-{number}",
                local_directory=str(folder),
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                host="127.0.0.1",
            )
            await stack.enter_async_context(worker)
        return scheduler

    with dask.config.set(_QUIET):
        scheduler = asyncio.run_coroutine_threadsafe(begin(), loop).result()
        try:
            yield Cluster(address=scheduler.address, loop=loop, scheduler=scheduler)
        finally:
            asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
            # What runs left open whose scheduler died; a worker's process takes it with it.
            for held in (audited_packages.OPEN, held_pipelines.OPEN):
                held.close_idle(0)

"""Opens the way to a cluster: local workers, or those of a scheduler, of the same versions as this process."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from lockwarden.core import __version__
from lockwarden.core.engine.registries.cluster import AHEAD, PAUSES, ClusterEngine, ClusterTasks
from lockwarden.core.engine.registries.cluster_packages import ClusterPackages
from lockwarden.core.engine.registries.seats import Seats, alive_workers
from lockwarden.core.engine.registries.settings import WorkSettings
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.values.errors import ToolError

_PATIENCE: Final = 30.0
"""Seconds until the first worker has to be there."""
_PARTING: Final = 1.0
"""Seconds that workers get to let go of what they kept open."""


class ClusterPlace(Struct, frozen=True, kw_only=True):
    """Which cluster: so many workers of this machine, or that of a scheduler."""

    workers: int | None = None
    address: str = ""
    scratch: Path | None = None
    """Where the workers of this machine keep packages until they are hashed; None for a temporary folder."""


@asynccontextmanager
async def opened_cluster(
    settings: WorkSettings, tasks: ClusterTasks, cluster: ClusterPlace
) -> AsyncIterator[ClusterEngine]:
    """An engine for a backfill, until the block ends; then the workers of this machine are gone.

    Raises ToolError when `distributed` is missing, and when no scheduler or no worker is there, or one of another
    version.
    """
    async with _opened(tasks, cluster, most=settings.hosts.running, threads=AHEAD) as (client, seats):
        client.subscribe_topic(PAUSES, _pauses_to_all(client, tasks))
        engine = ClusterEngine(client, settings, tasks, seats)
        try:
            yield engine
        finally:
            await _parted(client, tasks, engine.shared)


@asynccontextmanager
async def opened_packages(
    settings: HttpSettings, tasks: ClusterTasks, cluster: ClusterPlace, *, jobs: int
) -> AsyncIterator[ClusterPackages]:
    """Workers for the packages of an audit, until the block ends; it asks for so many `jobs` at a time.

    Raises ToolError as `opened_cluster` does.
    """
    threads = -(-jobs // (cluster.workers or 1))
    async with _opened(tasks, cluster, most=settings.packages_per_host, threads=threads) as (client, seats):
        packages = ClusterPackages(client, settings, tasks, seats, here=cluster.workers is not None)
        try:
            yield packages
        finally:
            await _parted(client, tasks, packages.shared)


async def _parted(client: Any, tasks: ClusterTasks, settings: bytes) -> None:
    with suppress(Exception):  # a worker that does not hear of it lets go by itself, after a while (`held`)
        await asyncio.wait_for(client.run(tasks.end, settings, on_error="ignore"), _PARTING)


@asynccontextmanager
async def _opened(
    tasks: ClusterTasks, cluster: ClusterPlace, *, most: int, threads: int
) -> AsyncIterator[tuple[Any, Seats]]:
    """A client of Dask and its seats, of which there are at most so many; a local worker has so many threads.

    Raises ToolError when `distributed` is missing, when no scheduler or no worker is there, or of another version.
    """
    try:
        import dask
        import distributed as installed
    except ImportError as error:
        raise ToolError(
            "a run on several workers needs Dask's “distributed”, which is not installed",
            hint="install lockwarden with its extra “cluster”: pip install './lockwarden[cluster]' for a checkout",
        ) from error
    distributed: Any = installed  # it has hardly any types
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    async with AsyncExitStack() as stack:
        place: Any = cluster.address
        if cluster.workers is not None:
            # Nobody else on this machine may hand work to it, and no module comes from the current folder.
            scratch = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="lockwarden-", dir=cluster.scratch, ignore_cleanup_errors=True)
            )
            of_workers = {
                "distributed.nanny.pre-spawn-environ.PYTHONSAFEPATH": "1",
                "distributed.logging.distributed": "critical",
                # Nothing is served to whoever asks, and nothing watches how the work is done.
                "distributed.scheduler.http.routes": [],
                "distributed.worker.http.routes": [],
                "distributed.worker.profile.enabled": False,
                "distributed.worker.memory.monitor-interval": "5s",
                "distributed.admin.system-monitor.interval": "10s",
                "distributed.admin.tick.interval": "1s",
                "temporary-directory": scratch,
            }
            stack.enter_context(dask.config.set(of_workers))
            local = _local_cluster(distributed, cluster.workers, scratch, threads=threads)
            place = await stack.enter_async_context(local)
        client = await stack.enter_async_context(_connected(distributed, place))
        await _same_versions(client, tasks, distributed.__version__)
        yield client, Seats(client, sorted(await alive_workers(client))[:most])


@asynccontextmanager
async def _local_cluster(distributed: Any, workers: int, scratch: str, *, threads: int) -> AsyncIterator[Any]:
    cluster = None
    try:
        cluster = await distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=threads,
            processes=True,
            host="127.0.0.1",
            security=True,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            asynchronous=True,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            local_directory=scratch,
        )
    except Exception as error:  # distributed raises what its processes and transports do
        raise ToolError(
            f"the {workers} workers on this machine cannot be started: {str(error) or type(error).__name__}",
            hint="try with fewer, or without --workers",
        ) from error
    try:
        yield cluster
    finally:
        with suppress(Exception):  # all lines are in the journal by now, however its processes end
            await cluster.close()


@asynccontextmanager
async def _connected(distributed: Any, place: Any) -> AsyncIterator[Any]:
    try:
        client = await distributed.Client(place, asynchronous=True, set_as_default=False, timeout="5s")
    except Exception as error:  # distributed hands on whatever its transports raise
        raise ToolError(
            f"no scheduler can be spoken to at {place}: {str(error) or type(error).__name__}",
            hint="name the address that “dask scheduler” tells, such as tcp://10.0.0.5:8786; it has to have the same"
            f" version of distributed, {distributed.__version__}",
        ) from error
    try:
        yield client
    finally:
        with suppress(Exception):  # all results are here by now, whatever becomes of the connection
            await client.close()


async def _same_versions(client: Any, tasks: ClusterTasks, own: str) -> None:
    deadline = asyncio.get_running_loop().time() + _PATIENCE
    while not await alive_workers(client):
        if asyncio.get_running_loop().time() > deadline:
            raise ToolError("the scheduler has no workers", hint="start some with “dask worker ADDRESS”")
        await asyncio.sleep(0.1)
    found: Any = await client.get_versions()
    for name, each in {"the scheduler": found["scheduler"], **found["workers"]}.items():
        version = each["packages"]["distributed"] if each else own
        if version != own:
            raise ToolError(
                f"{name} has distributed {version}, and this machine {own}",
                hint="install the same version everywhere; different ones may misunderstand each other",
            )
    try:
        installed: Any = await client.run(tasks.versions)
    except Exception as error:  # whatever a worker raises is raised here, its own classes too
        raise ToolError(
            f"the workers cannot run lockwarden: {type(error).__name__}: {error}",
            hint=f"install lockwarden {__version__} on every worker",
        ) from error
    for name, (version, _) in installed.items():
        if version != __version__:
            raise ToolError(
                f"the worker {name} has lockwarden {version}, and this machine {__version__}",
                hint="install the same version everywhere, so that all say the same of the same bytes",
            )


def _pauses_to_all(client: Any, tasks: ClusterTasks) -> Callable[[tuple[float, Any]], Any]:
    async def told(event: tuple[float, Any]) -> None:
        _, message = event
        with suppress(Exception):  # a worker that does not hear of it is told by the host itself
            await client.run(tasks.hold, str(message["host"]), float(message["seconds"]), on_error="ignore")

    return told

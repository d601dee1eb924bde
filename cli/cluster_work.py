"""What a Dask worker is asked to run: small functions of small arguments, in the worker's own surroundings."""

from __future__ import annotations

import platform
from pathlib import Path

from lockwarden.cli.process_tuning import do_without_absent_modules
from lockwarden.cli.surroundings import clock, environment, proxies
from lockwarden.core import __version__
from lockwarden.core.engine.registries.cluster import PAUSES
from lockwarden.core.engine.registries.held_pipelines import close_pipeline, hold_everywhere, run_batch
from lockwarden.core.engine.registries.settings import WorkPlace


def work_on(settings: bytes, batch: bytes) -> bytes:
    """Look at a batch of packages; the lines for the journal. It writes nothing and keeps nothing."""
    from distributed import get_worker

    worker = get_worker()
    do_without_absent_modules()
    place = WorkPlace(
        environ=environment(),
        now=lambda: clock().timestamp(),
        worker=str(worker.address),
        scratch=Path(worker.local_directory, "lockwarden"),
        proxies=proxies,
    )

    def paused(host: str, seconds: float) -> None:
        worker.log_event(PAUSES, {"host": host, "seconds": seconds})

    return run_batch(settings, batch, place, paused)


def hold_host(host: str, seconds: float) -> None:
    """Leave a host alone for a while: another worker was asked to."""
    hold_everywhere(host, seconds)


def end_run(settings: bytes) -> None:
    """Let go of what is kept open for a run."""
    close_pipeline(settings)


def versions() -> tuple[str, str]:
    """Which lockwarden and which Python a worker has."""
    return __version__, platform.python_version()

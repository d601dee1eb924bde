"""What a Dask worker is asked to run: small functions of small arguments, in the worker's own surroundings."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any, Final

from lockwarden.cli.process_tuning import do_without_absent_modules
from lockwarden.cli.surroundings import clock, environment, proxies
from lockwarden.core import __version__
from lockwarden.core.engine.registries.audited_packages import close_audit, look_at
from lockwarden.core.engine.registries.cluster import PAUSES, ClusterTasks
from lockwarden.core.engine.registries.held_pipelines import close_pipeline, hold_everywhere, run_batch
from lockwarden.core.engine.registries.settings import WorkRuntime


def work_on(settings: bytes, batch: bytes) -> bytes:
    """Look at a batch of packages; the lines for the journal. It writes nothing and keeps nothing."""
    from distributed import get_worker

    worker = get_worker()

    def paused(host: str, seconds: float) -> None:
        worker.log_event(PAUSES, {"host": host, "seconds": seconds})

    return run_batch(settings, batch, _place(worker), paused)


def look_at_package(settings: bytes, asked: bytes) -> bytes:
    """Look at one package of an audit; what it is, or why that is not known. It keeps nothing."""
    from distributed import get_worker

    return look_at(settings, asked, _place(get_worker()))


def _place(worker: Any) -> WorkRuntime:
    do_without_absent_modules()
    return WorkRuntime(
        environ=environment(),
        now=lambda: clock().timestamp(),
        worker=str(worker.address),
        scratch=Path(worker.local_directory, "lockwarden"),
        proxies=proxies,
    )


def hold_host(host: str, seconds: float) -> None:
    """Leave a host alone for a while: another worker was asked to."""
    hold_everywhere(host, seconds)


def end_run(settings: bytes) -> None:
    """Let go of what is kept open for a run."""
    close_pipeline(settings)
    close_audit(settings)


def versions() -> tuple[str, str]:
    """Which lockwarden and which Python a worker has."""
    return __version__, platform.python_version()


TASKS: Final = ClusterTasks(work=work_on, package=look_at_package, hold=hold_host, versions=versions, end=end_run)

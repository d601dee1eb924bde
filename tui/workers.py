"""Workers of the app's parts: what they start, and waiting for the end of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from textual.app import App
from textual.worker import Worker, WorkerCancelled, WorkerFailed


def run_in_worker(
    host: App[int], work: Callable[[], Coroutine[Any, Any, None]], *, group: str, exclusive: bool = True
) -> Worker[None]:
    """Start a worker that the app hears of when it fails; an `exclusive` one ends the others of its group."""
    return host.run_worker(work, group=group, exclusive=exclusive, exit_on_error=False)


async def end_of(worker: Worker[None] | None) -> None:
    """Wait until a worker has ended, however it ends."""
    if worker is not None and not worker.is_finished:
        with contextlib.suppress(WorkerCancelled, WorkerFailed):
            await worker.wait()

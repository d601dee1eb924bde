"""Progress of a backfill on stderr: one line that stays up to date on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from lockwarden.cli.output import complain
from lockwarden.core.engine.registries.running import BackfillProgress
from lockwarden.core.values.amounts import in_bytes

_EVERY: Final = 30.0
"""Seconds between two lines in a log."""


def duration_in_words(seconds: float) -> str:
    """A time for people."""
    if seconds < 90:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def progress_line(progress: BackfillProgress) -> str:
    """How far it is, how fast, and how long it may still take."""
    left = progress.seconds_left
    rest = "" if left is None else f", about {duration_in_words(left)} left"
    speed = f"{progress.rate:.1f} a second, {in_bytes(int(progress.received / progress.seconds))}/s"
    return f"{progress.ended:,} of {len(progress.plan.packages):,} packages, {speed}{rest}"


@contextmanager
def backfill_progress() -> Iterator[Callable[[BackfillProgress], None]]:
    """Where to report a run to. A line on a terminal is gone when the block ends, also when it ends early."""
    if sys.stderr is not None and sys.stderr.isatty():
        with _on_terminal() as report:
            yield report
        return
    told = time.monotonic()

    def tell(progress: BackfillProgress) -> None:
        nonlocal told
        if time.monotonic() - told >= _EVERY:
            told = time.monotonic()
            complain(progress_line(progress), prefix="lockwarden: ")

    yield tell


@contextmanager
def _on_terminal() -> Iterator[Callable[[BackfillProgress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), BarColumn(bar_width=20), TextColumn("{task.description}", markup=False))
    with Bar(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        task = bar.add_task("planning", total=None)

        def report(progress: BackfillProgress) -> None:
            total = len(progress.plan.packages)
            bar.update(task, total=total, completed=progress.ended, description=progress_line(progress))

        yield report

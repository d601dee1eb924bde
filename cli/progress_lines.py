"""Progress of an audit as one line on stderr, while a person looks at it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditFinished,
    AuditPlanned,
    EarlierAudited,
    LookupStarted,
    PackageChecked,
    PackageProgress,
    ProviderAudited,
    Report,
    RetryScheduled,
    ignore,
)
from lockwarden.core.values.printable import printed

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@contextmanager
def progress() -> Iterator[Report]:
    """Where to report an audit to: a line that stays up to date on a terminal, and nobody when stderr is none.

    The line is gone when the block ends, also when it ends early.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield ignore
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        yield _Line(bar).report


class _Line:
    """The state of the line: how many providers are done, and what happened last."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._planned = 0
        self._task: TaskID = bar.add_task("reading", total=None)

    def report(self, event: AuditEvent) -> None:
        """Show one event."""
        match event:
            case AuditPlanned():
                self._planned += len(event.releases)
                self._bar.update(self._task, total=self._planned, description="providers")
            case ProviderAudited():
                self._bar.advance(self._task)
            case LookupStarted():
                self._say(f"{event.address.short} {event.version}: asking {event.source}")
            case PackageProgress():
                total = f" of {_megabytes(event.total)}" if event.total is not None else ""
                self._say(
                    f"{event.address.short} {event.version} {event.platform}: {_megabytes(event.received)}{total}"
                )
            case PackageChecked():
                self._say(f"{event.address.short} {event.version} {event.platform}: {event.outcome}")
            case RetryScheduled():
                self._say(f"{event.reason}; asking again in {event.delay:.0f} s: {event.url}")
            case EarlierAudited() | AuditFinished():
                pass
            case _:
                assert_never(event)

    def _say(self, text: str) -> None:
        self._bar.update(self._task, description=printed(text))


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"

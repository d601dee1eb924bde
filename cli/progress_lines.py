"""What an audit tells while it runs, on stderr: a line that stays up to date on a terminal, a few lines in a log."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, assert_never

from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditFinished,
    AuditPlanned,
    BytesArrived,
    EarlierAudited,
    LookupStarted,
    PackageChecked,
    PackageProgress,
    ProviderAudited,
    Report,
    RequestEnded,
    RequestSent,
    RetryScheduled,
)
from lockwarden.core.evidence.pulse import Pulse, Watch, is_due, pulse_in_words
from lockwarden.core.values.printable import printed

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, Task

_LOOK = 1.0
"""Seconds from one look at whether a log gets a line to the next."""


@contextmanager
def progress() -> Iterator[Report]:
    """Where to report an audit to. On a terminal, the line is gone when the block ends, also when it ends early."""
    if sys.stderr is None:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _on_terminal() as report:
            yield report
    else:
        with _in_log() as report:
            yield report


class Heard:
    """What was heard so far; one thread hears, and another one asks."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._watch = Watch(begun=clock())
        self._doing = ""

    def report(self, event: AuditEvent) -> None:
        """Hear one event."""
        doing = _doing(event)
        with self._lock:
            self._watch.hear(event, self._clock())
            self._doing = doing or self._doing

    def moment(self) -> Pulse:
        """How it is now."""
        with self._lock:
            return self._watch.moment(self._clock())

    def words(self) -> str:
        """The whole on one line: how long, who keeps silent, who is asked again, what arrives, what is done."""
        pulse = self.moment()
        with self._lock:
            doing = "" if pulse.silent else self._doing
        return printed(" · ".join(filter(None, [*pulse_in_words(pulse), doing])))


def _doing(event: AuditEvent) -> str:
    """What somebody does now, as far as it is worth a line."""
    match event:
        case LookupStarted():
            return f"{event.address.short} {event.version}: asking {event.source}"
        case PackageProgress():
            return f"{event.address.short} {event.version} {event.platform}"
        case PackageChecked():
            return f"{event.address.short} {event.version} {event.platform}: {event.outcome}"
        case AuditPlanned() | ProviderAudited() | EarlierAudited() | AuditFinished():
            return ""
        case RequestSent() | BytesArrived() | RequestEnded() | RetryScheduled():
            return ""  # the pulse tells of them, and for how long
        case _:
            assert_never(event)


@contextmanager
def _on_terminal() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn

    from lockwarden.cli.output import coloured_stderr, signs_of_stderr
    from lockwarden.core.values.terminals import Signs

    ascii_only = signs_of_stderr() is Signs.ASCII

    class OwnConsole(Console):
        @property
        def encoding(self) -> str:
            return "ascii" if ascii_only else super().encoding

    heard = Heard()
    console = OwnConsole(stderr=True, highlight=False, no_color=not coloured_stderr())
    spinner = SpinnerColumn("line" if ascii_only else "dots")
    with Progress(spinner, BarColumn(bar_width=20), _told(heard, ascii_only), console=console, transient=True) as bar:
        line = _Line(bar, heard)
        yield line.report


def _told(heard: Heard, ascii_only: bool) -> ProgressColumn:
    """What is told at the end of the line, on one line however long it is; worked out whenever it is drawn."""
    from rich.progress import ProgressColumn
    from rich.table import Column
    from rich.text import Text

    from lockwarden.core.values.terminals import in_ascii

    class Told(ProgressColumn):
        max_refresh = 0.2

        def render(self, task: Task) -> Text:
            of = f"{int(task.completed)}/{int(task.total)}" if task.total is not None else "reading"
            text = f"{of} {heard.words() or 'providers'}"
            return Text(in_ascii(text) if ascii_only else text, no_wrap=True, overflow="ellipsis")

    return Told(table_column=Column(no_wrap=True, overflow="ellipsis"))


class _Line:
    """The bar, and what is heard beside it."""

    def __init__(self, bar: Progress, heard: Heard) -> None:
        self._bar, self._heard = bar, heard
        self._planned = 0
        self._task = bar.add_task("", total=None)

    def report(self, event: AuditEvent) -> None:
        """Show one event."""
        self._heard.report(event)
        if isinstance(event, AuditPlanned):
            self._planned += len(event.releases)
            self._bar.update(self._task, total=self._planned)
        elif isinstance(event, ProviderAudited):
            self._bar.advance(self._task)


@contextmanager
def _in_log() -> Iterator[Report]:
    """A line now and then."""
    heard, ended = Heard(), threading.Event()

    def tell() -> None:
        from lockwarden.cli.output import complain

        begun, told = monotonic(), None
        while not ended.wait(_LOOK):
            now = monotonic()
            if is_due(begun, told, now):
                told = now
                complain(log_line(heard), prefix="lockwarden: ")

    teller = threading.Thread(target=tell, name="lockwarden-progress", daemon=True)
    teller.start()
    try:
        yield heard.report
    finally:
        ended.set()
        teller.join()


def log_line(heard: Heard) -> str:
    """What a log is told."""
    pulse = heard.moment()
    done = f"{pulse.done} of {pulse.total} providers" if pulse.total else ""
    return "; ".join(filter(None, [done, *pulse_in_words(pulse)]))

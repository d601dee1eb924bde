"""The app's part that reads lock files and audits all of them in one run."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import Final

from textual.app import App
from textual.message import Message
from textual.timer import Timer
from textual.worker import Worker

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import AuditEvent, BytesArrived, RequestEnded, RequestSent
from lockwarden.core.evidence.pulse import Pulse, Watch
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.state import files as steps
from lockwarden.tui.state.files import Read
from lockwarden.tui.state.files_compared import compared
from lockwarden.tui.state.placeholders import Placeholder, loading, unreadable
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.workers import end_of, run_in_worker

_BETWEEN: Final = 0.1
"""Seconds from one drawing of results to the next; nobody reads faster."""
_FOR_A_PERSON: Final = 0.1
"""Seconds from a key or a click in which no results are taken in: what it leads to is drawn first."""
_LONGEST: Final = 0.5
"""Seconds without results at most, however fast keys come."""
_AT_ONCE: Final = 32
"""Files that are read before they are shown: few enough that a person sees the list fill."""


class EventsArrived(Message):
    """An audit told something. Only the newest of these waits in the queue, and its handler takes all there is."""

    def can_replace(self, message: Message) -> bool:
        """Whether this one makes an older one superfluous."""
        return isinstance(message, EventsArrived)


class AuditControl:
    """Reads, audits, and takes what an audit tells into the app's files."""

    def __init__(self, host: App[int], app: ReviewApp) -> None:
        """`host` and `app` are one: it runs the workers, and it holds the files."""
        self._host, self._app = host, app
        self._events: deque[tuple[object, ClientSettings, AuditEvent]] = deque()
        self._run: object = None
        """Marks the audit whose events count; those of one that was given up come too late."""
        self._worker: Worker[None] | None = None
        self.begun_at: datetime | None = None
        """When the audit began that runs, or ran last, by the clock of the run."""
        self._watch: Watch | None = None
        """Hears the audit that runs, or ran last."""
        self._taking: Timer | None = None
        """Runs until events are taken in; None while none wait."""
        self._taken_at = 0.0
        self._acted_at = 0.0
        """When a person pressed a key, or clicked."""

    def moment(self) -> Pulse | None:
        """How the running audit is now; None while none runs."""
        if self._watch is None or not self._app.files.progress.running:
            return None
        return self._watch.moment(self._app.setup.clock())

    def open_selected(self) -> None:
        """Read the selected lock file, and audit anew. Decisions that were made stay where they fit."""
        reading = partial(self._open, (self._app.files.current,))
        run_in_worker(self._host, reading, group="load")

    def open(self, paths: Sequence[Path]) -> None:
        """Read several lock files, and audit anew."""
        run_in_worker(self._host, partial(self._open, paths), group="load-all")

    async def _open(self, paths: Sequence[Path]) -> None:
        await self.stop()
        self._app.setup.store.look_anew()
        named = self._app.setup.title
        self._app.show(steps.read(self._app.files, {path: loading(named or str(path)) for path in paths}))
        for first in range(0, len(paths), _AT_ONCE):
            found = await asyncio.to_thread(self._read_all, paths[first : first + _AT_ONCE])
            self._app.show(steps.read(self._app.files, found))  # as they are now: a person goes on meanwhile
        self._app.show(compared(self._app.files))
        if self._app.files.groups:
            self.start()

    def _read_all(self, paths: Sequence[Path]) -> dict[Path, Read | Placeholder]:
        return {path: self.read(path) for path in paths}

    def read(self, path: Path) -> Read | Placeholder:
        """Read a lock file and what it is held against, or say why that cannot be done. It blocks."""
        try:
            store, base = self._app.setup.store, self._app.files.sessions[path].base
            lock_file = store.as_judged(self._app.setup.load(path), base=base)
            standards = store.standards(lock_file, base=base)
        except LockwardenError as error:
            return unreadable(error)
        return lock_file, self._app.setup.settings_for(lock_file), standards

    def start(self, sources: tuple[SourceSpec, ...] | None = None, platforms: PlatformChoice | None = None) -> None:
        """Audit all files anew, with other sources or platforms where some are given; a running audit is given up."""
        self.cancel()
        self._run = object()
        self.begun_at = self._app.setup.now()
        self._watch = Watch(begun=self._app.setup.clock())
        self._app.show(steps.restarted(self._app.files, sources, platforms))
        audit = partial(self._audit, self._run, self._worker)
        self._worker = run_in_worker(self._host, audit, group="audit", exclusive=False)

    async def _audit(self, run: object, before: Worker[None] | None) -> None:
        await end_of(before)
        if run is not self._run:
            return
        groups, now, watch = self._app.files.groups, self._app.session, self._watch

        def report(settings: ClientSettings, event: AuditEvent) -> None:
            if watch is not None:
                watch.hear(event, self._app.setup.clock())
            if isinstance(event, RequestSent | BytesArrived | RequestEnded):
                return  # nothing is drawn for each of them
            self._events.append((run, settings, event))
            self._host.post_message(EventsArrived())

        try:
            await self._app.setup.audit(groups, now.sources, now.platforms, report)
        except (LockwardenError, ExceptionGroup) as error:
            failure = expected(error)
            if failure is None:
                raise
            self._end(run, Phase.FAILED, failure)
        except asyncio.CancelledError:
            self._end(run, Phase.CANCELLED)
            raise
        else:
            self._end(run, Phase.FINISHED)

    def give_way(self) -> None:
        """Let what a person does now be drawn before more results."""
        self._acted_at = monotonic()

    def take_soon(self) -> None:
        """Take in what the audit told meanwhile, now or a little later: between two drawings keys have their turn."""
        if self._taking is None:
            for_a_person = min(self._acted_at + _FOR_A_PERSON, self._taken_at + _LONGEST)
            wait = max(self._taken_at + _BETWEEN, for_a_person) - monotonic()
            if wait > 0:
                self._taking = self._host.set_timer(wait, self._look_again)
            else:
                self._take()

    def _look_again(self) -> None:
        """A person may have done something while this was waited for."""
        self._taking = None
        self.take_soon()

    def _take(self) -> None:
        if self._taking is not None:
            self._taking.stop()
            self._taking = None
        taken = [self._events.popleft() for _ in range(len(self._events))]
        current = [(settings, event) for run, settings, event in taken if run is self._run]
        files = self._app.files
        for settings, told in groupby(current, key=itemgetter(0)):
            files = steps.after_events(files, settings, [event for _, event in told])
        self._app.show(files)
        self._taken_at = monotonic()

    def _end(self, run: object, phase: Phase, failure: LockwardenError | None = None) -> None:
        self._take()
        if run is self._run:
            self._app.show(steps.ended(self._app.files, phase, failure))

    def cancel(self) -> None:
        """Give the running audit up; what is known stays."""
        if self._worker is not None:
            self._worker.cancel()

    async def stop(self) -> None:
        """Give the running audit up, and wait until it has cleaned up."""
        self.cancel()
        await end_of(self._worker)


def expected(error: BaseException) -> LockwardenError | None:
    """The first error of the tree in `error`; None when something else is in it, which is a fault of our own."""
    if isinstance(error, LockwardenError):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = [expected(each) for each in error.exceptions]
        return found[0] if all(found) else None
    return None

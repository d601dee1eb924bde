"""What the app does with its lock files: reads them, audits all of them in one run, takes decisions over."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import Final

from textual import work
from textual.timer import Timer
from textual.worker import Worker

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import AuditEvent
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.audit_port import AuditRunner, EventsArrived, end_of, expected
from lockwarden.tui.render import placeholders as faces
from lockwarden.tui.standards_actions import StandardsActions
from lockwarden.tui.state import files as steps
from lockwarden.tui.state.files import Read
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.widgets.face import Face

_BETWEEN: Final = 0.1
"""Seconds from one drawing of results to the next; nobody reads faster."""
_AT_ONCE: Final = 32
"""Files that are read before they are shown: few enough that a person sees the list fill."""


class FilesActions(StandardsActions):
    """The part of the app that reads lock files and audits what they hold."""

    _load: Callable[[Path], LockFile]
    _audit: AuditRunner
    _settings_for: Callable[[LockFile], ClientSettings]
    _named: str

    def __init__(self) -> None:
        super().__init__()
        self._events: deque[tuple[object, ClientSettings, AuditEvent]] = deque()
        self._run: object = None
        """Marks the audit whose events count; those of one that was given up come too late."""
        self._audit_worker: Worker[None] | None = None
        self._taking: Timer | None = None
        """Runs until events are taken in; None while none wait."""
        self._taken_at = 0.0

    @property
    def up_to_date(self) -> bool:
        """Whether everything that the audit has told so far was taken in."""
        return not self._events and self._taking is None

    @property
    def path(self) -> Path:
        """The lock file that is selected or open."""
        return self.files.current

    @property
    def lock_file_title(self) -> str:
        """What the screen calls that file."""
        return self._named or str(self.files.current)

    def open_lock_file(self) -> None:
        """Read the selected lock file, and audit anew. Decisions that were made stay where they fit."""
        self._open((self.path,))

    @work(group="load", exclusive=True, exit_on_error=False)
    async def _open(self, paths: Sequence[Path]) -> None:
        await self._open_now(paths)

    @work(group="load-all", exclusive=True, exit_on_error=False)
    async def open_lock_files(self, paths: Sequence[Path]) -> None:
        """Read several lock files, and audit anew."""
        await self._open_now(paths)

    async def _open_now(self, paths: Sequence[Path]) -> None:
        await self._stop_audit()
        self.show(steps.read(self.files, {path: faces.loading(self._named or str(path)) for path in paths}))
        for first in range(0, len(paths), _AT_ONCE):
            some = paths[first : first + _AT_ONCE]
            self.show(steps.read(self.files, await asyncio.to_thread(self._read_all, some)))
        self.show(steps.compared(self.files))
        if self.files.groups:
            self.start_audit()

    def _read_all(self, paths: Sequence[Path]) -> dict[Path, Read | Face]:
        return {path: self._read(path) for path in paths}

    def _read(self, path: Path) -> Read | Face:
        """Read a lock file and what it is held against, or say why that cannot be done. It blocks."""
        try:
            lock_file = self._load(path)
            standards = self.keeper.standards(lock_file, base=self.files.sessions[path].base)
        except LockwardenError as error:
            return faces.unreadable(error)
        return lock_file, self._settings_for(lock_file), standards

    def start_audit(
        self, sources: tuple[SourceSpec, ...] | None = None, platforms: PlatformChoice | None = None
    ) -> None:
        """Audit all files anew, with other sources or platforms where some are given; a running audit is given up."""
        self.cancel_audit()
        self._run = object()
        self.show(steps.restarted(self.files, sources, platforms))
        self._audit_worker = self._run_audit(self._run, self._audit_worker)

    @work(group="audit", exit_on_error=False)
    async def _run_audit(self, run: object, before: Worker[None] | None) -> None:
        await end_of(before)
        if run is not self._run:
            return
        groups, now = self.files.groups, self.session

        def report(settings: ClientSettings, event: AuditEvent) -> None:
            self._events.append((run, settings, event))
            self.post_message(EventsArrived())

        try:
            await self._audit(groups, now.sources, now.platforms, report)
        except (LockwardenError, ExceptionGroup) as error:
            failure = expected(error)
            if failure is None:
                raise
            self._end_audit(run, Phase.FAILED, failure)
        except asyncio.CancelledError:
            self._end_audit(run, Phase.CANCELLED)
            raise
        else:
            self._end_audit(run, Phase.FINISHED)

    def on_events_arrived(self) -> None:
        """Take in what the audit told meanwhile, now or a little later: between two drawings keys have their turn."""
        if self._taking is None:
            wait = self._taken_at + _BETWEEN - monotonic()
            if wait > 0:
                self._taking = self.set_timer(wait, self._take_events)
            else:
                self._take_events()

    def _take_events(self) -> None:
        if self._taking is not None:
            self._taking.stop()
            self._taking = None
        taken = [self._events.popleft() for _ in range(len(self._events))]
        current = [(settings, event) for run, settings, event in taken if run is self._run]
        files = self.files
        for settings, told in groupby(current, key=itemgetter(0)):
            files = steps.after_events(files, settings, [event for _, event in told])
        self.show(files)
        self._taken_at = monotonic()

    def _end_audit(self, run: object, phase: Phase, failure: LockwardenError | None = None) -> None:
        self._take_events()
        if run is self._run:
            self.show(steps.ended(self.files, phase, failure))

    def cancel_audit(self) -> None:
        """Give the running audit up; what is known stays."""
        if self._audit_worker is not None:
            self._audit_worker.cancel()

    async def _stop_audit(self) -> None:
        self.cancel_audit()
        await end_of(self._audit_worker)

    def decide(self, decisions: Decisions) -> int:
        """Take over other decisions; they follow in so many other files that hold the same entry."""
        files, followers = steps.decided(self.files, self.path, decisions)
        self.show(files)
        return followers

"""The Textual app: owns one session, runs one audit. The screens show the session and call the methods here."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from textual import events, work
from textual.app import App, SystemCommand
from textual.reactive import var
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from lockwarden.core.audit import PlatformChoice
from lockwarden.core.clients import ClientSettings
from lockwarden.core.errors import LockFileChangedError, LockwardenError
from lockwarden.core.events import AuditEvent
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.platforms import Platform, current_platform
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.review import ExitCode
from lockwarden.core.review.standards import Standards
from lockwarden.core.sources.choose import SourceSpec
from lockwarden.tui import faces
from lockwarden.tui import session as steps
from lockwarden.tui.keeping import Keeper
from lockwarden.tui.palette import KeyCommands
from lockwarden.tui.progress import Phase
from lockwarden.tui.running import AuditRunner, EventsArrived, ListRepositories, Save, end_of, expected
from lockwarden.tui.screens.confirm import ConfirmScreen, Question
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.session import Session
from lockwarden.tui.standards_actions import StandardsActions
from lockwarden.tui.text import counted
from lockwarden.tui.theme import DARK, SIXTEEN_COLOURS, THEMES


class LockwardenApp(StandardsActions):
    """The interactive review of one lock file."""

    TITLE = "lockwarden"
    # All styles at once: a screen that brings its own has everything parsed anew when it opens.
    CSS_PATH = ["app.tcss", *sorted(Path(__file__).parent.glob("screens/*.tcss"))]  # noqa: RUF012
    COMMANDS = App.COMMANDS | {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-stacked"), (100, "-wide")]  # noqa: RUF012

    session: var[Session] = var(Session(sources=(), platforms=PlatformChoice(wanted=frozenset())))

    def __init__(
        self,
        *,
        path: Path,
        load: Callable[[Path], LockFile],
        save: Save,
        audit: AuditRunner,
        sources: tuple[SourceSpec, ...],
        platforms: PlatformChoice,
        settings_for: Callable[[LockFile], ClientSettings],
        parse_source: Callable[[str], SourceSpec],
        list_repositories: ListRepositories,
        keeper: Keeper,
        base: str = "",
        title: str = "",
        current: Platform | None = None,
    ) -> None:
        super().__init__()
        self.path = path
        self.lock_file_title = title or str(path)
        self.parse_source = parse_source
        self.list_repositories = list_repositories
        self.current_platform = current or current_platform()
        self._load, self._save, self._audit, self._settings_for = load, save, audit, settings_for
        self.keeper = keeper
        self._events: deque[tuple[object, AuditEvent]] = deque()
        self._run: object = None
        """Marks the audit whose events count; those of one that was given up come too late."""
        self._audit_worker: Worker[None] | None = None
        self.set_reactive(LockwardenApp.session, Session(sources=sources, platforms=platforms, base=base))
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = SIXTEEN_COLOURS if self.console.color_system == "standard" else DARK.name

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """What the palette offers on every screen."""
        yield SystemCommand("Choose a theme", "dark, light, or the terminal's own colours", self.action_change_theme)

    def on_mount(self) -> None:
        """Begin with the lock file."""
        self.push_screen(ReviewScreen())
        self.open_lock_file()

    @work(group="load", exclusive=True, exit_on_error=False)
    async def open_lock_file(self) -> None:
        """Read the lock file and audit it. Decisions that were made stay where they fit."""
        await self._stop_audit()
        self.session = steps.with_face(self.session, faces.loading(self.lock_file_title))
        if (read := await self._read()) is not None:
            self.session = steps.opened(self.session, *read)
            if read[0].providers:
                self.start_audit()

    async def _read(self) -> tuple[LockFile, ClientSettings, Standards] | None:
        try:
            lock_file = await asyncio.to_thread(self._load, self.path)
            standards = await asyncio.to_thread(self.keeper.standards, lock_file, base=self.session.base)
        except LockwardenError as error:
            self.session = steps.with_face(self.session, faces.unreadable(error))
            return None
        return lock_file, self._settings_for(lock_file), standards

    def start_audit(
        self, sources: tuple[SourceSpec, ...] | None = None, platforms: PlatformChoice | None = None
    ) -> None:
        """Audit anew, with other sources or platforms where some are given; a running audit is given up first."""
        self.cancel_audit()
        chosen = steps.with_choice(self.session, sources, platforms)
        self._run = object()
        self.session = steps.restarted(chosen)
        self._audit_worker = self._run_audit(self._run, self._audit_worker)

    @work(group="audit", exit_on_error=False)
    async def _run_audit(self, run: object, before: Worker[None] | None) -> None:
        await end_of(before)
        now = self.session
        if now.review is None or run is not self._run:
            return

        def report(event: AuditEvent) -> None:
            self._events.append((run, event))
            self.post_message(EventsArrived())

        try:
            await self._audit(now.review.lock_file, now.review.standards, now.sources, now.platforms, report)
        except (LockwardenError, ExceptionGroup) as error:
            failure = expected(error)
            if failure is None:
                raise
            self._take_events()
            self._end_audit(run, Phase.FAILED, failure)
        except asyncio.CancelledError:
            self._take_events()
            self._end_audit(run, Phase.CANCELLED)
            raise

    def on_events_arrived(self) -> None:
        """Take in what the audit told meanwhile."""
        self._take_events()

    def _take_events(self) -> None:
        taken = [self._events.popleft() for _ in range(len(self._events))]
        current = [event for run, event in taken if run is self._run]
        if current:
            self.session = steps.after_events(self.session, current)

    def _end_audit(self, run: object, phase: Phase, failure: LockwardenError | None = None) -> None:
        if run is self._run:
            self.session = steps.ended(self.session, phase, failure)

    def cancel_audit(self) -> None:
        """Give the running audit up; what is known stays."""
        if self._audit_worker is not None:
            self._audit_worker.cancel()

    async def _stop_audit(self) -> None:
        self.cancel_audit()
        await end_of(self._audit_worker)

    def decide(self, decisions: Decisions) -> None:
        """Take over other decisions."""
        self.session = steps.decided(self.session, decisions)

    @work(group="write", exclusive=True, exit_on_error=False)
    async def write_lock_file(self, data: bytes) -> None:
        """Write what was looked at, unless the file on disk is no longer the one that was read."""
        review = self.session.review
        if review is None:
            return
        try:
            await asyncio.to_thread(self._save, Path(review.lock_file.path), data, expected=review.lock_file.data)
        except LockwardenError as error:
            self._refused(error)
            return
        if (read := await self._read()) is not None:
            self.session = steps.written(self.session, *read)
            self.say(f"written: {counted(len(data), 'byte')}")

    def _refused(self, error: LockwardenError) -> None:
        changed = isinstance(error, LockFileChangedError)
        question = Question(
            title="Nothing was written",
            rows=((error.message, error.hint),),
            safe="Back",
            risky="Read it again" if changed else "",
        )

        def answered(again: bool | None) -> None:
            if again:
                self.open_lock_file()

        self.push_screen(ConfirmScreen(question), answered)

    async def on_event(self, event: events.Event) -> None:
        """Let what is on top know of every key and click before they are handled."""
        if isinstance(event, events.Key | events.MouseDown) and isinstance(self.screen, ReviewScreen | SpeakingScreen):
            self.screen.notice_a_person()
        await super().on_event(event)

    def say(self, sentence: str) -> None:
        """Tell a person something short, in our own words, on the uppermost screen that can."""
        speaking = (each for each in reversed(self.screen_stack) if isinstance(each, ReviewScreen | SpeakingScreen))
        if (screen := next(speaking, None)) is not None:
            screen.say(sentence)

    async def action_quit(self) -> None:
        """Leave; ask first when decisions would be lost. Asked a second time, leave at once."""
        if not self.session.unwritten or isinstance(self.screen, ConfirmScreen):
            self.leave()
            return
        changes = self.session.review.changes if self.session.review is not None else {}
        count = sum(len(change.add) + len(change.drop) for change in changes.values())
        question = Question(
            title=f"{counted(count, 'decision')} would be lost",
            rows=(("What was decided is not in the lock file yet.", "w writes it, after a look at the difference"),),
            safe="Stay",
            risky="Leave",
        )

        def answered(leaving: bool | None) -> None:
            if leaving:
                self.leave()

        self.push_screen(ConfirmScreen(question), answered)

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def leave(self) -> None:
        """End the audit, wait until it has cleaned up, and end the app with what a script is told."""
        await self._stop_audit()
        review = self.session.review
        self.exit(int(ExitCode.UNUSABLE_INPUT if review is None else review.exit_code))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show a fault of our own as what it is."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.session = steps.with_face(self.session, faces.broken(event.worker.error))

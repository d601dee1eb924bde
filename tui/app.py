"""The Textual app: owns the lock files, runs one audit of all of them.

The screens show the files, or the session of the one that is open, and call the methods here.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from textual import events, work
from textual.app import App, SystemCommand
from textual.driver import Driver
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.platforms import Platform, current_platform
from lockwarden.tui.audit_port import AuditRunner, ListRepositories, Save
from lockwarden.tui.palette import KeyCommands
from lockwarden.tui.render import placeholders as faces
from lockwarden.tui.render.unfinished import fault_told
from lockwarden.tui.screens.confirm import ConfirmScreen, Question
from lockwarden.tui.screens.files import FilesScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.review_basis import REACTION
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.standards_port import Keeper
from lockwarden.tui.state import files as steps
from lockwarden.tui.state.session import Session, decisions_of
from lockwarden.tui.theme import DARK, SIXTEEN_COLOURS, THEMES
from lockwarden.tui.writing_actions import WritingActions

_UNCUT: Final = 10_000
"""Columns in which no sentence is cut."""


class LockwardenApp(WritingActions):
    """The interactive review of one lock file, or of several from a list of them."""

    TITLE = "lockwarden"
    # All styles at once: a screen that brings its own has everything parsed anew when it opens.
    CSS_PATH = ["app.tcss", *sorted(Path(__file__).parent.glob("screens/*.tcss"))]  # noqa: RUF012
    COMMANDS = App.COMMANDS | {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-stacked"), (100, "-wide")]  # noqa: RUF012

    reaction: float = REACTION
    """Seconds until what has changed counts as seen; 0 for as soon as it was drawn."""

    def __init__(
        self,
        *,
        paths: Sequence[Path],
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
        """`title` is what the screen calls the file, if there is only one; its path if empty."""
        super().__init__()
        self._named = title
        self.parse_source = parse_source
        self.list_repositories = list_repositories
        self.current_platform = current or current_platform()
        self._load, self._save, self._audit, self._settings_for = load, save, audit, settings_for
        self.keeper = keeper
        begun = steps.begun(paths, Session(sources=sources, platforms=platforms, base=base))
        self.set_reactive(LockwardenApp.files, begun)
        self.set_reactive(LockwardenApp.session, begun.session)
        self._told_of_faults = io.StringIO()
        # Textual prints a traceback with the values of all variables there, among them what servers said and tokens.
        self.error_console = Console(file=self._told_of_faults, width=_UNCUT, markup=False, highlight=False)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = SIXTEEN_COLOURS if self.console.color_system == "standard" else DARK.name

    def get_driver_class(self) -> type[Driver]:
        """Our own driver in the place of Textual's for terminals."""
        chosen = super().get_driver_class()
        if sys.platform == "win32":
            return chosen
        from textual.drivers.linux_driver import LinuxDriver

        from lockwarden.tui.terminal import TerminalDriver

        return TerminalDriver if chosen is LinuxDriver else chosen

    @property
    def fault(self) -> str:
        """What ended the app that nobody had expected, in a sentence; empty when nothing did."""
        return fault_told(self._told_of_faults.getvalue())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """What the palette offers on every screen."""
        yield SystemCommand("Choose a theme", "dark, light, or the terminal's own colours", self.action_change_theme)

    def on_mount(self) -> None:
        """Begin with the lock file, or with the list of them."""
        if self.files.several:
            self.push_screen(FilesScreen())
            self.open_lock_files(tuple(self.files.sessions))
        else:
            self.push_screen(ReviewScreen())
            self.open_lock_file()

    async def on_event(self, event: events.Event) -> None:
        """Let what is on top know of every key and click before they are handled."""
        if isinstance(event, events.Key | events.MouseDown) and isinstance(self.screen, SpeakingScreen):
            self.screen.notice_a_person()
        await super().on_event(event)

    def say(self, sentence: str) -> None:
        """Tell a person something short, in our own words, on the uppermost screen that can."""
        speaking = (each for each in reversed(self.screen_stack) if isinstance(each, SpeakingScreen))
        if (screen := next(speaking, None)) is not None:
            screen.say(sentence)

    async def action_quit(self) -> None:
        """Leave; ask first when decisions would be lost. Asked a second time, leave at once."""
        files = self.files
        if not files.unwritten or isinstance(self.screen, ConfirmScreen):
            self.leave()
            return
        count = sum(decisions_of(files.sessions[path]) for path in files.unwritten)
        where = f" in {counted(len(files.unwritten), 'file')}" if files.several else ""
        told = "in the lock files yet" if files.several else "in the lock file yet"
        question = Question(
            title=f"{counted(count, 'decision')}{where} would be lost",
            rows=((f"What was decided is not {told}.", "w writes it, after a look at the difference"),),
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
        try:
            await self._stop_audit()
        finally:
            self.exit(int(self.files.exit_code))

    def on_terminal_lost(self) -> None:
        """Nobody can see the app any more."""
        self._told_of_faults.write("the terminal is gone\n")
        self._end_unfinished()

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def _end_unfinished(self) -> None:
        """End the app without an answer, once the audit has cleaned up."""
        try:
            await self._stop_audit()
        finally:
            self.exit()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show a fault of our own as what it is."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            broken = faces.broken(event.worker.error)
            self.show(steps.read(self.files, {self.path: broken}))
            if isinstance(self.screen, FilesScreen):
                self.push_screen(ConfirmScreen(Question(title=broken.title, rows=broken.rows, safe="Back")))

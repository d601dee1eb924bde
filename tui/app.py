"""The Textual app: owns the lock files, and the parts that audit and write them and change their standards.

The screens show the files, or the session of the one that is open, and ask the app as `ReviewApp`.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from rich.console import Console
from textual import events, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import ANSIToTruecolor, LineFilter, Monochrome, NoColor
from textual.reactive import var
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import Worker, WorkerState

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.terminals import Signs
from lockwarden.tui.audits import AuditControl
from lockwarden.tui.render.advice import use_keys
from lockwarden.tui.render.unfinished import fault_in_words
from lockwarden.tui.screens.choice import LEAVE, WRITE, LeaveScreen
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.palette import HelpfulPalette, KeyCommands
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.signs import AsciiSigns
from lockwarden.tui.state import files as steps
from lockwarden.tui.state.files import Files
from lockwarden.tui.state.modules import ModulesState
from lockwarden.tui.state.placeholders import internal_fault
from lockwarden.tui.state.ports import ReviewSetup
from lockwarden.tui.state.resolving import ResolvingState
from lockwarden.tui.state.session import Session, decisions_of
from lockwarden.tui.stylesheet import AppStylesheet
from lockwarden.tui.theme import THEMES, fitting_theme
from lockwarden.tui.watching import Watching
from lockwarden.tui.widgets.line_input import LineInput
from lockwarden.tui.writing import LockFileWriter

if TYPE_CHECKING:
    from lockwarden.tui.modules import ModulesControl, SourceAnswered
    from lockwarden.tui.outside import Outside
    from lockwarden.tui.resolving import ResolvingControl
    from lockwarden.tui.standards import StandardsControl

_UNCUT: Final = 10_000
"""Columns in which no sentence is cut."""


class LockwardenApp(App[int]):
    """The interactive review of one lock file, or of several from a list of them."""

    TITLE = "lockwarden"
    # All styles at once: a screen that brings its own has everything parsed anew when it opens.
    CSS_PATH = ["app.tcss", *sorted(Path(__file__).parent.glob("screens/*.tcss"))]  # noqa: RUF012
    COMMANDS = App.COMMANDS | {KeyCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        *App.BINDINGS,
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True, id="app.suspend"),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-stacked"), (100, "-wide")]  # noqa: RUF012

    files: var[Files] = var(Files())
    session: var[Session] = var(Session(sources=(), platforms=PlatformChoice(wanted=frozenset())))
    """Of the file that is selected or open; it is never set but by `show`."""

    modules: var[ModulesState] = var(ModulesState(), always_update=True)
    """The module calls that the screen of modules shows."""

    resolving: var[ResolvingState] = var(ResolvingState(), always_update=True)
    """The lock file in conflict that the screen of one shows."""

    _current_theme: Theme | None = None

    def __init__(self, setup: ReviewSetup) -> None:
        super().__init__()
        self.setup = setup
        use_keys(setup.look.keymap)
        self.reaction = setup.reaction
        first = Session(sources=setup.sources, platforms=setup.platforms, base=setup.base)
        begun = steps.begun(setup.paths, first)
        self.set_reactive(LockwardenApp.files, begun)
        self.set_reactive(LockwardenApp.session, begun.session)
        app: ReviewApp = self
        self.audits = AuditControl(self, app)
        self.writing = LockFileWriter(self, app, self.audits.read)
        self.watching = Watching(self, app)
        self._printed_faults = io.StringIO()
        # Textual prints a traceback with the values of all variables there, among them what servers said and tokens.
        self.error_console = Console(file=self._printed_faults, width=_UNCUT, markup=False, highlight=False)
        for theme in THEMES:
            self.register_theme(theme)
        # Not set as usual: Textual takes the theme over when it starts, and would parse all styles twice then.
        sixteen = self.console.color_system == "standard"
        self.set_reactive(App.theme, fitting_theme(setup.look.theme, light=setup.look.light, sixteen=sixteen))
        self._theme_in_use = self.theme
        self._in_ascii = AsciiSigns(enabled=setup.look.signs is Signs.ASCII)
        self.stylesheet = AppStylesheet(self.get_css_variables())

    # The parts that a review can do without are loaded when it needs them first.

    @cached_property
    def standards(self) -> StandardsControl:
        """Changes policy, approvals and base."""
        from lockwarden.tui.standards import StandardsControl

        return StandardsControl(self, self)

    @cached_property
    def module_work(self) -> ModulesControl:
        """Reads, asks, accepts and pins modules."""
        from lockwarden.tui.modules import ModulesControl

        return ModulesControl(self, self)

    @cached_property
    def resolving_work(self) -> ResolvingControl:
        """Reads and resolves a lock file in conflict."""
        from lockwarden.tui.resolving import ResolvingControl

        return ResolvingControl(self, self)

    @cached_property
    def outside(self) -> Outside:
        """Edits, browses and exports."""
        from lockwarden.tui.outside import Outside

        return Outside(self, self)

    def get_driver_class(self) -> type[Driver]:
        """Our own driver in the place of Textual's for terminals."""
        chosen = super().get_driver_class()
        if sys.platform == "win32":
            return chosen
        from textual.drivers.linux_driver import LinuxDriver

        from lockwarden.tui.terminal import TerminalDriver

        return TerminalDriver if chosen is LinuxDriver else chosen

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line goes through: Textual's own filters, by the theme that is in use now, and our signs.

        Textual decides by the theme before ours, and then gives a terminal of sixteen colours others than it has.
        """
        filters = [*super().get_line_filters(), *([self._in_ascii] if self._in_ascii.enabled else [])]
        if not self.native_ansi_color:
            return filters
        own = [NoColor() if isinstance(each, Monochrome) else each for each in filters]
        return [each for each in own if not isinstance(each, ANSIToTruecolor)]

    @property
    def current_theme(self) -> Theme:
        """The theme that is in use. Every line that is drawn asks for it, and Textual copies all of them each time."""
        if self._current_theme is None or self._current_theme.name != self.theme:
            self._current_theme = super().current_theme
        return self._current_theme

    @property
    def fault(self) -> str:
        """What ended the app that nobody had expected, in a sentence; empty when nothing did."""
        return fault_in_words(self._printed_faults.getvalue())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """What the palette offers on every screen."""
        yield SystemCommand("Choose a theme", "dark, light, or the terminal's own colours", self.action_change_theme)

    @property
    def lock_file_title(self) -> str:
        """What the screen calls the selected file."""
        return self.setup.title or str(self.files.current)

    def show(self, files: Files) -> None:
        """Another moment of the files: what every screen shows."""
        self.files = files
        self.session = files.session

    def decide(self, decisions: Decisions) -> int:
        """Take over other decisions; they follow in so many other files that hold the same entry."""
        files, followers = steps.decided(self.files, self.files.current, decisions)
        self.show(files)
        return followers

    def on_events_arrived(self) -> None:
        """Take in what the audit told."""
        self.audits.take_soon()

    def on_source_answered(self, message: SourceAnswered) -> None:
        """Show how many sources of modules have answered."""
        self.module_work.answered(message)

    def on_mount(self) -> None:
        """Begin with the lock file, or with the list of them."""
        if self.setup.look.keymap:
            self.set_keymap(dict(self.setup.look.keymap))
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        self.watching.begin()
        if self.files.several:
            from lockwarden.tui.screens.files import FilesScreen

            self.push_screen(FilesScreen())
            self.audits.open(tuple(self.files.sessions))
        else:
            self.push_screen(ReviewScreen())
            self.audits.open_selected()

    def _theme_changed(self, theme: Theme) -> None:
        """Keep the theme that a person chose; at the beginning nobody did."""
        if theme.name != self._theme_in_use:
            self._theme_in_use = theme.name
            if self.setup.keep_theme is not None:
                self.say(f"{theme.name}: {self.setup.keep_theme(theme.name)}")

    def on_line_input_lines_left_out(self, message: LineInput.LinesLeftOut) -> None:
        """Tell of pasted lines that were not taken."""
        self.say(message.told)

    async def on_event(self, event: events.Event) -> None:
        """Let what is on top, and the audit, know of every key and click before they are handled."""
        if isinstance(event, events.Key | events.MouseDown):
            self.audits.give_way()
            if isinstance(self.screen, SpeakingScreen):
                self.screen.notice_a_person()
        if isinstance(event, events.Key) and event.is_forwarded and self._is_no_key(event):
            return
        await super().on_event(event)

    def _is_no_key(self, event: events.Key) -> bool:
        """Whether a key that no widget took is none: a character for a line, or what the screen takes for another."""
        line = self.focused
        if isinstance(line, LineInput) and event.is_printable:
            # A line takes each character that comes to it, so this one came to what had the focus before.
            line.take_before(event.character or "")
            return True
        return isinstance(self.screen, SpeakingScreen) and self.screen.takes(event)

    def say(self, sentence: str) -> None:
        """Tell a person something short, in our own words, on the uppermost screen that can."""
        speaking = (each for each in reversed(self.screen_stack) if isinstance(each, SpeakingScreen))
        if (screen := next(speaking, None)) is not None:
            screen.say(sentence)

    def action_command_palette(self) -> None:
        """Open the palette."""
        if not isinstance(self.screen, HelpfulPalette):
            self.push_screen(HelpfulPalette())

    def action_help(self) -> None:
        """Show all keys and words, those of the screen on top first."""
        self.push_screen(HelpScreen(self.screen))

    async def action_quit(self) -> None:
        """Leave; offer to write first what would be lost. Asked a second time, leave at once."""
        from lockwarden.tui.screens.files import FilesScreen

        files = self.files
        if not files.unwritten or isinstance(self.screen, LeaveScreen):
            self.leave()
            return
        count = sum(decisions_of(files.sessions[path]) for path in files.unwritten)
        where = f" in {counted(len(files.unwritten), 'file')}" if files.several else ""
        told = "in the lock files yet" if files.several else "in the lock file yet"
        writing = next(each for each in reversed(self.screen_stack) if isinstance(each, ReviewScreen | FilesScreen))

        def answered(key: str | None) -> None:
            if key == LEAVE.key:
                self.leave()
            elif key == WRITE.key:
                writing.action_write()

        title = f"{counted(count, 'decision')}{where} would be lost"
        self.push_screen(LeaveScreen(title, f"What was decided is not {told}.", (WRITE, LEAVE)), answered)

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def leave(self) -> None:
        """End the audit, wait until it has cleaned up, and end the app with what a script is told."""
        try:
            await self.audits.stop()
        finally:
            self.exit(int(self.files.exit_code))

    def on_terminal_lost(self) -> None:
        """Nobody can see the app any more."""
        self._printed_faults.write("the terminal is gone\n")
        self._end_unfinished()

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def _end_unfinished(self) -> None:
        """End the app without an answer, once the audit has cleaned up."""
        try:
            await self.audits.stop()
        finally:
            self.exit()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show a fault of our own as what it is."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.show_fault(event.worker.error)

    def show_fault(self, error: BaseException) -> None:
        """Show a fault of our own as what it is: in the review, and above whatever else is on the screen.

        Where no screen is left it is what the app has ended by.
        """
        placeholder = internal_fault(error)
        self.show(steps.read(self.files, {self.files.current: placeholder}))
        if not self.screen_stack:  # the app has begun to end, and says this when it has
            self._printed_faults.write(f"{type(error).__name__}: {error}\n")
        elif not isinstance(self.screen, ReviewScreen):
            self.push_screen(ConfirmScreen(Confirmation(title=placeholder.title, rows=placeholder.rows, safe="Back")))

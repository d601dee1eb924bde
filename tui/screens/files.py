"""The lock files of a run: what the audit means for each, and where they lock the same provider differently."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input
from textual.worker import Worker, WorkerState

from lockwarden.core.engine.source_spelling import name_sources
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.render.file_status import next_objection
from lockwarden.tui.render.files import DOES, FILTERS, LISTS, render_file, render_summary
from lockwarden.tui.screens.bindings import FILES_BINDINGS
from lockwarden.tui.screens.cancelling import cancel_audit
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE
from lockwarden.tui.screens.files_diff import FilesDiffScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.opening import open_export, open_modules, open_sources, why_no_modules
from lockwarden.tui.screens.palette import Destinations
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.screens.stripping import once_stripping_is_confirmed
from lockwarden.tui.state.file_changes import Changed, changed_files, shown_of
from lockwarden.tui.state.files import Files, selected, with_changes_only, with_chosen, with_words
from lockwarden.tui.state.filters import NO_FILTER, Filter, parse_filter
from lockwarden.tui.state.review_state import ReviewState
from lockwarden.tui.widgets.audit_progress import AuditProgress
from lockwarden.tui.widgets.file_lines import FileLines
from lockwarden.tui.widgets.file_list import FileList
from lockwarden.tui.widgets.filter_line import FilterLine
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.prose_view import ProseView
from lockwarden.tui.widgets.pulse_line import PulseLine


class FilesScreen(SpeakingScreen):
    """Lies below every review that is opened from it."""

    CSS_PATH = "files.tcss"
    AUTO_FOCUS = "#files"
    BINDINGS: ClassVar[list[BindingType]] = list(FILES_BINDINGS)
    COMMANDS = {Destinations}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._lines = FileLines()
        self._told_of: tuple[object, ...] | None = None
        """What the line about all files was drawn from."""
        self._left: dict[Path, ReviewState] = {}
        """Where a person was in reviews that were opened before."""

    @property
    def files(self) -> Files:
        """All files as they are now."""
        return self.lockwarden.files

    def compose(self) -> ComposeResult:
        """The parts from top to bottom."""
        yield AuditProgress(id="title")
        yield PulseLine(self.lockwarden.audits.moment)
        yield ProseView(id="summary")
        yield FilterLine("words of a path")
        yield FileList(self._lines)
        with VerticalScroll(id="file-detail"):
            yield ProseView()
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the files."""
        self.query_one("#file-detail").border_title = Content("This file")
        self.query_one("#summary", ProseView).show(self._summary)
        self.query_one("#file-detail ProseView", ProseView).show(lambda width: render_file(self.files, width))
        self.watch(self.app, "files", self._draw)

    def _draw(self, before: Files | None, now: Files) -> None:
        title = self.query_one("#title", AuditProgress)
        title.title = f"{len(now.sessions):,} lock files"
        title.progress = now.progress
        title.against = now.session.base
        title.sources = tuple(ref.id for ref in name_sources(now.session.sources))
        self.query_one(FileList).show(now)
        told_of = (now.sessions, now.progress.phase, now.chosen, now.changes_only)
        if self._told_of is None or any(each is not told for each, told in zip(told_of, self._told_of, strict=True)):
            self._told_of = told_of
            self.query_one("#summary", ProseView).show(self._summary)
        self.query_one("#file-detail ProseView", ProseView).show(lambda width: render_file(self.files, width))
        if before is not None and before.current != now.current:
            self.query_one("#file-detail", VerticalScroll).scroll_home(animate=False)
        self.refresh_bindings()

    def _summary(self, width: int) -> Content:
        files = self.files
        summary = self._lines.summary(files)
        return render_summary(summary, width, chosen=files.chosen, changes_only=files.changes_only)

    async def on_click(self, event: events.Click) -> None:
        """Choose the count that was clicked."""
        if chosen := event.style.meta.get(LISTS):
            self.lockwarden.show(with_chosen(self.files, chosen))
        elif action := event.style.meta.get(DOES):
            await self.perform(action)
        elif words := event.style.meta.get(FILTERS):
            self._open(parse_filter(words))

    def why_not(self, action: str) -> str:
        """Why a key does nothing now."""
        match action.partition("(")[0]:
            case "write" | "diff":
                return "" if self._lines.summary(self.files).unwritten else "no decision changes a lock file yet"
            case "ask_again":
                stale = any(session.stale for session in self.files.sessions.values())
                running = self.files.progress.running and not stale
                return "the audit is still running; ⟨files back⟩ cancels it" if running else ""
            case "back":
                narrowed = self.files.words or self.files.chosen
                busy = self.files.progress.running or narrowed or not self._in_list
                return "" if busy else "no audit is running; ⟨files leave⟩ leaves"
            case "objection":
                summary = self._lines.summary(self.files)
                return "" if summary.worst.objects or summary.changed else "nothing speaks against any file"
            case "changes_only":
                if self.files.has_changes or self.files.changes_only:
                    return ""
                based = any(session.base for session in self.files.sessions.values())
                return "no change touches any file here" if based else "there is no base to compare with"
            case "modules":
                return why_no_modules(self)
            case "resolve":
                placeholder = self.files.session.placeholder
                resolvable = placeholder is not None and placeholder.in_conflict and self.lockwarden.setup.conflicts
                return "" if resolvable else "this lock file is in no conflict"
            case "drift":
                session = self.files.session
                told = self.files.drifts_of(session) or self.files.both_of(session)
                return "" if told else "no other file locks it differently"
            case _:
                return ""

    @on(FileList.FileChosen)
    def _chosen(self, event: FileList.FileChosen) -> None:
        self.lockwarden.show(selected(self.files, event.path))
        if event.opened:
            self.action_open()

    def go_to_file(self, path: Path) -> None:
        """Open the review of a file, from the list or from another review."""
        above = self.app.screen
        if isinstance(above, ReviewScreen):
            above.dismiss(None)
        files = (
            self.files if path in self.files.listed else replace(self.files, words=(), chosen="", changes_only=False)
        )
        self.query_one(FilterLine).clear()
        self.query_one(FilterLine).stay(shown=bool(files.words))
        self.lockwarden.show(selected(files, path))
        self.call_later(self.action_open)

    def action_open(self) -> None:
        """Open the review of the selected file where it was left; nothing is audited again."""
        self._open()

    def action_resolve(self) -> None:
        """Open the selected file, which is in conflict: its review shows both sides."""
        self._open()

    def _open(self, chosen: Filter = NO_FILTER) -> None:
        path, review = self.files.current, ReviewScreen()
        left = self._left.get(path, ReviewState())
        review.set_reactive(ReviewScreen.state, replace(left, filter=chosen) if chosen.active else left)

        def closed(_: None) -> None:
            self._left[path] = review.state

        self.app.push_screen(review, closed)

    def action_edit(self) -> None:
        """Open the selected lock file in the operator's editor."""
        self.lockwarden.outside.edit(self.files.current, 1)

    def action_export(self) -> None:
        """Export the reviews of all files, once it is said to which file."""
        open_export(self, f"the reviews of {len(self.files.sessions)} lock files", lambda: self.files.sessions)

    def action_modules(self) -> None:
        """Look at the module calls beside the selected lock file."""
        open_modules(self)

    def action_objection(self, step: int) -> None:
        """Go to the next or the previous file that something speaks against."""
        if (path := next_objection(self.files, step)) is not None:
            self.lockwarden.show(selected(self.files, path))

    def action_changes_only(self) -> None:
        """List what the change touches, or everything."""
        self.lockwarden.show(with_changes_only(self.files))

    def action_filter(self) -> None:
        """Open the filter."""
        self.query_one(FilterLine).open()

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        self.lockwarden.show(with_words(self.files, event.value))

    @on(Input.Submitted, "#filter")
    def _filter_submitted(self) -> None:
        self._close_filter(keep=True)

    def _close_filter(self, *, keep: bool) -> None:
        """Leave the filter's line, with the filter or without."""
        if not keep:
            self.query_one(FilterLine).clear()
            self.lockwarden.show(with_chosen(with_words(self.files, ""), self.files.chosen))
        self.query_one(FileList).focus()
        self.query_one(FilterLine).stay(shown=bool(self.files.words))

    def action_drift(self) -> None:
        """Read on where the selected file is locked differently elsewhere."""
        self.query_one("#file-detail").focus()

    def action_sources(self) -> None:
        """Choose sources and platforms for all files."""
        open_sources(self)

    def action_ask_again(self) -> None:
        """Read what could not be read once more, and audit everything again."""
        sessions = self.files.sessions.items()
        unread = tuple(path for path, session in sessions if session.placeholder is not None or session.stale)
        if unread:
            self.lockwarden.audits.open(unread)
        else:
            self.lockwarden.audits.start()

    @property
    def _in_list(self) -> bool:
        return not self.is_mounted or self.query_one(FileList).has_focus

    def action_back(self) -> None:
        """Go back to the list; there, give the running audit up."""
        if isinstance(self.focused, Input) or ((self.files.words or self.files.chosen) and self._in_list):
            self._close_filter(keep=False)
        elif not self._in_list:
            self.query_one(FileList).focus()
        else:
            cancel_audit(self)

    def action_diff(self) -> None:
        """Look at what the decisions change in all files."""
        self._open_diff(writing=False)

    def action_write(self) -> None:
        """Write all files with changes, after a look at the difference."""
        self._open_diff(writing=True)

    @work(group="look", exclusive=True, exit_on_error=False)
    async def _open_diff(self, *, writing: bool, agreed: Sequence[Changed] | None = None) -> None:
        """Show the difference. What a person has `agreed` to is written at once, if it is still the same."""
        try:
            changed = await asyncio.to_thread(changed_files, self.files, self.lockwarden.setup.second_reader)
        except LockwardenError as error:
            question = Confirmation(title="This cannot be written", rows=((error.message, error.hint),), safe="Back")
            self.app.push_screen(ConfirmScreen(question))
            return

        if agreed is not None and shown_of(agreed) == shown_of(changed):
            self.lockwarden.writing.write_all(changed)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                warnings = (warning for each in changed for warning in each.warnings)
                write = partial(self._open_diff, writing=True, agreed=changed)
                once_stripping_is_confirmed(self, warnings, write)

        notes = () if agreed is None else (CHANGED_MEANWHILE,)
        self.app.push_screen(FilesDiffScreen(changed, writing=writing, notes=notes), answered)

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    async def action_leave(self) -> None:
        """Leave; asks when decisions of any file would be lost."""
        await self.app.run_action("app.quit")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show a fault of our own as what it is."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.lockwarden.show_fault(event.worker.error)

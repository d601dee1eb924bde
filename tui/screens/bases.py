"""Which revision the lock file is compared with: branches, its own recent revisions, or any that is typed."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from lockwarden.core.git.model import PastRevision, Revision, Suggestion
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import QUIET
from lockwarden.tui.render.text import lines, plain, shorten, spaced
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.screens.review_app import app_of
from lockwarden.tui.widgets.line_input import LineInput
from lockwarden.tui.widgets.picker import VimList

_NOTHING: Final = "-"
"""The name of the line that compares with nothing; no revision can be called so."""
_HEAD: Final = "HEAD"


class BasesScreen(ModalScreen[str]):
    """Ends with the name of a revision, the empty text for none, or None when nothing is to change."""

    CSS_PATH = "bases.tcss"
    AUTO_FOCUS = "#revisions"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("bases", show=False),
        Binding("escape", "give_up", "Back", id="bases.back", tooltip="Go back without a change"),
    ]

    def __init__(self, lock_file: LockFile, base: str) -> None:
        super().__init__()
        self._lock_file = lock_file
        self._base = base
        self._asked = False
        """Whether git has said what there is, so that the cursor has its place."""
        self._found: tuple[tuple[Suggestion, ...], tuple[PastRevision, ...]] = ((), ())

    def compose(self) -> ComposeResult:
        """The revisions, a line for any other, and the way back."""
        with Vertical(id="question"):
            yield Static(plain("Compare the lock file with", "bold"), markup=False)
            yield VimList(id="revisions", markup=False, compact=True)
            yield Static(id="told", markup=False)
            with Horizontal(classes="line"):
                yield Label("Other")
                yield LineInput(self._base, id="revision", placeholder="a branch, a tag, a commit", compact=True)
            with Horizontal(id="answers"):
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Ask git, which may take a moment."""
        self.query_one("#revision", Input).cursor_blink = False
        self._show_message(plain("Asking git …", QUIET))
        self._load()

    @work(group="bases", exclusive=True, exit_on_error=False)
    async def _load(self) -> None:
        store = app_of(self).setup.store
        try:
            self._found = await asyncio.to_thread(store.revisions, self._lock_file)
            self._asked = True
        except LockwardenError as error:
            self._asked = True
            self._show()
            self._show_message(
                lines(plain(f"✗ {on_screen(error.message)}", "$text-error"), plain(f"→ {on_screen(error.hint)}", QUIET))
            )
            return
        self._show_message(Content("") if any(self._found) else plain("No revision has this lock file yet.", QUIET))
        self._show()

    def on_resize(self) -> None:
        """Lay the lines out anew for another width."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        """Show the revisions. The one in force comes first, so that enter changes nothing.

        Against HEAD one sees what is not committed yet.
        """
        revisions = self.query_one("#revisions", VimList)
        width = max(20, self.query_one("#question").scrollable_content_region.width - 2)
        suggestions, past = self._found
        if not past and not suggestions and not self._asked:
            return
        rows = {_NOTHING: plain("nothing: review the whole lock file")} if self._base else {}
        if past or suggestions:
            rows[_HEAD] = _line(_HEAD, "", "what is not committed yet", width)
        rows |= {each.revision.name: _row(each.revision, each.reason, width) for each in suggestions}
        rows |= {each.revision.id: _row(each.revision, each.revision.subject, width) for each in past}
        if self._base and self._base not in rows:
            rows = {self._base: _line(self._base, "", "what it is compared with now", width), **rows}
        at = revisions.highlighted
        revisions.set_options(Option(row, id=name) for name, row in rows.items())
        if rows:
            names = list(rows)
            revisions.highlighted = at if at is not None else names.index(self._base) if self._base in names else 0

    def _show_message(self, told: Content) -> None:
        where = self.query_one("#told", Static)
        where.update(told)
        where.display = bool(told)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        name = event.option_id or ""
        self.dismiss("" if name == _NOTHING else name)

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss(None)

    def action_give_up(self) -> None:
        """Go back without a change."""
        self.dismiss(None)


def _row(revision: Revision, told: str, width: int) -> Content:
    day = f"{revision.authored:%Y-%m-%d}" if revision.authored is not None else ""
    return _line(revision.name, day, told, width)


def _line(name: str, day: str, told: str, width: int) -> Content:
    """One revision on a line: its name, the day, and what it is."""
    head = spaced(plain(shorten(name, 24), "bold"), plain(day, QUIET))
    return spaced(head, plain(shorten(told, max(1, width - head.cell_length - 2))))

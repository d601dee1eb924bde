"""To which file a review is exported, which says in which form."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from lockwarden.core.reports.exported import ENDINGS
from lockwarden.tui.render.prose import QUIET
from lockwarden.tui.render.text import plain
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.widgets.line_input import LineInput

_NAME: Final = "lockwarden-review"
_TOLD: Final = "With its decisions. The name's ending says the form: .md Markdown, .json JSON, .html a page of its own."


class ExportScreen(ModalScreen[str]):
    """Ends with the name of a file; with an empty one when nothing is to be written."""

    CSS_PATH = "export.tcss"
    AUTO_FOCUS = "#file"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("export", show=False),
        Binding("escape", "give_up", "Back", id="export.back", tooltip="Go back without writing anything"),
    ]

    def __init__(self, what: str) -> None:
        """`what` is exported, in our own words."""
        super().__init__()
        self._what = what

    def compose(self) -> ComposeResult:
        """What is written, where, and the answers."""
        with Vertical(id="question"):
            yield Static(plain(f"Export {self._what}", "bold"), markup=False)
            yield Static(plain(_TOLD, QUIET), markup=False)
            with Horizontal(classes="line"):
                yield Label("File")
                yield LineInput(f"{_NAME}.md", id="file", placeholder=f"{_NAME}.html", compact=True)
            yield Static(id="problem", markup=False)
            with Horizontal(id="answers"):
                yield Button("Cancel", id="cancel")
                yield Button("Export", id="export")

    def on_mount(self) -> None:
        """Keep the cursor still."""
        self.query_one("#file", Input).cursor_blink = False
        self.query_one("#problem").display = False

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._finish()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "export":
            self._finish()
        else:
            self.dismiss("")

    def _finish(self) -> None:
        name = self.query_one("#file", Input).value.strip()
        if Path(name).suffix.lower() in ENDINGS:
            self.dismiss(name)
            return
        problem = self.query_one("#problem", Static)
        problem.update(plain(f"let the name end with {', '.join(ENDINGS)}"))
        problem.display = True
        self.query_one("#file", Input).focus()

    def action_give_up(self) -> None:
        """Write nothing."""
        self.dismiss("")

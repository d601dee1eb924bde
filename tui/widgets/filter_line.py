"""The line in which a filter is typed, with what it lets through at its end. It is there while it has a say."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Label, Static

from lockwarden.tui.render.text import plain
from lockwarden.tui.widgets.line_input import LineInput


class FilterLine(Horizontal):
    """Shows a filter, and hears what is typed; what that means is the screen's business, which gets it from `Input`."""

    DEFAULT_CSS = """
    FilterLine {
        height: 1;
        padding: 0 1;
        display: none;

        Label {
            width: auto;
            color: $text-accent;
        }

        Input {
            width: 1fr;
        }

        #filter-told {
            width: auto;
            color: $text-muted;
        }
    }
    """

    _input = query_one("#filter", Input)
    _told = query_one("#filter-told", Static)

    def __init__(self, placeholder: str) -> None:
        super().__init__(id="filter-line")
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """The parts from left to right."""
        yield Label("/ ")
        yield LineInput(id="filter", placeholder=self._placeholder, compact=True)
        yield Static(id="filter-told", markup=False)

    def on_mount(self) -> None:
        """Keep the cursor still: nothing on the screen moves by itself."""
        self._input.cursor_blink = False

    def open(self) -> None:
        """Show the line and put the cursor into it, both at once: what is typed next goes there."""
        self.display = True
        self.screen.set_focus(self._input)

    def clear(self) -> None:
        """Empty the line; nobody hears of it as of something typed."""
        with self.prevent(Input.Changed):
            self._input.value = ""

    def stay(self, *, shown: bool) -> None:
        """Stay on the screen without the cursor, or go."""
        self.display = shown

    def show(self, text: str, told: Content) -> None:
        """Show a filter and what it does; what is being typed stays as it is typed."""
        typing = self._input.has_focus
        self.stay(shown=typing or bool(text))
        if not typing and self._input.value.strip() != text:
            with self.prevent(Input.Changed):
                self._input.value = text
        before = self._told.content
        if not (isinstance(before, Content) and told.is_same(before)):  # every update lays the whole screen out anew
            self._told.update(told)


def told_of(problem: str, *, shown: int, total: int, active: bool) -> Content:
    """What is wrong with a filter, or how much it lets through."""
    words = problem or (f"{shown} of {total} shown, esc clears" if active else "")
    return plain(words, "$text-warning" if problem else "")

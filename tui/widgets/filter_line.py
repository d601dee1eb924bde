"""The line in which a filter is typed, with what it lets through at its end. It is there while it has a say.

What is wrong with a filter has a place of its own below, so that what there is instead can be read on any screen.
"""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Label, Static

from lockwarden.tui.widgets.line_input import LineInput

NOTHING: Final = Content("")


class FilterLine(Vertical):
    """Shows a filter, and hears what is typed; what that means is the screen's business, which gets it from `Input`."""

    DEFAULT_CSS = """
    FilterLine {
        height: auto;
        padding: 0 1;
        display: none;

        Horizontal {
            height: 1;
        }

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

        #filter-problem {
            color: $text-warning;
            display: none;
        }
    }
    """

    _input = query_one("#filter", Input)
    _told = query_one("#filter-told", Static)
    _problem = query_one("#filter-problem", Static)

    def __init__(self, placeholder: str) -> None:
        super().__init__(id="filter-line")
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """The parts from left to right, and what is wrong."""
        with Horizontal():
            yield Label("/ ")
            yield LineInput(id="filter", placeholder=self._placeholder, compact=True)
            yield Static(id="filter-told", markup=False)
        yield Static(id="filter-problem", markup=False)

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

    def show(self, text: str, told: Content, problem: Content = NOTHING) -> None:
        """Show a filter and what it does, or what is wrong with it; what is being typed stays as it is typed."""
        typing = self._input.has_focus
        self.stay(shown=typing or bool(text))
        if not typing and self._input.value.strip() != text:
            with self.prevent(Input.Changed):
                self._input.value = text
        _update(self._told, told)
        _update(self._problem, problem)
        self._problem.display = bool(problem)


def _update(static: Static, content: Content) -> None:
    """Show a content unless it is shown already: every update lays the whole screen out anew."""
    before = static.content
    if not (isinstance(before, Content) and content.is_same(before)):
        static.update(content)

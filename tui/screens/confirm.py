"""A question with a safe answer, which has the focus, and perhaps a risky one."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button

from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import advice, hanging
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.widgets.prose_view import ProseView


class Confirmation(Struct, frozen=True, kw_only=True):
    """What is asked: a title, sentences with hints, and the words on the buttons."""

    title: str
    rows: tuple[tuple[str, str], ...]
    safe: str
    risky: str = ""
    """Empty when there is nothing to choose."""


class ConfirmScreen(ModalScreen[bool]):
    """Ends with True for the risky answer, with False for the safe one and for esc."""

    CSS_PATH = "confirm.tcss"
    AUTO_FOCUS = "#safe"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("confirm", show=False),
        Binding("escape", "answer(False)", "Back", id="confirm.back", tooltip="Take the safe answer"),
        Binding("left,h", "app.focus_previous", "Previous", show=False, id="confirm.previous"),
        Binding("right,l", "app.focus_next", "Next", show=False, id="confirm.next"),
    ]

    def __init__(self, question: Confirmation) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The safe answer comes first."""
        with Vertical(id="question"):
            with VerticalScroll(can_focus=False):
                yield ProseView(id="text")
            with Horizontal(id="answers"):
                yield Button(plain(self._question.safe), id="safe")
                if self._question.risky:
                    yield Button(plain(self._question.risky), id="risky")

    def on_mount(self) -> None:
        """Say what is asked."""
        self.query_one(ProseView).show(self._prose)

    def _prose(self, width: int) -> Content:
        rows: list[Content] = [*hanging(Content(""), plain(self._question.title, "bold"), width)]
        for text, hint in self._question.rows:
            rows += [Content(""), *hanging(Content(""), plain(on_screen(text)), width)]
            rows += advice(hint, width, prefix="→ ")
        return lines(*rows)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "risky")

    def action_answer(self, agreed: bool) -> None:
        """Answer without a button."""
        self.dismiss(agreed)

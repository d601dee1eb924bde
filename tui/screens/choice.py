"""A question with several answers, each with its key written on it; the safe one comes first and has the focus."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button

from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import hanging
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.widgets.prose_view import ProseView


class Alternative(Struct, frozen=True):
    """One thing to do instead of staying."""

    key: str
    word: str


WRITE: Final = Alternative("w", "Write")
LEAVE: Final = Alternative("y", "Leave")


class ChoiceScreen(ModalScreen[str]):
    """Ends with the key of the answer; with an empty one for staying, which esc means, too."""

    CSS_PATH = "choice.tcss"
    AUTO_FOCUS = "#stay"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("choice", show=False),
        Binding("escape", "stay", "Stay", id="choice.stay", tooltip="Stay where you are"),
        Binding("left,h", "app.focus_previous", "Previous", show=False, id="choice.previous"),
        Binding("right,l", "app.focus_next", "Next", show=False, id="choice.next"),
    ]

    def __init__(self, title: str, text: str, answers: tuple[Alternative, ...], *, stay: str = "Stay") -> None:
        super().__init__()
        self._title, self._text = title, text
        self._answers, self._stay = answers, stay

    def compose(self) -> ComposeResult:
        """The question, then the answers."""
        with Vertical(id="question"):
            with VerticalScroll(can_focus=False):
                yield ProseView(id="text")
            with Horizontal(id="answers"):
                yield Button(plain(f"{self._stay} (esc)"), id="stay")
                for each in self._answers:
                    yield Button(plain(f"{each.word} ({each.key})"), id=f"answer-{each.key}")

    def on_mount(self) -> None:
        """Say what is asked."""
        self.query_one(ProseView).show(self._prose)

    def _prose(self, width: int) -> Content:
        head = hanging(Content(""), plain(self._title, "bold"), width)
        return lines(*head, Content(""), *hanging(Content(""), plain(on_screen(self._text)), width))

    def on_key(self, event: events.Key) -> None:
        """Take the answer whose key it is."""
        if any(event.key == each.key for each in self._answers):
            event.stop()
            self.dismiss(event.key)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss((event.button.id or "").removeprefix("answer-") if event.button.id != "stay" else "")

    def action_stay(self) -> None:
        """Stay."""
        self.dismiss("")


class LeaveScreen(ChoiceScreen):
    """Asked before decisions would be lost. What is written is looked at first."""

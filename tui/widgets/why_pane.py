"""The why-pane: the reasons of the selected hash, or what is known of the selected provider."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message

from lockwarden.tui.widgets.prose_view import Prose, ProseView
from lockwarden.tui.widgets.titles import retitle


class WhyPane(VerticalScroll, can_focus=True):
    """Sentences laid out for the width of the pane, scrolled with the arrow keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "Down", show=False),
        Binding("k", "scroll_up", "Up", show=False),
        Binding("left", "screen.pane_left", "Providers", show=False, id="review.pane_left"),
        Binding("right", "screen.pane_right", "Hashes", show=False, id="review.pane_right"),
        Binding("enter", "open", "Open", show=False),
    ]

    class Opened(Message):
        """A person wants to see everything about what the pane speaks of."""

    def __init__(self) -> None:
        super().__init__(id="why")
        self._topic: object = None

    def compose(self) -> ComposeResult:
        """One block of text."""
        yield ProseView()

    def show(self, title: Content, topic: object, prose: Prose) -> None:
        """Speak of `topic`; the place in the text is kept while the topic stays the same."""
        retitle(self, title, Content(""))
        self.query_one(ProseView).show(prose)
        if topic != self._topic:
            self._topic = topic
            self.scroll_home(animate=False)

    def action_open(self) -> None:
        """Show everything."""
        self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        """A double click shows everything."""
        if event.chain > 1:
            self.action_open()

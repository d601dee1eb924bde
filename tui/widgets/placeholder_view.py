"""Shows what stands in the place of a review."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from lockwarden.tui.render.placeholders import render_placeholder
from lockwarden.tui.state.placeholders import Placeholder
from lockwarden.tui.widgets.prose_view import ProseView


class PlaceholderView(VerticalScroll, can_focus=True):
    """Shows one placeholder, or nothing."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._placeholder: Placeholder | None = None

    def compose(self) -> ComposeResult:
        """One block of text."""
        yield ProseView()

    def show(self, placeholder: Placeholder | None) -> None:
        """Show the placeholder, or nothing."""
        if placeholder == self._placeholder:
            return
        self._placeholder = placeholder
        self.query_one(ProseView).show(
            lambda width: Content("") if placeholder is None else render_placeholder(placeholder, width)
        )

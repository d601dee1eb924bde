"""A block of prose that wraps itself: it is told how to say something for a width, and is as high as that takes."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult, RenderResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from lockwarden.tui.render.review import render_placeholder
from lockwarden.tui.state.placeholders import Placeholder

Prose = Callable[[int], Content]
"""What to show for a width in cells; no line of it is longer."""


class ProseView(Widget):
    """Shows what prose says, laid out anew for every width."""

    DEFAULT_CSS = """
    ProseView {
        width: 1fr;
        height: auto;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._prose: Prose = lambda _: Content("")
        self._laid_out: tuple[int, Content] = (-1, Content(""))

    def show(self, prose: Prose) -> None:
        """Show something else: painted anew only where it differs, and the screen laid out anew only for its height."""
        width, before = self._laid_out
        self._prose, self._laid_out = prose, (-1, Content(""))
        if width != self.size.width or width < 1:
            self.refresh(layout=True)
            return
        now = self._lay_out(width)
        if now.plain.count("\n") != before.plain.count("\n"):
            self.refresh(layout=True)
        elif not now.is_same(before):
            self.refresh()

    def _lay_out(self, width: int) -> Content:
        if self._laid_out[0] != width:
            self._laid_out = (width, self._prose(max(10, width)))
        return self._laid_out[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the prose takes."""
        return self._lay_out(width).plain.count("\n") + 1

    def render(self) -> RenderResult:
        """The prose for the present width."""
        return self._lay_out(self.size.width)


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

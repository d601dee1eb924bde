"""A block of prose that wraps itself: it is told how to say something for a width, and is as high as that takes.

Only the lines that are seen are drawn: a long text opens as fast as a short one.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual.app import ComposeResult, RenderResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from lockwarden.tui.render.review import render_placeholder
from lockwarden.tui.render.text import lines
from lockwarden.tui.state.placeholders import Placeholder
from lockwarden.tui.widgets.drawing import Drawing, fits

Rows = tuple[Content, ...]
Prose = Callable[[int], Content | Rows]
"""What to show for a width in cells, in one piece or line by line; no line of it is longer."""


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
        self._laid_out: tuple[int, Rows] = (-1, (Content(""),))
        self._as_it_stands: tuple[int, Rows, bool] = (-1, (), False)
        """Whether every line of what was laid out for a width fits into it."""
        self._drawing = Drawing(self, self._get_style)

    def show(self, prose: Prose) -> None:
        """Show something else: painted anew only where it differs, and the screen laid out anew only for its height."""
        width, before = self._laid_out
        self._prose, self._laid_out = prose, (-1, (Content(""),))
        if width != self.size.width or width < 1:
            self.refresh(layout=True)
            return
        now = self._lay_out(width)
        if len(now) != len(before):
            self.refresh(layout=True)
        elif not all(one.is_same(other) for one, other in zip(now, before, strict=True)):
            self.refresh()

    def _lay_out(self, width: int) -> Rows:
        if self._laid_out[0] != width:
            self._laid_out = (width, _rows(self._prose(max(10, width))))
        return self._laid_out[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many lines as the prose takes."""
        return len(self._lay_out(width))

    def render(self) -> RenderResult:
        """All of the prose for the present width."""
        return lines(*self._lay_out(self.size.width))

    def render_line(self, y: int) -> Strip:
        """One line of it; where lines are selected, or do not fit, Textual draws all of them."""
        width = self.size.width
        rows = self._lay_out(width)
        if self.text_selection is not None or not self._fit(width, rows):
            return super().render_line(y)
        row, style = rows[y] if y < len(rows) else Content(""), self.visual_style
        drawn = self._drawing.strip(row, y, style, width) if row else None
        return drawn or Strip([Segment("", style.rich_style)], 0)

    def _fit(self, width: int, rows: Rows) -> bool:
        before = self._as_it_stands
        if before[0] != width or before[1] is not rows:
            self._as_it_stands = before = (width, rows, all(fits(each, width) for each in rows))
        return before[2]


def _rows(prose: Content | Rows) -> Rows:
    return tuple(prose.split("\n", allow_blank=True)) if isinstance(prose, Content) else prose or (Content(""),)


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

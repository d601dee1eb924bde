"""Draws lines that are laid out already: the strips that Textual would make of them, without working out each anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.content import Content, Span
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget


class Drawing:
    """Draws for one widget, and remembers what its styles are in the theme that is in use.

    What is selected with the mouse, wider than the room, or a link that is followed inside the app is left to Textual.
    """

    def __init__(self, widget: Widget, get_style: Callable[[Style | str], Style]) -> None:
        self._widget, self._get_style = widget, get_style
        self._theme = ""
        self._worked_out: dict[Style, dict[tuple[str, int, int], RichStyle]] = {}
        """Styles over a style that lies below, by where their text begins."""

    def strips(self, content: Content, style: Style, width: int, height: int) -> list[Strip]:
        """As many lines of a content as it has, up to `height`, each `width` cells wide."""
        if self._widget.text_selection is None:
            rows = [content] if "\n" not in content.plain else content.split("\n", allow_blank=True)
            drawn = [self._strip(row, place, style, width) for place, row in enumerate(rows[:height])]
            if None not in drawn:
                return [each for each in drawn if each is not None]
        return Visual.to_strips(self._widget, content, width, height, style, pad=True)

    def _strip(self, row: Content, place: int, style: Style, width: int) -> Strip | None:
        """One line; None where it takes more than putting its parts beside each other."""
        text, left = row.plain, width - row.cell_length
        if left < 0 or "\t" in text:
            return None
        parts = _parts(text, row.spans)
        if parts is None:
            return None
        looks = self._looks(style)
        segments = []
        for part, look, begin in parts:
            found = looks.get((look, begin, place))
            if found is None:
                over = style + (Style.combine((style, self._get_style(look))) if look else style)
                looks[look, begin, place] = found = over.rich_style_with_offset(begin, place)
            segments.append(Segment(part, found))
        if left:
            blank = looks.get(("", -1, -1))
            if blank is None:
                looks["", -1, -1] = blank = (style + Style(reverse=False)).rich_style
            segments.append(Segment(" " * left, blank))
        return Strip(segments, width)

    def _looks(self, style: Style) -> dict[tuple[str, int, int], RichStyle]:
        theme = self._widget.app.theme
        if theme != self._theme:
            self._theme, self._worked_out = theme, {}
        return self._worked_out.setdefault(style, {})


def _parts(text: str, spans: Sequence[Span]) -> list[tuple[str, str, int]] | None:
    """The text in parts of one style each, with where they begin; None where styles overlap or do more than look."""
    parts: list[tuple[str, str, int]] = []
    at = 0
    for start, end, look in sorted(spans, key=_begin) if len(spans) > 1 else spans:
        if start < at or not isinstance(look, str):
            return None
        if start > at:
            parts.append((text[at:start], "", at))
        if end > start:
            parts.append((text[start:end], look, start))
        at = end
    if at < len(text):
        parts.append((text[at:], "", at))
    return parts


def _begin(span: Span) -> int:
    return span.start

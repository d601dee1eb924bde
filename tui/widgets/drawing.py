"""Draws lines that are laid out already: the strips that Textual would make of them, without working out each anew."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

_Look = tuple[Style | str, ...]
"""What lies over each other, the uppermost last."""


class Drawing:
    """Draws for one widget, and remembers what its styles are in the theme that is in use.

    What is selected with the mouse, wider than the room, or a link that is followed inside the app is left to Textual.
    """

    def __init__(self, widget: Widget, get_style: Callable[[Style | str], Style]) -> None:
        self._widget, self._get_style = widget, get_style
        self._theme = ""
        self._worked_out: dict[Style, dict[tuple[_Look, int, int], RichStyle]] = {}
        """Styles over a style that lies below, by where their text begins."""

    def strips(self, content: Content, style: Style, width: int, height: int) -> list[Strip]:
        """As many lines of a content as it has, up to `height`, each `width` cells wide."""
        if self._widget.text_selection is None:
            rows = [content] if "\n" not in content.plain else content.split("\n", allow_blank=True)
            drawn = [self.strip(row, place, style, width) for place, row in enumerate(rows[:height])]
            if None not in drawn:
                blank = (style + Style(reverse=False)).rich_style
                return [each.extend_cell_length(width, blank) for each in drawn if each is not None]
        return Visual.to_strips(self._widget, content, width, height, style, pad=True)

    def strip(self, row: Content, place: int, style: Style, width: int) -> Strip | None:
        """The line at a place of a content; None where it takes more than putting its parts beside each other."""
        if not fits(row, width):
            return None
        looks = self._looks(style)
        segments = []
        for part, look, begin in _parts(row):
            found = looks.get((look, begin, place))
            if found is None:
                over = style + (Style.combine((style, *map(self._get_style, look))) if look else style)
                looks[look, begin, place] = found = over.rich_style_with_offset(begin, place)
            segments.append(Segment(part, found))
        return Strip(segments, row.cell_length)

    def _looks(self, style: Style) -> dict[tuple[_Look, int, int], RichStyle]:
        theme = self._widget.app.theme
        if theme != self._theme:
            self._theme, self._worked_out = theme, {}
        return self._worked_out.setdefault(style, {})


def fits(row: Content, width: int) -> bool:
    """Whether a line is one as it stands, and no more than text and how it looks."""
    return (
        row.cell_length <= width and "\t" not in row.plain and not any(_is_followed(each.style) for each in row.spans)
    )


def _is_followed(look: Style | str) -> bool:
    return "@click" in (look if isinstance(look, str) else look.meta)


def _parts(row: Content) -> list[tuple[str, _Look, int]]:
    """The text in parts of one look each, with where they begin."""
    text, spans = row.plain, row.spans
    cuts = sorted({0, len(text), *(span.start for span in spans), *(span.end for span in spans)})
    return [
        (text[begin:end], tuple(span.style for span in spans if span.start <= begin and end <= span.end), begin)
        for begin, end in pairwise(cuts)
    ]

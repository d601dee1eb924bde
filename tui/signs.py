"""The screen in ASCII, for terminals without Unicode: every sign and frame in the cells that it takes otherwise."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS: Final = {
    "✗": "x",
    "✓": "v",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    "·": "-",
    "▲": "^",
    "●": "*",
    "•": "*",
    "…": "~",
    "“": '"',
    "”": '"',
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
    "▸": ">",
    "▐": "[",
    "▌": "]",
}
_STRONG: Final = ("HEAVY", "DOUBLE")
"""Lines that are stronger than others in a frame."""


class AsciiSigns(LineFilter):
    """Says every character in ASCII. A frame around what has the focus differs from the others there, too."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """The same segments in ASCII."""
        return [
            segment if segment.text.isascii() else Segment(in_cells(segment.text), segment.style, segment.control)
            for segment in segments
        ]


@lru_cache(4096)
def in_cells(text: str) -> str:
    """A text in ASCII that takes as many cells; a question mark stands in each cell of what is not ours."""
    return "".join(char if char.isascii() else _in_cell(char) for char in text)


def _in_cell(char: str) -> str:
    if (sign := _SIGNS.get(char)) is not None:
        return sign
    name = unicodedata.name(char, "")
    if name.startswith("BOX DRAWINGS"):
        return _line(name)
    if "\u2580" <= char <= "\u259f":  # blocks, of which scroll bars are made; their colours or reversal tell them
        return "#" if char in "█▓▒░" else " "
    return "?" * cell_len(char)


def _line(name: str) -> str:
    """A piece of a frame by its name in Unicode."""
    kind = name.removeprefix("BOX DRAWINGS ")
    across, down = "HORIZONTAL" in kind, "VERTICAL" in kind
    if across and not down and "DOWN" not in kind and " UP" not in kind:
        return "=" if kind.startswith(_STRONG) else "-"
    if down and not across and "LEFT" not in kind and "RIGHT" not in kind:
        return "|"
    return "+"

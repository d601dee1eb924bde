"""The one door for text from outside on its way to the screen.

Addresses, hashes, constraints, user IDs, sentences of servers and file names are data: they may hold terminal control
sequences, markup, characters that turn the reading direction, or ones that cannot be seen. `reveal` spells all of these
out; `plain` wraps the result so that no widget reads it as markup. Values stay exact everywhere else: nothing
that was revealed is compared or written.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from lockwarden.core.values.printable import reveal

__all__ = [
    "MAX_SHOWN",
    "bounded",
    "cells",
    "lines",
    "plain",
    "reveal",
    "shorten",
    "shorten_hash",
    "shorten_middle",
    "shorten_start",
    "spaced",
]

MAX_SHOWN: Final = 4000
"""Characters of one value that are shown. What is cut is counted, and the reports have all of it."""


def bounded(value: str) -> str:
    """The value revealed; what is longer than anybody reads is counted."""
    if len(value) <= MAX_SHOWN:
        return reveal(value)
    return f"{reveal(value[:MAX_SHOWN])}… ({len(value) - MAX_SHOWN} more characters)"


def plain(value: str, style: str = "") -> Content:
    """The value as content without markup, in a style of theme variables."""
    return Content.styled(bounded(value), style)


def shorten(value: str, width: int) -> str:
    """The value revealed and cut at its end to `width` cells, with an ellipsis when something is missing."""
    shown = bounded(value)
    if cell_len(shown) <= width:
        return shown
    return f"{shown[: _fitting(shown, width - 1)]}…" if width > 0 else ""


def shorten_start(value: str, width: int) -> str:
    """The value revealed and cut at its start, for paths, whose end says more."""
    shown = bounded(value)
    if cell_len(shown) <= width:
        return shown
    cut = len(shown) - _fitting(reversed(shown), width - 1)
    return f"…{shown[cut:]}" if width > 0 else ""


def shorten_middle(value: str, width: int) -> str:
    """The value revealed and cut in its middle, for paths of which both ends tell something."""
    shown = bounded(value)
    if cell_len(shown) <= width:
        return shown
    room = max(0, width - 1)
    end = len(shown) - _fitting(reversed(shown), room - room // 3)
    return f"{shown[: _fitting(shown, room // 3)]}…{shown[end:]}" if width > 0 else ""


def _fitting(chars: Iterable[str], width: int) -> int:
    """How many of the characters fit into `width` cells."""
    return sum(1 for taken in accumulate(cell_len(char) for char in chars) if taken <= width)


def shorten_hash(text: str, width: int) -> str:
    """A hash cut in its middle, so that both ends can be compared; at its end where there is little room."""
    shown = bounded(text)
    if cell_len(shown) <= width:
        return shown
    tail = min(6, (width - 10) // 3)
    if tail < 2 or not shown.isascii():
        return shorten(text, width)
    return f"{shown[: width - tail - 1]}…{shown[-tail:]}"


def cells(value: str) -> int:
    """How many cells the revealed value takes on one line."""
    return cell_len(bounded(value))


def lines(*rows: Content) -> Content:
    """The rows one under the other."""
    return Content("\n").join(rows)


def spaced(*parts: Content, gap: int = 2) -> Content:
    """The parts that are not empty beside each other, `gap` blanks between them."""
    return Content(" " * gap).join([part for part in parts if part])

"""The exact difference between two states of a file, line by line, with line ends that people can see. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

_MANY: Final = 4_000
"""Lines of both states from which on difflib alone takes seconds: its time is that of lines by changes."""
_LINE_END = re.compile(rb"\r\n|\n|\r")


class Sign(StrEnum):
    """What a line of a difference is."""

    FILE = "="
    """The name of the file that the lines below are of."""
    PLACE = "@"
    SAME = " "
    ADDED = "+"
    REMOVED = "-"


class DiffLine(Struct, frozen=True):
    """One line of a difference, its text exactly as it is in the file but for its end, which is written out."""

    sign: Sign
    text: str


def difference(before: bytes, after: bytes, *, around: int = 3) -> tuple[DiffLine, ...]:
    """The unified difference with some lines around each change; empty when nothing differs.

    Bytes that are not UTF-8 stand as lone surrogates, which the screen spells out. A line end other than a line feed,
    and a missing one at the end of the file, is written out, since it is part of what is written.
    """
    return tuple(_difference(before, after, around))


def difference_of_files(files: Iterable[tuple[str, bytes, bytes]]) -> tuple[DiffLine, ...]:
    """The differences of several files, each below its name; files in which nothing differs are left out."""
    found: list[DiffLine] = []
    for name, before, after in files:
        if own := difference(before, after):
            found += (DiffLine(Sign.FILE, name), *own)
    return tuple(found)


def _difference(before: bytes, after: bytes, around: int) -> Iterator[DiffLine]:
    import difflib  # few commands need it

    old, new = _lines(before), _lines(after)
    if len(old) + len(new) > _MANY:
        from lockwarden.core.reports.large_differences import unified

        yield from (DiffLine(Sign(sign), text) for sign, text in unified(old, new, around))
        return
    for line in list(difflib.unified_diff(old, new, n=around, lineterm=""))[2:]:
        sign, text = line[:1], line[1:]
        if sign == "@":
            yield DiffLine(Sign.PLACE, f"@{text}")
        else:
            yield DiffLine(Sign(sign), text)


def _lines(data: bytes) -> list[str]:
    """The lines of a file, each with its end in a form that can be seen and compared."""
    lines = []
    start = 0
    for match in _LINE_END.finditer(data):
        lines.append(_text(data[start : match.start()]) + {b"\n": "", b"\r\n": "␍␊", b"\r": "␍"}[match.group()])
        start = match.end()
    if start < len(data):
        lines.append(_text(data[start:]) + " (no line end)")
    return lines


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="surrogateescape")

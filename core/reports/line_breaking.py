"""Lines of a finished text, broken for a width: sentences between words, tables between columns.

How many cells a text takes is asked of `cells`, which whoever knows the terminal hands in: commands and screen are to
say the same of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from lockwarden.core.values.late_patterns import LatePattern

Cells = Callable[[str], int]
"""The cells that a text takes: two for a wide character, none for a mark above another."""
NARROWEST: Final = 40
"""Cells below which no line is broken: there would be more indentation than text."""
_BEGIN: Final = LatePattern(r" *(?:[✗?▲✓+→·-] )?")
_COLUMNS: Final = LatePattern(r"\S {2,}\S")
"""Between the columns of a table."""
_STARTS: Final = LatePattern(r"(?:^|(?<=  ))\S")
_GAP: Final = "  "
_BELOW: Final = 4
"""Cells by which a column that has no room in its row hangs below it."""


def broken(lines: Sequence[str], width: int, cells: Cells) -> Iterator[tuple[str, list[str]]]:
    """Each line with the lines that it becomes, of `width` cells at most where that can be."""
    for is_row, group in groupby(lines, lambda line: _COLUMNS.search(line) is not None):
        if is_row and width >= NARROWEST:
            for rows in _tables(group):
                yield from _table(rows, width, cells)
        else:
            yield from ((each, wrapped(each, width, cells)) for each in group)


def wrapped(line: str, width: int, cells: Cells) -> list[str]:
    """The line in pieces of `width` cells at most, broken between words, what follows below where its words began.

    A word that is longer, such as a hash, stays whole, so that it can be copied; a single row of a table stays a row.
    """
    if width < NARROWEST or cells(line) <= width or _COLUMNS.search(line):
        return [line]
    found = _BEGIN.match(line)
    begin = found[0] if found is not None else ""
    below = " " * (len(begin) if begin.strip() else len(begin) + 2)
    pieces: list[str] = []
    piece = begin
    bare = True
    for word in line[len(begin) :].split(" "):
        longer = piece + word if bare else f"{piece} {word}"
        if not bare and cells(longer) > width:
            pieces.append(piece)
            longer = below + word
        piece, bare = longer, False
    return [*pieces, piece]


def _tables(rows: Iterable[str]) -> Iterator[list[str]]:
    """Rows that follow each other, by tables: two of one have a column in common, beside what they are indented by."""
    table: list[str] = []
    before: set[int] = set()
    for row in rows:
        starts = _starts(row)
        if table and len(starts & before) < 2:
            yield table
            table = []
        table.append(row)
        before = starts
    yield table


def _starts(row: str) -> set[int]:
    """Where something begins behind a gap."""
    return {found.start() for found in _STARTS.finditer(row)}


def _table(rows: Sequence[str], width: int, cells: Cells) -> Iterator[tuple[str, list[str]]]:
    """The rows, with the widest columns below each where they have no room beside the others.

    They come with their columns at the same characters, which are the same cells only where no character is wide.
    """
    starts = _common_starts(rows)
    if len(starts) < 3 or (max(map(cells, rows)) <= width and all(cells(row) == len(row) for row in rows)):
        yield from ((each, [each]) for each in rows)
        return
    table = [[row[start:end].rstrip() for start, end in zip(starts, [*starts[1:], None], strict=True)] for row in rows]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    beside = list(range(len(starts)))
    while len(beside) > 1 and starts[0] + sum(widths[each] + len(_GAP) for each in beside) - len(_GAP) > width:
        beside.remove(max(beside[1:], key=widths.__getitem__))
    indent = " " * starts[0]
    for row, columns in zip(rows, table, strict=True):
        kept = _GAP.join(columns[each] + " " * (widths[each] - cells(columns[each])) for each in beside)
        below = [each for number, each in enumerate(columns) if number not in beside and each]
        hanging = " " * _BELOW
        yield (
            row,
            [
                f"{indent}{kept}".rstrip(),
                *(piece for each in below for piece in wrapped(f"{indent}{hanging}{each}", width, cells)),
            ],
        )


def _common_starts(rows: Sequence[str]) -> list[int]:
    """Where columns begin: a word stands there in some row, and in no row does anything stand in the gap before it."""
    starts = set[int]().union(*map(_starts, rows))
    first = min(len(row) - len(row.lstrip()) for row in rows)
    clear = (each for each in starts if all(not row[max(first, each - len(_GAP)) : each].strip() for row in rows))
    return sorted(each for each in clear if each >= first)

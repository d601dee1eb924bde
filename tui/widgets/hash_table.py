"""The hashes of one provider, a row each, by `HashKey`; as many columns as fit, and never a horizontal scroll bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from msgspec import Struct
from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content, Span
from textual.message import Message

from lockwarden.core.engine.user_settings import COLUMNS
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.rows import NOT_A_PACKAGE, UNKNOWN_PLATFORM, HashRow, Moved
from lockwarden.tui.render.columns import PADDING, Column, ColumnName, columns_for
from lockwarden.tui.render.styles import DASH, STYLES, Hue, of_decision, of_row
from lockwarden.tui.render.text import bounded, shorten, shorten_hash
from lockwarden.tui.state.filters import MOVES
from lockwarden.tui.widgets.line_list import LineList

_SHORT_HEADER: Final = "Signer"
"""Of the one column that may be narrower than its header."""
_MOVES: Final = {moved: word for word, moved in MOVES.items()}
_Cell = tuple[str, str]
"""What a cell says, as it is, and its style."""
_NOTHING: Final[_Cell] = (DASH, STYLES[Hue.QUIET])
_EMPTY: Final[_Cell] = ("", "")


class Line(Struct, frozen=True, kw_only=True):
    """One row as it is to be shown."""

    key: HashKey
    row: HashRow
    decision: Decision
    made: bool
    """A person has decided it."""
    marked: bool
    same_package: bool
    """The row above belongs to the same package, so that the platform need not be said again."""
    waiting: bool


class HashTable(LineList[HashKey]):
    """A table of hashes. It holds no decision, and its cursor is a hash, not a place."""

    has_header = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.pane_left", "Providers", show=False, id="review.pane_left"),
        Binding("right", "screen.pane_right", "Hashes", show=False, id="review.pane_right"),
        Binding("enter", "open", "Open", show=False),
    ]

    class HashMoved(Message):
        """A person moved the cursor to a hash."""

        def __init__(self, key: HashKey) -> None:
            super().__init__()
            self.key = key

    class HashOpened(Message):
        """A person wants to see everything about a hash."""

        def __init__(self, key: HashKey) -> None:
            super().__init__()
            self.key = key

    def __init__(self, columns: tuple[str, ...] = COLUMNS) -> None:
        """`columns` are those that are shown of the ones that may be left out."""
        super().__init__(id="table")
        self._chosen = columns
        self._lines: dict[HashKey, Line] = {}
        self._compared = False
        self._fitting: tuple[int, bool, tuple[Column, ...]] = (-1, False, ())
        self._drawn: dict[HashKey, tuple[Line, int, bool, Content]] = {}
        """What was drawn last of each hash, and what it was drawn from."""

    def show(self, lines: Sequence[Line], selected: HashKey | None, *, compared: bool = False) -> None:
        """Show these rows; the same rows in the same order keep their place, and only changed ones are drawn anew.

        How each moved is told when the lock file is `compared` with an earlier state.
        """
        if compared != self._compared:
            self.refresh()
        self._lines, self._compared = {line.key: line for line in lines}, compared
        self._drawn = {key: drawn for key, drawn in self._drawn.items() if key in self._lines}
        self.show_entries(tuple(self._lines), selected)

    @property
    def entry_height(self) -> int:
        """Always one line."""
        return 1

    def header(self, width: int) -> Content:
        """The names of the columns."""
        columns = self._columns(width)
        return _row([(_named(column), "") for column in columns], columns)

    def _columns(self, width: int) -> tuple[Column, ...]:
        """The columns for a width, worked out once for as long as nothing else changes them."""
        if self._fitting[:2] != (width, self._compared):
            columns = columns_for(width, compared=self._compared, chosen=self._chosen)
            self._fitting = (width, self._compared, columns)
        return self._fitting[2]

    def content_of(self, key: HashKey, width: int) -> Content:
        """The row of a hash."""
        line, before = self._lines[key], self._drawn.get(key)
        if before is None or before[1:3] != (width, self._compared) or before[0] != line:
            columns = self._columns(width)
            told = _row([_cell(line, column) for column in columns], columns)
            self._drawn[key] = before = (line, width, self._compared, told)
        return before[3]

    def tell(self, key: HashKey, *, opened: bool) -> None:
        """Tell where a person moved, or what they want to see all of."""
        self.post_message(self.HashOpened(key) if opened else self.HashMoved(key))


def _row(cells: Sequence[_Cell], columns: Sequence[Column]) -> Content:
    """The cells beside each other, each as wide as its column, with a blank before and behind it."""
    text, spans = "", []
    for (value, style), column in zip(cells, columns, strict=True):
        shown = bounded(value)
        begin = len(text) + PADDING // 2
        if style:
            spans.append(Span(begin, begin + len(shown), style))
        blanks = PADDING + max(0, column.width - cell_len(shown))
        text = f"{text}{' ' * (PADDING // 2)}{shown}{' ' * (blanks - PADDING // 2)}"
    return Content(text, spans)


def _named(column: Column) -> str:
    return column.name.value if column.width >= len(column.name) else _SHORT_HEADER


def _cell(line: Line, column: Column) -> _Cell:
    row = line.row
    match column.name:
        case ColumnName.VERDICT:
            look, word = of_row(row, waiting=line.waiting)
            return f"{look.glyph} {word}", look.style
        case ColumnName.CHANGE:
            return _moved(row.moved)
        case ColumnName.PLATFORM:
            return _platform(line, column.width)
        case ColumnName.HASH:
            mark = "▸ " if line.marked else ""
            shown = shorten_hash(row.hash.text, column.width - len(mark))
            return mark + shown, "bold" if row.objects or line.marked else ""
        case _ if line.waiting:
            return _EMPTY
        case ColumnName.SIGNED_BY:
            return _signers(row, column.width)
        case ColumnName.REGISTRY:
            return _flag(row.disposition.reported_by_registry)
        case ColumnName.LOCAL:
            return _flag(row.disposition.verified_locally)
        case ColumnName.DECISION:
            word, hue, strong = of_decision(line.decision, row, made=line.made)
            return word, f"{STYLES[hue]} {'bold' if strong else ''}".strip()


def _moved(moved: Moved | None) -> _Cell:
    if moved is None:
        return _NOTHING
    return _MOVES[moved], STYLES[Hue.NEW if moved is Moved.ADDED else Hue.OPEN]


def _platform(line: Line, width: int) -> _Cell:
    if line.same_package:
        return _EMPTY
    label = line.row.label
    quiet = label in {NOT_A_PACKAGE, UNKNOWN_PLATFORM}
    first, *more = label.split(", ")
    shown = label if len(label) <= width or not more else f"{shorten(first, width - 3)} +{len(more)}"
    return shorten(shown, width), STYLES[Hue.QUIET if quiet else Hue.PLAIN]


def _signers(row: HashRow, width: int) -> _Cell:
    known = row.disposition
    ids = [each[-(16 if width >= 16 else 8) :] for each in sorted(known.signed_by_gpg_key_ids)]
    signers = [*ids, *(each.short for each in sorted(known.signed_otherwise_by))]
    if not signers:
        return _NOTHING
    more = f"+{len(signers) - 1}" if len(signers) > 1 else ""
    return signers[0][: width - len(more)] + more, ""


def _flag(claim: bool) -> _Cell:
    return ("✓", STYLES[Hue.GOOD]) if claim else _NOTHING


def same_package(above: HashRow | None, row: HashRow) -> bool:
    """Whether two neighbouring rows are hashes of one package, so that the platform need be said only once."""
    return above is not None and bool(row.package) and above.package == row.package and above.label == row.label


def lines_of(
    keys: Sequence[HashKey],
    rows: Sequence[HashRow],
    decisions: Sequence[tuple[Decision, bool]],
    marked: frozenset[HashKey],
    *,
    waiting: bool,
) -> tuple[Line, ...]:
    """The rows of one provider as they are to be shown."""
    above: Sequence[HashRow | None] = (None, *rows)
    return tuple(
        Line(
            key=key,
            row=row,
            decision=decision,
            made=made,
            marked=key in marked,
            same_package=same_package(before, row),
            waiting=waiting,
        )
        for key, row, before, (decision, made) in zip(keys, rows, above, decisions, strict=False)
    )

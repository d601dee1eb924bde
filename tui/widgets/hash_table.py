"""The hashes of one provider, a row each, by `HashKey`; as many columns as fit, and never a horizontal scroll bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import DataTable

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.rows import NOT_A_PACKAGE, UNKNOWN_PLATFORM, HashRow, Moved
from lockwarden.tui.columns import Column, ColumnName, columns_for
from lockwarden.tui.filters import MOVES
from lockwarden.tui.looks import DASH, Hue, of_decision, of_row
from lockwarden.tui.text import cell, shorten, shorten_hash

_STRONG = "strong"
_SHORT_HEADER = "Signer"
"""Of the one column that may be narrower than its header."""
_MOVES = {moved: word for word, moved in MOVES.items()}


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


class HashTable(DataTable[Text]):
    """A table of hashes. It holds no decision, and its cursor is a hash, not a place."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"hash-table--{name}" for name in (*Hue, "strong")}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
        Binding("left", "screen.pane_left", "Providers", show=False, id="review.pane_left"),
        Binding("right", "screen.pane_right", "Hashes", show=False, id="review.pane_right"),
        Binding("g", "scroll_top", "Top", show=False),
        Binding("G", "scroll_bottom", "Bottom", show=False),
        Binding("home", "scroll_top", "Top", show=False),
        Binding("end", "scroll_bottom", "Bottom", show=False),
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

    def __init__(self) -> None:
        super().__init__(id="table", cursor_type="row", show_row_labels=False, cursor_foreground_priority="renderable")
        self._lines: dict[HashKey, Line] = {}
        self._layout: tuple[Column, ...] = ()
        self._looks: dict[str, Style] = {}
        self._selected: HashKey | None = None
        self._compared = False

    def show(self, lines: Sequence[Line], selected: HashKey | None, *, compared: bool = False) -> None:
        """Show these rows; the same rows in the same order keep their place, and only changed ones are drawn anew.

        How each moved is told when the lock file is `compared` with an earlier state.
        """
        wanted = {line.key: line for line in lines}
        self._selected, self._compared = selected, compared
        if list(wanted) != list(self._lines) or self._layout != self._fitting():
            self._rebuild(wanted)
        else:
            for key, line in wanted.items():
                if line != self._lines[key]:
                    for column, shown in zip(self._layout, self._cells(line), strict=True):
                        self.update_cell(key.hash, column.name.value, shown)
            self._lines = wanted
        self._move_to(selected)

    def _fitting(self) -> tuple[Column, ...]:
        return columns_for(self.scrollable_content_region.width, compared=self._compared)

    def _rebuild(self, lines: Mapping[HashKey, Line]) -> None:
        """Lay all rows out; the cursor's row stays on its line of the screen when it is still there."""
        offset = self.cursor_row - self.scroll_offset.y
        same_provider = {key.address for key in lines} == {key.address for key in self._lines}
        self.clear(columns=True)
        self._lines, self._layout, self._looks = dict(lines), self._fitting(), self._current_looks()
        for column in self._layout:
            header = column.name.value if column.width >= len(column.name) else _SHORT_HEADER
            self.add_column(header, width=column.width, key=column.name.value)
        for line in lines.values():
            self.add_row(*self._cells(line), key=line.key.hash)
        if same_provider and self._selected in self._lines:
            top = list(self._lines).index(self._selected) - offset
            self.call_after_refresh(self.scroll_to, y=max(0, top), animate=False)

    def _move_to(self, key: HashKey | None) -> None:
        if key in self._lines and key is not None:
            row = self.get_row_index(key.hash)
            if row != self.cursor_row:
                self.move_cursor(row=row, animate=False)

    def on_resize(self) -> None:
        """Fit the columns to another width."""
        if self._layout != self._fitting():
            self._rebuild(dict(self._lines))
            self._move_to(self._selected)

    def notify_style_update(self) -> None:
        """Draw the cells anew in the colours of another theme."""
        super().notify_style_update()
        if self._lines and self._looks != self._current_looks():
            self._rebuild(dict(self._lines))
            self._move_to(self._selected)

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Tell where a person moved; what this widget did itself, or what was overtaken, is no news."""
        event.stop()
        key = self._key_at(event.cursor_row)
        overtaken = key is None or event.row_key.value != key.hash or event.cursor_row != self.cursor_row
        if key is not None and not overtaken and key != self._selected:
            self.post_message(self.HashMoved(key))

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Open a hash."""
        event.stop()
        key = self._key_at(event.cursor_row)
        if key is not None and event.row_key.value == key.hash:
            self.post_message(self.HashOpened(key))

    def _key_at(self, row: int) -> HashKey | None:
        keys = list(self._lines)
        return keys[row] if 0 <= row < len(keys) else None

    def _current_looks(self) -> dict[str, Style]:
        names = (*Hue, _STRONG)
        return {name: self.get_component_rich_style(f"hash-table--{name}", partial=True) for name in names}

    def _look(self, hue: Hue, *, strong: bool = False) -> Style:
        return self._looks[hue] + self._looks[_STRONG] if strong else self._looks[hue]

    def _cells(self, line: Line) -> list[Text]:
        return [self._cell(line, column) for column in self._layout]

    def _cell(self, line: Line, column: Column) -> Text:
        row = line.row
        match column.name:
            case ColumnName.VERDICT:
                look, word = of_row(row, waiting=line.waiting)
                return cell(f"{look.glyph} {word}", self._look(look.hue))
            case ColumnName.CHANGE:
                return self._moved(row.moved)
            case ColumnName.PLATFORM:
                return self._platform(line, column.width)
            case ColumnName.HASH:
                mark = "▸ " if line.marked else ""
                shown = shorten_hash(row.hash.text, column.width - len(mark))
                return cell(mark + shown, self._look(Hue.PLAIN, strong=row.objects or line.marked))
            case _ if line.waiting:
                return cell("")
            case ColumnName.SIGNED_BY:
                return self._signers(row, column.width)
            case ColumnName.REGISTRY:
                return self._flag(row.disposition.reported_by_registry)
            case ColumnName.LOCAL:
                return self._flag(row.disposition.verified_locally)
            case ColumnName.DECISION:
                word, hue, strong = of_decision(line.decision, row, made=line.made)
                return cell(word, self._look(hue, strong=strong))

    def _moved(self, moved: Moved | None) -> Text:
        if moved is None:
            return cell(DASH, self._look(Hue.QUIET))
        return cell(_MOVES[moved], self._look(Hue.NEW if moved is Moved.ADDED else Hue.OPEN))

    def _platform(self, line: Line, width: int) -> Text:
        if line.same_package:
            return cell("")
        label = line.row.label
        quiet = label in {NOT_A_PACKAGE, UNKNOWN_PLATFORM}
        first, *more = label.split(", ")
        shown = label if len(label) <= width or not more else f"{shorten(first, width - 3)} +{len(more)}"
        return cell(shorten(shown, width), self._look(Hue.QUIET if quiet else Hue.PLAIN))

    def _signers(self, row: HashRow, width: int) -> Text:
        signers = sorted(row.disposition.signed_by_gpg_key_ids)
        if not signers:
            return cell(DASH, self._look(Hue.QUIET))
        more = f"+{len(signers) - 1}" if len(signers) > 1 else ""
        return cell(signers[0][-(16 if width >= 16 else 8) :][: width - len(more)] + more, self._look(Hue.PLAIN))

    def _flag(self, claim: bool) -> Text:
        return cell("✓", self._look(Hue.GOOD)) if claim else cell(DASH, self._look(Hue.QUIET))


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

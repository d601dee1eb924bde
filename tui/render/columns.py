"""The columns of the hash table for a given width: none is cut in a verdict's word, and all fit without scrolling."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.review.verdicts import Verdict

PADDING: Final = 2
"""Cells around the content of each column."""


class ColumnName(StrEnum):
    """The columns, by their headers."""

    VERDICT = "Verdict"
    CHANGE = "Chg"
    PLATFORM = "Platform"
    HASH = "Hash"
    SIGNED_BY = "Signed by"
    REGISTRY = "Reg"
    LOCAL = "Loc"
    DECISION = "Decision"


class Column(Struct, frozen=True):
    """One column and the cells that its content may take."""

    name: ColumnName
    width: int


_VERDICT: Final = Column(ColumnName.VERDICT, 2 + max(len(verdict) for verdict in Verdict))
_CHANGE: Final = Column(ColumnName.CHANGE, 3)
_PLATFORM: Final = Column(ColumnName.PLATFORM, 13)
_KEY_ID: Final = Column(ColumnName.SIGNED_BY, 16)
_SHORT_KEY_ID: Final = Column(ColumnName.SIGNED_BY, 9)
_SHORTEST_KEY_ID: Final = Column(ColumnName.SIGNED_BY, 8)
_FLAGS: Final = (Column(ColumnName.REGISTRY, 3), Column(ColumnName.LOCAL, 3))
_DECISION: Final = Column(ColumnName.DECISION, 9)
_LONGEST_HASH: Final = 67

_LAYOUTS: Final = (
    (_VERDICT, _PLATFORM, Column(ColumnName.HASH, 14), _KEY_ID, *_FLAGS, _DECISION),
    (_VERDICT, _PLATFORM, Column(ColumnName.HASH, 10), _SHORT_KEY_ID, *_FLAGS, _DECISION),
    (_VERDICT, _PLATFORM, Column(ColumnName.HASH, 8), _SHORTEST_KEY_ID, *_FLAGS, _DECISION),
    (_VERDICT, _PLATFORM, Column(ColumnName.HASH, 8), *_FLAGS, _DECISION),
    (_VERDICT, _PLATFORM, Column(ColumnName.HASH, 10), _DECISION),
    (_VERDICT, Column(ColumnName.HASH, 10), _DECISION),
    (_VERDICT, Column(ColumnName.HASH, 6)),
)
"""From wide to narrow; what a narrow one lacks is in the detail screen."""


_OPTIONAL: Final = {
    ColumnName.PLATFORM: "platform",
    ColumnName.SIGNED_BY: "signed-by",
    ColumnName.REGISTRY: "registry",
    ColumnName.LOCAL: "local",
}
"""Columns that a person may do without, by what the settings call them."""


def columns_for(
    width: int, *, compared: bool = False, chosen: tuple[str, ...] = tuple(_OPTIONAL.values())
) -> tuple[Column, ...]:
    """The columns that fit into `width` cells. The hash takes what is left, then the platform.

    Where the lock file is `compared` with an earlier state, one more tells how each hash moved, after the verdict. Of
    those that can be left out, only the `chosen` ones are there.
    """
    for full in _LAYOUTS:
        each = tuple(column for column in full if _OPTIONAL.get(column.name, "") in ("", *chosen))
        layout = (each[0], _CHANGE, *each[1:]) if compared and len(each) > 2 else each
        left = width - sum(column.width + PADDING for column in layout)
        if left >= 0:
            return tuple(_widened(column, left) for column in layout)
    return (_VERDICT,)


def _widened(column: Column, left: int) -> Column:
    for_hash = min(left, _LONGEST_HASH - 14)
    if column.name is ColumnName.HASH:
        return Column(column.name, column.width + for_hash)
    if column.name is ColumnName.PLATFORM:
        return Column(column.name, column.width + left - for_hash)
    return column

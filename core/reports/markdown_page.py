"""A page of Markdown with a limit: sections are filled item by item, and what does not fit is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

_RESERVE: Final = 400
"""Bytes for the last line, which tells what is left out, and for the line that does so in a section."""


@dataclass(slots=True, kw_only=True)
class Page:
    """Lines within a limit of bytes of UTF-8."""

    limit: int
    _lines: list[str] = field(default_factory=list)
    _used: int = 0
    _left_out: int = 0

    def section(
        self,
        head: Sequence[str],
        items: Iterable[Sequence[str]] = (),
        tail: Sequence[str] = (),
        *,
        count: int = 0,
        share: float = 1.0,
    ) -> None:
        """Add a section: as many of the `count` items as `share` of the room that is left can take, each whole.

        `head` and `tail` are lines around them. Without room for these the whole section counts as left out. No more
        items are made than are shown.
        """
        room = int((self.limit - self._used - _RESERVE) * share) - _size(head) - _size(tail) - _RESERVE
        if room < 0:
            self._left_out += max(count, 1)
            return
        kept: list[str] = []
        shown = 0
        for item in items:
            if _size(item) > room:
                break
            room -= _size(item)
            kept += item
            shown += 1
        more = count - shown
        self._left_out += more
        told = ["", f"… and {more} more, which do not fit here"] if more else []
        self._add([*head, *kept, *told, *tail])

    def _add(self, lines: Sequence[str]) -> None:
        self._lines += lines
        self._used += _size(lines)

    def __str__(self) -> str:
        lines = self._lines
        if self._left_out:
            lines = [
                *lines,
                "",
                f"{self._left_out} more entries do not fit here; “lockwarden check” tells all of them.",
            ]
        return "".join(f"{line}\n" for line in lines)


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)

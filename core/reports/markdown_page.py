"""A page of Markdown with a limit: what matters most gets room first, and what does not fit is counted by its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

_RESERVE: Final = 400
"""Bytes for the line that tells of a section how many do not fit; and for the last line, which tells all of it."""
_REST: Final = "others"


class Rank(IntEnum):
    """What gets room first."""

    ANSWER = 0
    LOUD = 1
    """What changed, and what speaks against committing."""
    OPEN = 2
    """What to look at, and what is open."""
    QUIET = 3
    UNCHANGED = 4


@dataclass(slots=True, kw_only=True)
class _Section:
    head: Sequence[str]
    items: Iterable[Sequence[str]]
    tail: Sequence[str]
    count: int
    share: float
    rank: Rank
    name: str
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class MarkdownPage:
    """Lines within a limit of bytes of UTF-8."""

    limit: int
    _sections: list[_Section] = field(default_factory=list)

    def section(
        self,
        head: Sequence[str],
        items: Iterable[Sequence[str]] = (),
        tail: Sequence[str] = (),
        *,
        count: int = 0,
        share: float = 1.0,
        rank: Rank = Rank.QUIET,
        name: str = _REST,
    ) -> None:
        """Add a section: as many of the `count` items as `share` of the room can take that is left for its rank.

        `head` and `tail` are lines around them. Without room for these the whole section is left out. What is left out
        is counted by the section's `name`, and not at all without one. No more items are made than are shown.
        """
        self._sections.append(
            _Section(head=head, items=items, tail=tail, count=count, share=share, rank=rank, name=name)
        )

    def __str__(self) -> str:
        used = 0
        left_out: dict[str, int] = {}
        # In the order of the ranks, and of equals in that of the page.
        for section in sorted(self._sections, key=lambda each: each.rank):
            more = _fill(section, self.limit - used - _RESERVE)
            used += _size(section.lines)
            if more and section.name:
                left_out[section.name] = left_out.get(section.name, 0) + more
        lines = [line for section in self._sections for line in section.lines]
        if left_out:
            counts = ", ".join(f"{number} {name}" for name, number in left_out.items())
            told = f"{sum(left_out.values())} more entries do not fit here ({counts})"
            lines += ["", f"{told}; “lockwarden check” lists all of them."]
        return "".join(f"{line}\n" for line in lines)


def _fill(section: _Section, left: int) -> int:
    """Give a section what it may take of the bytes that are left; how many of its items have no room."""
    room = int(left * section.share) - _size(section.head) - _size(section.tail) - _RESERVE
    if room < 0:
        return max(section.count, 1)
    kept: list[str] = []
    shown = 0
    for item in section.items:
        if _size(item) > room:
            break
        room -= _size(item)
        kept += item
        shown += 1
    more = section.count - shown
    told = ["", f"… and {more} more, which do not fit here"] if more else []
    section.lines = [*section.head, *kept, *told, *section.tail]
    return more


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)

"""Bounds on what a report says, so that hostile input cannot make it useless; whatever is left out is counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import to_builtins

Bounded = TypeVar("Bounded")


def shortened(text: str, limit: int) -> str:
    """The text, or its beginning with the number of characters that are left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit} more characters)"


def first_of(lines: Sequence[str], limit: int) -> tuple[str, ...]:
    """The lines, or the first of them with the number of those that are left out."""
    if len(lines) <= limit:
        return tuple(lines)
    return (*lines[:limit], f"… ({len(lines) - limit} more lines)")


class Room:
    """How many bytes a part of a JSON report may still take. What has no room is left out, and counted by its name."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.omitted: dict[str, int] = {}

    def taken(self, name: str, items: Iterable[Bounded]) -> list[Bounded]:
        """The first items that there is room for; behind the first that has none, all others are left out."""
        kept: list[Bounded] = []
        full = False
        for item in items:
            size = 0 if full else len(json.dumps(to_builtins(item)))
            full = full or size > self.left
            if full:
                self.omitted[name] = self.omitted.get(name, 0) + 1
            else:
                self.left -= size
                kept.append(item)
        return kept


class Shares:
    """Divides what a JSON report may take among the providers that are still to come."""

    def __init__(self, left: int, providers: int) -> None:
        self.left = left
        self.omitted = 0
        self._providers = providers

    def give(self) -> Room:
        """The room of the next provider."""
        return Room(self.left // self._providers)

    def settle(self, given: Room) -> None:
        """Take back what a provider did not need."""
        self.left -= self.left // self._providers - given.left
        self.omitted += sum(given.omitted.values())
        self._providers -= 1


def bounded_text(lines: Iterable[str], limit: int) -> str:
    """Lines with line feeds, as many as there is room for in about `limit` bytes, and how many are left out."""
    kept: list[str] = []
    room, left_out = limit, 0
    for line in lines:
        room -= len(line.encode("utf-8", "surrogatepass")) + 1
        if room < 0:
            left_out += 1
        else:
            kept.append(f"{line}\n")
    if left_out:
        kept.append(f"… {left_out} more lines are left out: a report has at most {limit // 1_000_000} MB\n")
    return "".join(kept)

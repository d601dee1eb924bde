"""Bounds on what a report says, so that hostile input cannot make it useless; whatever is left out is counted."""

from __future__ import annotations

from collections.abc import Sequence


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

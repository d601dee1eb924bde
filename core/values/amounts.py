"""Numbers for people: with their noun, and sizes in decimal units."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 hash`, `2 hashes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def in_bytes(size: int) -> str:
    """A size for people, in decimal units, as download pages give it."""
    if size < 1000:
        return f"{size} B"
    amount = float(size)
    for unit in ("kB", "MB"):
        amount /= 1000
        if amount < 1000:
            return f"{amount:.1f} {unit}"
    return f"{amount / 1000:.1f} GB"

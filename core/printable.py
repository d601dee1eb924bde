"""Text from outside, made safe for a terminal.

Lock files, registries, mirrors, user IDs of keys and file names are hostile text: a control character in one of them
could move the cursor, retitle the window or reverse a key ID, and an invisible one could make two values look alike.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_INVISIBLE: Final = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10))
) | frozenset(range(0xE0100, 0xE01F0))
"""Characters that Python calls printable and that leave no ink: fillers, joiners, variation selectors, a blank."""

_MARKS: Final = frozenset({"Mn", "Me"})
_MAX_MARKS: Final = 3
"""Combining marks in a row. Languages need two or three; a tower of them runs over the lines above."""


def reveal(value: str) -> str:
    """The value with every character spelled out (`<U+202E>`) that a terminal would act on or nobody could see.

    Line breaks and lone surrogates are among them. For what is shown only: never before comparing or writing a value.
    Look-alike letters can be seen and stay.
    """
    if value.isascii() and value.isprintable():
        return value
    shown = []
    marks = 0
    for char in value:
        marks = marks + 1 if unicodedata.category(char) in _MARKS else 0
        hidden = not char.isprintable() or ord(char) in _INVISIBLE or marks > _MAX_MARKS
        shown.append(f"<U+{ord(char):04X}>" if hidden else char)
    return "".join(shown)

"""Text from outside, made safe for a terminal and for the log of a CI job.

Lock files, registries, mirrors, user IDs of keys and file names are hostile text: a control character in one of them
could move the cursor, retitle the window or reverse a key ID, and an invisible one could make two values look alike.
Programs that run CI jobs read what a job prints and act on some of it: a line could set a variable or an output, stop
the masking of secrets, or show an error that nobody reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from lockwarden.core.values.late_patterns import LatePattern

_INVISIBLE: Final = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10))
) | frozenset(range(0xE0100, 0xE01F0))
"""Characters that Python calls printable and that leave no ink: fillers, joiners, variation selectors, a blank."""

_MARKS: Final = frozenset({"Mn", "Me"})
_MAX_MARKS: Final = 3
"""Combining marks in a row. Languages need two or three; a tower of them runs over the lines above."""

_ANYWHERE: Final = LatePattern(r"(?<=#)#+(?=[^#\s])")
"""`##[command]`, `##vso[area.action]` and `##teamcity[message]` count anywhere in a line, as would others of the kind.

GitHub's runner and Azure Pipelines: “Logging commands”; TeamCity: “Service messages”. A heading of Markdown is none.
"""
_AT_THE_BEGINNING: Final = LatePattern(r"^( *)(:(?=:)|-(?=-- )|\+(?=\+\+ )|~(?=~~ )|\^(?=\^\^ ))", re.MULTILINE)
"""GitHub's runner acts on `::command::`, after leading blanks, too (“Workflow commands”); Buildkite makes groups of
lines that begin with `---`, `+++` and `~~~`, and opens them at `^^^ +++` (“Managing log output”). GitLab's sections
need a carriage return, which `reveal` spells out.
"""


def spelled_out(char: str) -> str:
    """A character by its number, in the form that stands for it wherever text is shown."""
    return f"<U+{ord(char):04X}>"


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
        shown.append(spelled_out(char) if hidden else char)
    return "".join(shown)


def inert(text: str, *, spell: Callable[[str], str] = spelled_out) -> str:
    """Lines in which no program that reads the log of a job finds a command: one character of each is spelled out.

    The text was revealed before, so that a line begins only where it looks so. `spell` writes a character in the form
    of the document. Where nothing looks like a command, nothing is changed.
    """
    if "##" in text:
        text = _ANYWHERE.sub(lambda found: spell("#") * len(found[0]), text)
    return _AT_THE_BEGINNING.sub(lambda found: found[1] + spell(found[2]), text)


def printed(line: str) -> str:
    """One line of text from outside as it may be printed: revealed, and no command."""
    return inert(reveal(line))

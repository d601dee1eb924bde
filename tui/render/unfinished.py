"""What to tell when the app ended before a person left it: why, and which decisions were not written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lockwarden.core.review.writing import unwritten
from lockwarden.tui.state.files import Files

MAX_LINES: Final = 40
"""Decisions that are named; the count of all of them is always said."""
_BOX: Final = re.compile(r"[\u2500-\u257f]")
_PLACE: Final = re.compile(r"(\S+\.py:\d+) in ")


def fault_in_words(printed: str) -> str:
    """What ended the app, from the traceback that Textual would have printed: the error, and where; never the values.

    Textual tells nobody else of an error in the handling of a message. A traceback is drawn in boxes, and the error
    stands below the last of them; a text without boxes is taken as it is.
    """
    lines = printed.splitlines()
    boxed = [number for number, line in enumerate(lines) if _BOX.search(line)]
    below = " ".join(" ".join(lines[boxed[-1] + 1 if boxed else 0 :]).split())
    places = _PLACE.findall(printed)
    return f"{places[-1]}: {below}" if places and below else below


def lost_decisions(files: Files) -> Iterator[str]:
    """The decisions that were not written, a line each, as far as there is room."""
    lost = [
        f"{decision} {row.hash.text} of {provider.address} {provider.entry.version} in {path}"
        for path, session in files.sessions.items()
        for provider, row, decision in (() if session.review is None else unwritten(session.review))
    ]
    yield from lost[:MAX_LINES]
    if len(lost) > MAX_LINES:
        yield f"and {len(lost) - MAX_LINES} more"

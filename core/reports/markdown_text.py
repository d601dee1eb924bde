"""Text from outside as Markdown that shows it and does nothing else.

What is allowed through as prose are words made of letters, plain numbers and the punctuation of sentences. All else
becomes a code span, in which nothing has a meaning: no markup, link, image, HTML, mention, reference or formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.reports.bounds import shortened
from lockwarden.core.values.printable import inert, reveal

_PARTS: Final = re.compile(r"(?P<before>[(“]*)(?P<core>.*?)(?P<after>[)”.,;:?]*)", re.DOTALL)
_MAYBE_A_COMMIT: Final = re.compile(r"[0-9a-f]{7,}", re.IGNORECASE)
"""GitHub makes a link of the ID of a commit."""
_SIGNS: Final = frozenset("✗✓▲→·…")
_OPEN: Final = "?"
_MAX_PROSE: Final = 1_000
_MAX_CODE: Final = 300


def prose(text: str) -> str:
    """One line of text; what is not plainly a word or a number is shown as code. It never begins a block."""
    pieces: list[_Piece] = []
    for token in shortened(reveal(text), _MAX_PROSE).split():
        piece = _piece(token)
        if pieces and pieces[-1].joins(piece):
            pieces[-1] = replace(piece, before=pieces[-1].before, core=f"{pieces[-1].core} {piece.core}")
        else:
            pieces.append(piece)
    return " ".join(str(each) for each in pieces)


def code(text: str) -> str:
    """The whole text as one code span."""
    return _span(shortened(reveal(text), _MAX_CODE)) if text else "-"


def table_row(values: Iterable[str]) -> str:
    """A row of a table, of values that are Markdown already and hold no pipe."""
    return f"| {' | '.join(values)} |"


class _Piece(Struct, frozen=True, kw_only=True):
    """A word, or a code span, with the punctuation around it."""

    before: str = ""
    core: str
    after: str = ""
    is_code: bool

    def joins(self, following: _Piece) -> bool:
        """Whether the two are one span."""
        return self.is_code and following.is_code and not self.after and not following.before

    def __str__(self) -> str:
        return f"{self.before}{_span(self.core) if self.is_code else self.core}{self.after}"


def _piece(token: str) -> _Piece:
    match = _PARTS.fullmatch(token)
    assert match is not None  # noqa: S101 - every part may be empty
    before, core, after = match["before"], match["core"], match["after"]
    if token == _OPEN:
        return _Piece(core=token, is_code=False)
    # Punctuation alone, or a number with a full stop, could begin a list or underline a heading.
    if not core or (core.isdigit() and after[:1] in {".", ")"}):
        return _Piece(core=token, is_code=True)
    return _Piece(before=before, core=core, after=after, is_code=not _is_plain(core))


def _is_plain(core: str) -> bool:
    """Whether a token without its punctuation is a word, a number or a sign."""
    if core in _SIGNS or (core.isascii() and core.isdigit()):
        return True
    return not _MAYBE_A_COMMIT.fullmatch(core) and all(part.isalpha() for part in re.split("[-']", core))


def _span(text: str) -> str:
    # Spelled out, neither can end the span or the cell of a table, whatever a reader makes of escapes there.
    safe = text.replace("`", "<U+0060>").replace("|", "<U+007C>")
    return f"`{inert(safe)}`"

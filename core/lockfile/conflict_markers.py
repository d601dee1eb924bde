"""Takes a text with merge conflict markers apart into what both sides have. Nothing is read as HCL here.

Git's rule: a marker stands at the beginning of a line and is repeated at least seven times, all of one conflict as
often; the parts of older merges, which only a base holds, have longer ones. Which part is the base tells its place
between its marker and the row of equals signs alone, never what a marker says of itself.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

_MARKER: Final = re.compile(r"(?P<run><{7,}|\|{7,}|={7,}|>{7,})(?:[ \t](?P<label>[^\r\n]*))?\r?\n?\Z")
_OURS, _BASE, _THEIRS, _END = "<", "|", "=", ">"


class BrokenMarkersError(Exception):
    """The markers do not fit together, so that nobody can tell which line is whose."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


class Hunk(Struct, frozen=True, kw_only=True):
    """One conflict: the lines of its first and its last marker, and what these call the sides."""

    first: int
    last: int
    ours: str
    theirs: str
    has_base: bool = False
    """Whether it shows what both sides come from, as the styles diff3 and zdiff3 do."""


class SideText(Struct, frozen=True, kw_only=True):
    """The whole file as one side has it."""

    text: str
    lines: tuple[int, ...]
    """For each line of `text` the line of the file that it is."""

    def place(self, line: int) -> int:
        """The line of the file that a line of the text is; behind the last one, the last of the file."""
        return self.lines[min(line, len(self.lines)) - 1] if self.lines else 1


class SplitText(Struct, frozen=True, kw_only=True):
    """Both sides of a text in conflict, without the base."""

    ours: SideText
    theirs: SideText
    hunks: tuple[Hunk, ...]
    markers: frozenset[int]
    """The lines of all markers."""


def split(text: str) -> SplitText | None:
    """Both sides of a text; None where no marker opens or ends a conflict.

    Raises BrokenMarkersError for markers that are torn, nested or out of order: a part of the file could then be given
    to the wrong side, or to none.
    """
    splitter = _Splitter()
    for number, line in enumerate(_lines(text), 1):
        splitter.take(number, line)
    return splitter.result()


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    last = pieces.pop()
    return [*(f"{piece}\n" for piece in pieces), *([last] if last else [])]


class _Splitter:
    """Goes through the lines and knows whose part it is in."""

    def __init__(self) -> None:
        self._part = ""
        """The marker that the part began with; empty outside of any conflict."""
        self._size = 0
        self._first = 0
        self._ours_label = ""
        self._has_base = False
        self._ours: list[tuple[int, str]] = []
        self._theirs: list[tuple[int, str]] = []
        self._hunks: list[Hunk] = []
        self._markers: set[int] = set()

    def take(self, number: int, line: str) -> None:
        """One line more. Raises BrokenMarkersError."""
        found = _MARKER.match(line)
        if found is None or not self._counts(found["run"]):
            self._keep(number, line)
            return
        sign, size, label = found["run"][0], len(found["run"]), found["label"] or ""
        self._markers.add(number)
        if not self._part:
            self._open(number, sign, size, label)
        elif size != self._size:
            raise BrokenMarkersError(
                number, "this marker is of another length than the one that its conflict began with"
            )
        elif sign == _OURS:
            raise BrokenMarkersError(number, "a conflict begins here within another one")
        elif sign == _END:
            self._close(number, label)
        else:
            self._go_on(number, sign)

    def _counts(self, run: str) -> bool:
        """Whether it is a marker where it stands: rows of other lengths in a base are of merges before."""
        if not self._part:
            return run[0] in {_OURS, _END}
        return self._part != _BASE or len(run) == self._size

    def _keep(self, number: int, line: str) -> None:
        if self._part in {"", _OURS}:
            self._ours.append((number, line))
        if self._part in {"", _THEIRS}:
            self._theirs.append((number, line))

    def _open(self, number: int, sign: str, size: int, label: str) -> None:
        if sign == _END:
            raise BrokenMarkersError(number, "a conflict ends here that began nowhere")
        self._part, self._size, self._first, self._ours_label, self._has_base = sign, size, number, label, False

    def _go_on(self, number: int, sign: str) -> None:
        if self._part == _THEIRS:
            raise BrokenMarkersError(number, "the conflict that this belongs to has its second side already")
        if sign == _BASE and self._part == _BASE:
            raise BrokenMarkersError(number, "the conflict that this belongs to has a base already")
        self._part = sign
        self._has_base = self._has_base or sign == _BASE

    def _close(self, number: int, label: str) -> None:
        if self._part != _THEIRS:
            raise BrokenMarkersError(number, "a conflict ends here without a second side")
        self._hunks.append(
            Hunk(first=self._first, last=number, ours=self._ours_label, theirs=label, has_base=self._has_base)
        )
        self._part = ""

    def result(self) -> SplitText | None:
        """What was found. Raises BrokenMarkersError for a conflict that does not end."""
        if self._part:
            raise BrokenMarkersError(self._first, "a conflict begins here and never ends")
        if not self._hunks:
            return None
        return SplitText(
            ours=_side(self._ours),
            theirs=_side(self._theirs),
            hunks=tuple(self._hunks),
            markers=frozenset(self._markers),
        )


def _side(lines: list[tuple[int, str]]) -> SideText:
    return SideText(text="".join(line for _, line in lines), lines=tuple(number for number, _ in lines))

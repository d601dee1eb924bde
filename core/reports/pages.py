"""How a finished text looks where it goes to: its signs, its width, its colours. It adds and takes away no word.

A colour follows the sign or the word that a line begins with, so that it is never the only one to tell. Text from
outside begins no line, and each line is safe for a terminal before it comes here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from lockwarden.core.reports.headline import answer_of
from lockwarden.core.reports.result import RunResult
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.printable import printed
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.terminals import Signs, in_ascii

if TYPE_CHECKING:
    from lockwarden.core.reports.line_breaking import Cells


class Ink(StrEnum):
    """Select Graphic Rendition (ECMA-48): the terminal's own colours."""

    BAD = "31"
    OPEN = "33"
    GOOD = "32"
    NEW = "36"
    TITLE = "1"


_SIGNS: Final = {"✗": Ink.BAD, "?": Ink.OPEN, "▲": Ink.OPEN, "✓": Ink.GOOD, "+": Ink.NEW, "→": Ink.NEW}
_SEVERITIES: Final = {Severity.ERROR: Ink.BAD, Severity.WARNING: Ink.OPEN}
_ANSWERS: Final = {
    Answer.UNREADABLE: Ink.BAD,
    Answer.UNWRITTEN: Ink.BAD,
    Answer.FINDINGS: Ink.BAD,
    Answer.INCOMPLETE: Ink.OPEN,
    Answer.GOOD: Ink.GOOD,
}
_SIGN: Final = LatePattern(f"^( *)([{''.join(map(re.escape, _SIGNS))}])((?: (?:{'|'.join(Verdict)})(?![\\w-]))?)(?= )")
_SEVERITY: Final = LatePattern(f"^( *(?:line \\d+: )?)({'|'.join(Severity)}):")
_TITLE: Final = LatePattern(r"(?:[A-Z][a-z]+(?: [a-z]+){0,3}$)|Changes against |== ")
"""Of a section; no text from outside begins a line, but for a path, which a colon follows."""


class LineWidth(Struct, frozen=True):
    """How much a line holds, and how that is measured: one without the other would break wide characters wrongly."""

    width: int
    """Cells of a line."""
    cells: Cells
    """How many of them a text takes."""


class Page(Struct, frozen=True, kw_only=True):
    """Where a text is shown."""

    colours: bool = False
    signs: Signs = Signs.UNICODE
    lines: LineWidth | None = None
    """None to break none."""


PLAIN: Final = Page()


def heads_of(result: RunResult) -> dict[str, Answer]:
    """How the first lines of a report begin, up to the answer that each gives."""
    return {printed(f"{each.path}: {answer_of(each)}"): answer_of(each) for each in result.files}


def on_page(text: str, page: Page, heads: Mapping[str, Answer] | None = None) -> str:
    """The text as it is shown there; `heads` are the beginnings of lines of its first paragraph, with their answers."""
    if page == PLAIN:
        return text
    shown: list[str] = []
    left = dict(heads or {})
    lines = text.splitlines()
    for line, pieces in ((each, [each]) for each in lines) if page.lines is None else _broken(lines, page.lines):
        if not line:
            left.clear()
        head = next((each for each in left if line.startswith(each)), "")
        if page.colours:
            pieces[0] = _head(pieces[0], head, left[head]) if head else _painted(pieces[0])
        shown += pieces
    told = "".join(f"{each}\n" for each in shown)
    return in_ascii(told) if page.signs is Signs.ASCII else told


def _broken(lines: list[str], room: LineWidth) -> Iterable[tuple[str, list[str]]]:
    from lockwarden.core.reports.line_breaking import broken  # for a terminal alone

    return broken(lines, room.width, room.cells)


def severity_inked(prefix: str) -> str:
    """The beginning of a complaint, with the word of its severity coloured where it ends with one."""
    for severity, ink in _SEVERITIES.items():
        if prefix.endswith(f"{severity}: "):
            return prefix.removesuffix(f"{severity}: ") + _inked(f"{severity}:", ink) + " "
    return prefix


def _head(piece: str, head: str, answer: Answer) -> str:
    ink = _ANSWERS.get(answer)
    if ink is None or not piece.startswith(head):
        return piece
    return f"{head.removesuffix(answer)}{_inked(answer, ink, Ink.TITLE)}{piece.removeprefix(head)}"


def _painted(line: str) -> str:
    if found := _SIGN.match(line):
        return f"{found[1]}{_inked(found[2] + found[3], _SIGNS[found[2]])}{line[found.end() :]}"
    if (found := _SEVERITY.match(line)) and (ink := _SEVERITIES.get(Severity(found[2]))) is not None:
        return f"{found[1]}{_inked(f'{found[2]}:', ink)}{line[found.end() :]}"
    return _inked(line, Ink.TITLE) if _TITLE.match(line) else line


def _inked(text: str, *inks: Ink) -> str:
    return f"\x1b[{';'.join(inks)}m{text}\x1b[0m"

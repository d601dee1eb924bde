"""Lines of prose for a given width: sentences with a glyph that hang, fields with a label, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from textual.content import Content, Span

from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.styles import STYLES, Hue, Look, glyph
from lockwarden.tui.render.text import plain, shorten

QUIET = STYLES[Hue.QUIET]
_LABEL = 20
_OF_ONE_CELL: Final = re.compile("[ -~“”…→·]*")
_WORD: Final = re.compile(" *[^ ]+ *")


def hanging(prefix: Content, body: Content, width: int) -> Iterator[Content]:
    """The body wrapped behind its prefix, further lines below the first."""
    blank = Content(" " * prefix.cell_length)
    for number, line in enumerate(_wrapped(body, max(1, width - prefix.cell_length))):
        yield (blank if number else prefix) + line


def _wrapped(body: Content, width: int) -> Iterator[Content]:
    """Wrap at blanks, and inside of words that are longer than a line."""
    if body.cell_length <= width and "\n" not in body.plain and "\t" not in body.plain:
        yield body.rstrip()
        return
    if (quick := _wrapped_alike(body, width)) is not None:
        yield from quick
        return
    for line in body.wrap(width):
        shown = line.rstrip()
        if shown.cell_length <= width:
            yield shown
        else:
            yield from shown.fold(width)


def _wrapped_alike(body: Content, width: int) -> list[Content] | None:
    """The same where every character takes one cell and looks like the others: the help has hundreds of such sentences.

    None for any other text, and for words that are longer than a line.
    """
    text, spans = body.plain, body.spans
    if _OF_ONE_CELL.fullmatch(text) is None or any((span.start, span.end) != (0, len(text)) for span in spans):
        return None
    rows, begin, filled = [], 0, 0
    for word in _WORD.finditer(text):
        length = len(word[0].rstrip())
        if length > width:
            return None
        if filled + length > width:
            rows.append(text[begin : word.start()].rstrip())
            begin, filled = word.start(), 0
        filled += len(word[0])
    rows.append(text[begin:].rstrip())
    return [Content(row, [Span(0, len(row), span.style) for span in spans], strip_control_codes=False) for row in rows]


def sentence(look: Look, text: str, width: int, style: str = "") -> Iterator[Content]:
    """A sentence from anywhere behind its glyph."""
    yield from hanging(glyph(look) + Content(" "), plain(on_screen(text), style), width)


def advice(text: str, width: int, *, prefix: str = "  → ") -> Iterator[Content]:
    """What to do, below what it is about; nothing where there is nothing to do."""
    if text:
        yield from hanging(Content(prefix), plain(on_screen(text), QUIET), width)


def evidence(texts: tuple[str, ...], width: int, *, whole: bool) -> Iterator[Content]:
    """What stands behind a sentence, below it: whole, or one line each."""
    for text in texts:
        if whole:
            yield from hanging(Content("  "), plain(text, QUIET), width)
        else:
            yield Content("  ") + Content.styled(shorten(text, max(1, width - 2)), QUIET)


def heading(text: str, width: int) -> Iterator[Content]:
    """A heading of our own words, with a line of air above it."""
    yield Content("")
    yield from hanging(Content(""), Content.styled(text, "bold $text-primary"), width)


def labelled(name: str, value: Content | str, width: int) -> Iterator[Content]:
    """A field: our own name for it, and a value from anywhere; below each other where there is little room."""
    body = plain(value) if isinstance(value, str) else value
    if width < 2 * _LABEL:
        yield from hanging(Content(""), Content.styled(name, QUIET), width)
        yield from hanging(Content("  "), body, width)
    else:
        yield from hanging(Content.styled(f"{name:<{_LABEL}}", QUIET), body, width)

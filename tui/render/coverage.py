"""Where a client would install with a lock file: a sentence, a table, and the reason of each open cell. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from textual.content import Content

from lockwarden.core.coverage.matrix import CoverageMatrix
from lockwarden.core.coverage.outcomes import Coverage, Installability
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.prose import QUIET, advice, hanging, sentence
from lockwarden.tui.render.styles import DASH, Hue, Look
from lockwarden.tui.render.text import cells, plain, shorten, spaced

STANDINGS: Final = {
    Installability.FAILS: Look("✗", Hue.BAD),
    Installability.ANYTHING: Look("!", Hue.BAD),
    Installability.NEEDS_WRITING: Look("+", Hue.NEW),
    Installability.OPEN: Look("?", Hue.OPEN),
    Installability.WORKS: Look("✓", Hue.GOOD),
    Installability.UNUSED: Look(DASH, Hue.QUIET),
}
_SAID: Final = {
    Installability.FAILS: "would fail somewhere",
    Installability.ANYTHING: "would take any package somewhere",
    Installability.NEEDS_WRITING: "would have to add an h1 somewhere",
    Installability.OPEN: "not known everywhere",
    Installability.WORKS: "would work everywhere",
    Installability.UNUSED: "installed from none of the sources",
}
_PLATFORM: Final = 16
"""Cells of the column with the platforms."""
_NARROWEST: Final = 18
"""Cells that a source's column needs at least."""
_SHOWN: Final = 4
"""Platforms of a source that are named before a reason."""


def overview(matrices: Iterable[CoverageMatrix | None], width: int) -> Iterator[Content]:
    """How many providers come to what at their worst, the worst first."""
    worst = Counter(None if matrix is None else matrix.worst for matrix in matrices)
    head = Content(f"{counted(worst.total(), 'provider')}:")
    parts = [
        Content.styled(f"{STANDINGS[each].glyph} {worst[each]} {_SAID[each]}", STANDINGS[each].style)
        for each in Installability
        if worst[each]
    ]
    if worst[None]:
        parts.append(Content.styled(f"… {worst[None]} not audited yet", QUIET))
    yield from hanging(head + Content(" "), spaced(*parts), width)


def render_matrix(matrix: CoverageMatrix, width: int) -> Iterator[Content]:
    """The sentence, the table as far as it fits beside each other, and the reason of each cell that is not fine."""
    yield from hanging(Content(""), plain(matrix.summary[:1].upper() + matrix.summary[1:] + "."), width)
    yield from _table(matrix, width)
    yield from _reasons(matrix, width)


def _table(matrix: CoverageMatrix, width: int) -> Iterator[Content]:
    """The table, or one line for each cell where the sources do not fit beside each other."""
    room = min(40, (width - _PLATFORM) // max(1, len(matrix.sources)))
    if room < _NARROWEST:
        for row in matrix.rows:
            for each in row:
                yield from sentence(STANDINGS[each.standing], f"{each.platform} from {each.source}: {each.word}", width)
        return
    if matrix.rows:
        yield Content(" " * _PLATFORM) + _cells([(each.id, QUIET) for each in matrix.sources], room)
    for row in matrix.rows:
        platform = shorten(str(row[0].platform), _PLATFORM - 2)
        head = Content(platform).pad_right(_PLATFORM - cells(platform))
        marks = [(f"{STANDINGS[each.standing].glyph} {each.word}", STANDINGS[each.standing].style) for each in row]
        yield head + _cells(marks, room)


def _cells(texts: Sequence[tuple[str, str]], room: int) -> Content:
    """Texts in their styles beside each other, `room` cells each."""
    parts = []
    for text, style in texts:
        shown = plain(shorten(text, room - 2), style)
        parts.append(shown.pad_right(room - shown.cell_length))
    return Content("").join(parts).rstrip()


def _reasons(matrix: CoverageMatrix, width: int) -> Iterator[Content]:
    """Why each cell is as it is, cells with the same reason together, with what to do."""
    groups: dict[tuple[Installability, str], list[Coverage]] = {}
    for row in matrix.rows:
        for each in row:
            if each.standing not in {Installability.WORKS, Installability.UNUSED}:
                groups.setdefault((each.standing, each.reason), []).append(each)
    order = list(Installability)
    for (standing, reason), alike in sorted(groups.items(), key=lambda each: order.index(each[0][0])):
        yield from sentence(STANDINGS[standing], f"{_places(alike)}: {reason}", width)
        yield from _remedies(alike, width)


def _places(alike: list[Coverage]) -> str:
    """Platforms by their sources, not too many of them; sources with the same platforms stand together."""
    by_source: dict[str, list[str]] = {}
    for each in alike:
        by_source.setdefault(each.source, []).append(str(each.platform))
    sources: dict[tuple[str, ...], list[str]] = {}
    for source, platforms in by_source.items():
        sources.setdefault(tuple(platforms), []).append(source)
    parts = []
    for names, of_them in sources.items():
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        parts.append(f"{', '.join(names[:_SHOWN])}{more} from {' and '.join(of_them)}")
    return "; ".join(parts)


def _remedies(alike: list[Coverage], width: int) -> Iterator[Content]:
    """What to do, once where it is the same but for the platform."""
    by_shape: dict[str, list[Coverage]] = {}
    for each in alike:
        if each.remedy:
            by_shape.setdefault(each.remedy.replace(str(each.platform), ""), []).append(each)
    for group in by_shape.values():
        others = len({each.remedy for each in group}) > 1
        likewise = "; likewise for the other platforms" if others else ""
        yield from advice(f"{group[0].remedy}{likewise}", width)

"""The exact difference that the decisions make to the lock file, and what stays although it is a finding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual.content import Content

from lockwarden.core.reports.differences import DiffLine, difference
from lockwarden.core.review.review import Review
from lockwarden.core.review.write_warnings import WriteWarning, write_warnings
from lockwarden.core.review.writing import Remaining, remaining
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.prose import hanging
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.styles import VERDICTS
from lockwarden.tui.render.text import plain, shorten_hash
from lockwarden.tui.render.warnings import OF_A_STEP_BACK, warning_lines, warnings_below
from lockwarden.tui.screens.file_diff import MAX_LINES, FileDiffScreen

__all__ = ["MAX_LINES", "DiffScreen"]

_FIRST: Final = 5
"""Hashes to think of that are named above the difference; the others are named below it."""


class DiffScreen(FileDiffScreen):
    """Ends with True when the lock file is to be written."""

    def __init__(self, review: Review, after: bytes, *, title: str, writing: bool, notes: tuple[str, ...] = ()) -> None:
        super().__init__(difference(review.lock_file.data, after), title=title, notes=notes, writing=writing)
        self._review = review
        self._warnings = write_warnings(review)

    def summary(self, width: int) -> Iterator[Content]:
        """What the write causes, how much is added and dropped, and the first hashes to think of."""
        added = sum(len(change.add) for change in self._review.changes.values())
        dropped = sum(len(change.drop) for change in self._review.changes.values())
        where = counted(len(self._review.changes), "provider")
        verb = "Writing adds" if self._writing else "The decisions add"
        told = f"{verb} {counted(added, 'hash', 'hashes')} and drops {dropped} in {where}"
        told = told if self._writing else told.replace("drops", "drop")
        yield from super().summary(width)
        yield from warning_lines(self._warnings, width)
        yield from hanging(Content(""), Content.styled(told, "bold"), width)
        named = remaining(self._review)
        for each in named[:_FIRST]:
            yield render_remaining(each, width)
        if len(named) > _FIRST:
            yield Content(f"  and {len(named) - _FIRST} more, named below the difference")

    def below(self, width: int) -> Iterator[Content]:
        """The warnings and the hashes to think of for which there was no room above."""
        yield from warnings_below(self._warnings, width)
        for each in remaining(self._review)[_FIRST:]:
            yield render_remaining(each, width)


def render_remaining(each: Remaining, width: int) -> Content:
    """One hash to think of before writing, on one line."""
    who = provider_name(each.provider.address)
    if each.verdict.is_finding:
        why = "stays, kept by you" if each.made else "stays, undecided"
    else:
        why = "comes in, though no rule would record it"
    look = VERDICTS[each.verdict]
    begin = Content.assemble((f"{look.glyph} {each.verdict} ", look.style), f"{why}: ", plain(f"{who} "))
    return (begin + plain(shorten_hash(each.key.hash, max(10, width - begin.cell_length)))).truncate(
        width, ellipsis=True
    )


class StepBackScreen(FileDiffScreen):
    """Ends with True when what a write replaced is to be written again."""

    AGREED = "Take it back"

    def __init__(
        self,
        difference: tuple[DiffLine, ...],
        *,
        title: str,
        notes: tuple[str, ...],
        warnings: tuple[WriteWarning, ...],
    ) -> None:
        super().__init__(difference, title=title, notes=notes)
        self._warnings = warnings

    def summary(self, width: int) -> Iterator[Content]:
        """The notes, then what the write causes."""
        yield from super().summary(width)
        yield from warning_lines(self._warnings, width, instead=OF_A_STEP_BACK)

    def below(self, width: int) -> Iterator[Content]:
        """The warnings for which there was no room above."""
        yield from warnings_below(self._warnings, width)

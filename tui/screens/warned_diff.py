"""The exact difference that writing a file makes, with what it causes above it."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from lockwarden.core.reports.differences import DiffLine
from lockwarden.core.review.write_warnings import WriteWarning
from lockwarden.tui.render.warnings import warning_lines, warnings_below
from lockwarden.tui.screens.file_diff import FileDiffScreen


class WarnedDiffScreen(FileDiffScreen):
    """Ends with True when the file is to be written."""

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
        yield from warning_lines(self._warnings, width)

    def below(self, width: int) -> Iterator[Content]:
        """The warnings for which there was no room above."""
        yield from warnings_below(self._warnings, width)

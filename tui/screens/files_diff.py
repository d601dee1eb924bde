"""The exact difference that the decisions make to several lock files, one below the other under their names."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from lockwarden.core.reports.differences import difference_of_files
from lockwarden.core.review.writing import remaining
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.prose import hanging
from lockwarden.tui.render.text import plain
from lockwarden.tui.render.warnings import warning_lines, warnings_below
from lockwarden.tui.screens.diff import render_remaining
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.state.file_changes import Changed


class FilesDiffScreen(FileDiffScreen):
    """Ends with True when the lock files are to be written."""

    def __init__(self, changed: tuple[Changed, ...], *, writing: bool, notes: tuple[str, ...] = ()) -> None:
        parts = ((str(each.path), each.before.data, each.after) for each in changed)
        super().__init__(
            difference_of_files(parts), title=counted(len(changed), "lock file"), notes=notes, writing=writing
        )
        self._changed = changed
        self._warnings = tuple(dict.fromkeys(warning for each in changed for warning in each.warnings))
        self._remaining = [(each.path, found) for each in changed if (found := remaining(each.review))]

    def summary(self, width: int) -> Iterator[Content]:
        """What the write causes, how much goes and comes in how many files, and where something is to be thought of."""
        changes = [change for each in self._changed for change in each.review.changes.values()]
        added, dropped = sum(len(each.add) for each in changes), sum(len(each.drop) for each in changes)
        add, drop = ("Writing adds", "drops") if self._writing else ("The decisions add", "drop")
        told = f"{add} {counted(added, 'hash', 'hashes')} and {drop} {dropped} in {counted(len(self._changed), 'file')}"
        yield from super().summary(width)
        yield from warning_lines(self._warnings, width)
        yield from hanging(Content(""), Content.styled(told, "bold"), width)
        if self._remaining:
            number = sum(len(found) for _, found in self._remaining)
            where = counted(len(self._remaining), "file")
            yield from hanging(
                Content("! "),
                Content(f"{counted(number, 'hash', 'hashes')} to think of in {where}, named below"),
                width,
            )

    def below(self, width: int) -> Iterator[Content]:
        """The warnings for which there was no room above; the hashes to think of, by file."""
        yield from warnings_below(self._warnings, width)
        for path, found in self._remaining:
            yield from hanging(Content(""), plain(str(path), "bold"), width)
            for each in found:
                yield render_remaining(each, width)

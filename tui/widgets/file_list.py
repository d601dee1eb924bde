"""The lock files, a line each."""

from __future__ import annotations

from pathlib import Path

from textual.content import Content
from textual.message import Message

from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.distinct_names import distinct_names
from lockwarden.tui.render.file_status import NO_FILES, FileLine
from lockwarden.tui.render.files import Columns, columns_for, file_line, shown_path
from lockwarden.tui.render.text import cells
from lockwarden.tui.state.files import Files
from lockwarden.tui.widgets.file_lines import FileLines
from lockwarden.tui.widgets.line_list import LineList
from lockwarden.tui.widgets.titles import retitle


class FileList(LineList[Path]):
    """A list by path; which file is selected is up to whoever hears of it."""

    class FileChosen(Message):
        """A person moved to a file; `opened` when they want to see its review."""

        def __init__(self, path: Path, *, opened: bool) -> None:
            super().__init__()
            self.path = path
            self.opened = opened

    def __init__(self, lines: FileLines) -> None:
        super().__init__(id="files")
        self._files = Files()
        self._longest = 0
        """Cells of the longest path."""
        self._lines = lines
        self._summary = NO_FILES
        self._names: dict[int, dict[Path, str]] = {}
        """What each path is called in a column of some width."""
        self._drawn: dict[Path, tuple[FileLine, Columns, int, Content]] = {}
        """What was drawn last of each file, and what it was drawn from."""

    def show(self, files: Files) -> None:
        """Show another moment of the files."""
        if files.sessions.keys() != self._files.sessions.keys():
            self._longest = max((cells(shown_path(path)) for path in files.sessions), default=0)
            self._names = {}
        self._files = files
        self._summary = self._lines.summary(files)
        listed = files.listed
        some = len(listed) < len(files.sessions)
        title = f"Lock files: {len(listed):,} of {len(files.sessions):,}" if some else "Lock files"
        told = with_keys("nothing is called so, ⟨files back⟩ clears") if files.words and not listed else ""
        retitle(self, Content(title), Content(told))
        self.show_entries(listed, files.current if files.current in listed else None)

    @property
    def entry_height(self) -> int:
        """Always one line."""
        return 1

    def content_of(self, key: Path, width: int) -> Content:
        """The line of a file."""
        line = self._lines.line(self._files, key)
        columns = columns_for(width, self._longest, self._summary, self._lines.most_counts(self._files))
        before = self._drawn.get(key)
        if before is None or before[0] is not line or before[1:3] != (columns, width):
            told = file_line(line, columns, width, self._path_told(key, columns.path)).truncate(width, ellipsis=True)
            self._drawn[key] = before = (line, columns, width, told)
        return before[3]

    def _path_told(self, key: Path, room: int) -> str:
        """The path as it fits into the column, unlike that of any other file."""
        if room not in self._names:
            paths = tuple(self._files.sessions)
            self._names = {
                room: dict(zip(paths, distinct_names([shown_path(each) for each in paths], room), strict=True))
            }
        return self._names[room][key]

    def tell(self, key: Path, *, opened: bool) -> None:
        """Tell where a person moved."""
        self.post_message(self.FileChosen(key, opened=opened))

"""The lock files, a line each."""

from __future__ import annotations

from pathlib import Path

from textual.content import Content
from textual.message import Message

from lockwarden.tui.render.file_status import FileLine
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
        self._drawn: dict[Path, tuple[FileLine, Columns, int, Content]] = {}
        """What was drawn last of each file, and what it was drawn from."""

    def show(self, files: Files) -> None:
        """Show another moment of the files."""
        if files.sessions.keys() != self._files.sessions.keys():
            self._longest = max((cells(shown_path(path)) for path in files.sessions), default=0)
        self._files = files
        retitle(self, Content("Lock files"), Content(""))
        self.show_entries(tuple(files.sessions), files.current)

    @property
    def entry_height(self) -> int:
        """Always one line."""
        return 1

    def content_of(self, key: Path, width: int) -> Content:
        """The line of a file."""
        line, columns = self._lines.line(self._files, key), columns_for(width, self._longest)
        before = self._drawn.get(key)
        if before is None or before[0] is not line or before[1:3] != (columns, width):
            told = file_line(line, columns, width).truncate(width, ellipsis=True)
            self._drawn[key] = before = (line, columns, width, told)
        return before[3]

    def tell(self, key: Path, *, opened: bool) -> None:
        """Tell where a person moved."""
        self.post_message(self.FileChosen(key, opened=opened))

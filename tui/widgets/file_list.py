"""The lock files, a line each. Only the lines that can be seen are made, so that a thousand are as quick as ten."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from lockwarden.tui.file_telling import Columns, columns_for, file_line, shown_path
from lockwarden.tui.files import Files
from lockwarden.tui.text import cells
from lockwarden.tui.widgets.file_lines import FileLines


class FileList(ScrollView, can_focus=True):
    """A list by path; which file is selected is up to whoever hears of it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"file-list--line", "file-list--selected"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("home,g", "end(-1)", "Top", show=False),
        Binding("end,G", "end(1)", "Bottom", show=False),
    ]

    class FileChosen(Message):
        """A person moved to a file; `opened` when they want to see its review."""

        def __init__(self, path: Path, *, opened: bool) -> None:
            super().__init__()
            self.path = path
            self.opened = opened

    def __init__(self, lines: FileLines) -> None:
        super().__init__(id="files")
        self._files = Files()
        self._paths: tuple[Path, ...] = ()
        self._longest = 0
        """Cells of the longest path."""
        self._lines = lines

    def show(self, files: Files) -> None:
        """Show another moment of the files."""
        before, self._files = self._files, files
        if (paths := tuple(files.sessions)) != self._paths:
            self._paths = paths
            self._longest = max((cells(shown_path(path)) for path in paths), default=0)
            self.virtual_size = Size(0, len(paths))
        if files.current != before.current:
            self.call_after_refresh(self._show_selected)
        self.border_title = Content("Lock files")
        self.refresh()

    @property
    def _at(self) -> int:
        return self._paths.index(self._files.current)

    def _show_selected(self) -> None:
        if self._paths:
            region = Region(0, self._at, max(1, self.scrollable_content_region.width), 1)
            self.scroll_to_region(region, animate=False, force=True)

    def on_resize(self) -> None:
        """Keep the selected file in view."""
        self._show_selected()

    def render_line(self, y: int) -> Strip:
        """The file on one line of the screen."""
        width = self.scrollable_content_region.width
        place = self.scroll_offset.y + y
        style = self.get_visual_style("file-list--line")
        if not 0 <= place < len(self._paths):
            return Strip.blank(width, style.rich_style)
        path = self._paths[place]
        if path == self._files.current:
            style = self.get_visual_style("file-list--line", "file-list--selected")
        told = file_line(self._lines.line(self._files, path), self._columns, width)
        return Visual.to_strips(self, told.truncate(width, ellipsis=True), width, 1, style, pad=True)[0]

    @property
    def _columns(self) -> Columns:
        return columns_for(self.scrollable_content_region.width, self._longest)

    def action_move(self, step: int) -> None:
        """Move by some files."""
        self._go(self._at + step)

    def action_page(self, step: int) -> None:
        """Move by as many files as can be seen."""
        self._go(self._at + step * max(1, self.scrollable_content_region.height - 1))

    def action_end(self, step: int) -> None:
        """Move to the first or the last file."""
        self._go(len(self._paths) if step > 0 else 0)

    def _go(self, place: int) -> None:
        path = self._paths[max(0, min(place, len(self._paths) - 1))]
        if path != self._files.current:
            self.post_message(self.FileChosen(path, opened=False))

    def on_click(self, event: events.Click) -> None:
        """Select a file, and open the one that is selected."""
        offset = event.get_content_offset(self)
        place = -1 if offset is None else self.scroll_offset.y + offset.y
        if 0 <= place < len(self._paths):
            path = self._paths[place]
            self.post_message(self.FileChosen(path, opened=path == self._files.current))

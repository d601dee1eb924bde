"""The first line: what is reviewed, against which revision and sources, and how far the audit is."""

from __future__ import annotations

from typing import Final

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.tui.render.text import cells, shorten, shorten_start, spaced
from lockwarden.tui.state.progress import Phase, Progress

_BAR: Final = 16
_SMALL_BAR: Final = 8
_PATH: Final = 16
"""Cells that the path keeps before the revision gets any."""
_ENDED: Final = {Phase.CANCELLED: "cancelled", Phase.FAILED: "failed"}


def bar(progress: Progress, width: int) -> Content:
    """How far the audit is, drawn; always `width` cells."""
    filled = progress.done * width // progress.total if progress.total else 0
    return Content.assemble(("━" * filled, "$primary"), ("─" * (width - filled), "$text-muted"))


class AuditProgress(Widget):
    """Name, lock file, sources and progress on one line; what does not fit is left out from the middle."""

    title: reactive[str] = reactive("")
    """Where the lock file is, as the operator wrote it."""
    against: reactive[str] = reactive("")
    """The revision that it is compared with; empty for none."""
    sources: reactive[tuple[str, ...]] = reactive(())
    progress: reactive[Progress] = reactive(Progress())

    def render(self) -> RenderResult:
        """Lay the parts out for the present width."""
        width = self.size.width
        brand = Content.styled(" lockwarden ", "bold $background on $primary")
        end = self._text(width)
        room = width - brand.cell_length - end.cell_length - 3
        if room < 1:
            return brand
        path = self._path(room)
        left = room - path.cell_length - 2
        named = ", ".join(self.sources)
        sources = Content.styled(shorten(named, left), "$text-muted") if left > 8 else Content("")
        gap = max(1, width - brand.cell_length - path.cell_length - sources.cell_length - end.cell_length - 3)
        return Content.assemble(brand, "  ", path, " " * gap, sources, " ", end)

    def _path(self, room: int) -> Content:
        """Where the lock file is, and what it is compared with; the revision is cut before the path is."""
        if not self.against:
            return Content.styled(self._title(room), "bold")
        revision = shorten(f"against {self.against}", max(0, room - 2 - min(_PATH, cells(self.title))))
        path = self._title(room - cells(revision) - 2 if revision else room)
        return spaced(Content.styled(path, "bold"), Content.styled(revision, "$text-muted"))

    def _title(self, room: int) -> str:
        """The title, where it is too long without the name that nearly every lock file has: the folder tells more."""
        folder, name, note = self.title.rpartition(f"/{LOCK_FILE_NAME}")
        fits = not name or cells(self.title) <= room
        return shorten_start(self.title if fits else f"{folder}/{note}", room)

    def _text(self, width: int) -> Content:
        progress = self.progress
        if progress.phase is Phase.IDLE:
            return Content("")
        told = _ENDED.get(progress.phase, "")
        text = f"{progress.summary} {told}".rstrip()
        if width < 60 or not progress.running:
            return Content.styled(f" {text} ", "$text-muted")
        drawn = bar(progress, _BAR if width >= 100 else _SMALL_BAR)
        return Content.assemble(" ", drawn, f" {text} ")

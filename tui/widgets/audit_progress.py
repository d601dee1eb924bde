"""The first line: what is reviewed, against which sources, and how far the audit is."""

from __future__ import annotations

from typing import Final

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from lockwarden.tui.progress import Phase, Progress
from lockwarden.tui.text import shorten, shorten_start

_BAR: Final = 16
_SMALL_BAR: Final = 8
_ENDED: Final = {Phase.CANCELLED: "cancelled", Phase.FAILED: "failed"}


def bar(progress: Progress, width: int) -> Content:
    """How far the audit is, drawn; always `width` cells."""
    filled = progress.done * width // progress.total if progress.total else 0
    return Content.assemble(("━" * filled, "$primary"), ("─" * (width - filled), "$text-muted"))


class AuditProgress(Widget):
    """Name, lock file, sources and progress on one line; what does not fit is left out from the middle."""

    title: reactive[str] = reactive("")
    """Where the lock file is, as the operator wrote it."""
    sources: reactive[tuple[str, ...]] = reactive(())
    progress: reactive[Progress] = reactive(Progress())

    def render(self) -> RenderResult:
        """Lay the parts out for the present width."""
        width = self.size.width
        brand = Content.styled(" lockwarden ", "bold $background on $primary")
        end = self._told(width)
        room = width - brand.cell_length - end.cell_length - 3
        if room < 1:
            return brand
        path = Content.styled(shorten_start(self.title, room), "bold")
        left = room - path.cell_length - 2
        named = ", ".join(self.sources)
        sources = Content.styled(shorten(named, left), "$text-muted") if left > 8 else Content("")
        gap = max(1, width - brand.cell_length - path.cell_length - sources.cell_length - end.cell_length - 3)
        return Content.assemble(brand, "  ", path, " " * gap, sources, " ", end)

    def _told(self, width: int) -> Content:
        progress = self.progress
        if progress.phase is Phase.IDLE:
            return Content("")
        told = _ENDED.get(progress.phase, "")
        text = f"{progress.told} {told}".rstrip()
        if width < 60 or not progress.running:
            return Content.styled(f" {text} ", "$text-muted")
        drawn = bar(progress, _BAR if width >= 100 else _SMALL_BAR)
        return Content.assemble(" ", drawn, f" {text} ")

"""The exact difference that writing a file makes; then, on request, writing. The safe answer has the focus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button

from lockwarden.core.reports.differences import DiffLine, Sign
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import QUIET, hanging
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.prose_view import ProseView

_STYLES: Final = {
    Sign.FILE: "bold",
    Sign.PLACE: "$text-primary",
    Sign.SAME: QUIET,
    Sign.ADDED: "$text-success",
    Sign.REMOVED: "$text-error",
}
CHANGED_MEANWHILE: Final = "results came in meanwhile, so nothing was written: look again"
MAX_LINES: Final = 5000
"""Lines of the difference that are drawn; the count of all of them is always said."""


class FileDiffScreen(Screen[bool]):
    """Ends with True when the file is to be written."""

    CSS_PATH = "file_diff.tcss"
    AGREED: ClassVar[str] = "Write"
    """What the answer is called that has the file written."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(1)", "Down", show=False, id="diff.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="diff.up"),
        Binding("down", "scroll(1)", "Down", show=False, id="diff.down"),
        Binding("up", "scroll(-1)", "Up", show=False, id="diff.up"),
        Binding("pagedown", "scroll(10)", "Down", show=False, id="diff.page_down"),
        Binding("pageup", "scroll(-10)", "Up", show=False, id="diff.page_up"),
        Binding("left,h", "app.focus_previous", "Previous", show=False, id="diff.previous"),
        Binding("right,l", "app.focus_next", "Next", show=False, id="diff.next"),
        help_key("diff"),
        Binding("escape,q", "close", "Back", id="diff.close", tooltip="Go back without writing"),
    ]

    def __init__(
        self,
        difference: tuple[DiffLine, ...],
        *,
        title: str,
        notes: tuple[str, ...] = (),
        writing: bool = True,
    ) -> None:
        """`notes` are sentences that stand above the difference."""
        super().__init__()
        self._title = title
        self._notes = notes
        self._writing = writing
        self._difference = difference

    def compose(self) -> ComposeResult:
        """The summary, the difference, and the answers, the safe one first."""
        with VerticalScroll(id="summary", can_focus=False):
            yield ProseView()
        with VerticalScroll(id="diff", can_focus=False):
            yield ProseView()
        if self._writing:
            with Horizontal(id="answers"):
                yield Button("Cancel", id="cancel")
                yield Button(self.AGREED, id="write")
        yield KeyLine()

    def on_mount(self) -> None:
        """Say what is written, wrapped, since a cut line would hide some of it. The safe answer has the focus."""
        self.query_one("#summary ProseView", ProseView).show(lambda width: lines(*self.summary(width)))
        self.query_one("#diff ProseView", ProseView).show(lambda width: lines(*self._rows(width)))
        self.query_one("#diff").border_title = plain(self._title)
        if self._writing:
            self.query_one("#cancel", Button).focus()

    def summary(self, width: int) -> Iterator[Content]:
        """What stands above the difference."""
        for number, sentence in enumerate(self._notes):
            yield from hanging(Content(""), plain(on_screen(sentence), "bold" if number == 0 else ""), width)

    def below(self, width: int) -> Iterator[Content]:  # noqa: ARG002 - for those who have something to say
        """What stands below the difference."""
        return iter(())

    def _rows(self, width: int) -> Iterator[Content]:
        for line in self._difference[:MAX_LINES]:
            style = _STYLES[line.sign]
            if line.sign is Sign.FILE:
                yield from hanging(Content(""), plain(line.text, style), width)
            elif line.sign is Sign.PLACE:
                yield plain(line.text, style)
            else:
                yield from hanging(Content.styled(f"{line.sign} ", style), plain(line.text, style), width)
        if len(self._difference) > MAX_LINES:
            yield Content(f"… and {counted(len(self._difference) - MAX_LINES, 'line')} more")
        yield from self.below(width)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "write")

    def action_scroll(self, step: int) -> None:
        """Scroll the difference, wherever the focus is."""
        self.query_one("#diff", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_close(self) -> None:
        """Go back without writing."""
        self.dismiss(False)

"""The exact difference that the decisions make, and what stays although it is a finding; then, on request, writing."""

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

from lockwarden.core.review.review import Review
from lockwarden.tui.choices import Remaining, remaining
from lockwarden.tui.diffing import Sign, difference
from lockwarden.tui.looks import VERDICTS
from lockwarden.tui.prose import QUIET, hanging
from lockwarden.tui.text import counted, lines, plain, shorten_hash
from lockwarden.tui.why import provider_name
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.prose_view import ProseView

_STYLES: Final = {
    Sign.PLACE: "$text-primary",
    Sign.SAME: QUIET,
    Sign.ADDED: "$text-success",
    Sign.REMOVED: "$text-error",
}
_FIRST: Final = 5
"""Hashes to think of that are named above the difference; the others are named below it."""
MAX_LINES: Final = 5000
"""Lines of the difference that are drawn; the count of all of them is always said."""


class DiffScreen(Screen[bool]):
    """Ends with True when the file is to be written."""

    CSS_PATH = "diff.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(1)", "Down", show=False, id="diff.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="diff.up"),
        Binding("down", "scroll(1)", "Down", show=False, id="diff.down"),
        Binding("up", "scroll(-1)", "Up", show=False, id="diff.up"),
        Binding("pagedown", "scroll(10)", "Down", show=False, id="diff.page_down"),
        Binding("pageup", "scroll(-10)", "Up", show=False, id="diff.page_up"),
        Binding("left,h", "app.focus_previous", "Previous", show=False, id="diff.previous"),
        Binding("right,l", "app.focus_next", "Next", show=False, id="diff.next"),
        Binding("escape,q", "close", "Back", id="diff.close", tooltip="Go back to the review without writing"),
    ]

    def __init__(self, review: Review, after: bytes, *, title: str, writing: bool) -> None:
        super().__init__()
        self._review = review
        self._title = title
        self._writing = writing
        self._difference = difference(review.lock_file.data, after)

    def compose(self) -> ComposeResult:
        """The summary, the difference, and the answers, the safe one first."""
        with VerticalScroll(id="summary", can_focus=False):
            yield ProseView()
        with VerticalScroll(id="diff", can_focus=False):
            yield ProseView()
        if self._writing:
            with Horizontal(id="answers"):
                yield Button("Cancel", id="cancel")
                yield Button("Write", id="write")
        yield KeyLine()

    def on_mount(self) -> None:
        """Say what is written, wrapped, since a cut line would hide some of it. The safe answer has the focus."""
        self.query_one("#summary ProseView", ProseView).show(lambda width: lines(*self._summary(width)))
        self.query_one("#diff ProseView", ProseView).show(lambda width: lines(*self._rows(width)))
        self.query_one("#diff").border_title = plain(self._title)
        if self._writing:
            self.query_one("#cancel", Button).focus()

    def _summary(self, width: int) -> Iterator[Content]:
        added = sum(len(change.add) for change in self._review.changes.values())
        dropped = sum(len(change.drop) for change in self._review.changes.values())
        where = counted(len(self._review.changes), "provider")
        verb = "Writing adds" if self._writing else "The decisions add"
        told = f"{verb} {counted(added, 'hash', 'hashes')} and drops {dropped} in {where}"
        told = told if self._writing else told.replace("drops", "drop")
        yield from hanging(Content(""), Content.styled(told, "bold"), width)
        named = remaining(self._review)
        for each in named[:_FIRST]:
            yield _told(each, width)
        if len(named) > _FIRST:
            yield Content(f"  and {len(named) - _FIRST} more, named below the difference")

    def _rows(self, width: int) -> Iterator[Content]:
        for line in self._difference[:MAX_LINES]:
            style = _STYLES[line.sign]
            if line.sign is Sign.PLACE:
                yield plain(line.text, style)
            else:
                yield from hanging(Content.styled(f"{line.sign} ", style), plain(line.text, style), width)
        if len(self._difference) > MAX_LINES:
            yield Content(f"… and {counted(len(self._difference) - MAX_LINES, 'line')} more")
        for each in remaining(self._review)[_FIRST:]:
            yield _told(each, width)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "write")

    def action_scroll(self, step: int) -> None:
        """Scroll the difference, wherever the focus is."""
        self.query_one("#diff", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_close(self) -> None:
        """Go back without writing."""
        self.dismiss(False)


def _told(each: Remaining, width: int) -> Content:
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

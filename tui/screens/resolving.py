"""A lock file in conflict: what each side locks, what is confirmed of it, and what is taken; then writing, after a look
at the difference.
"""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content

from lockwarden.tui.render.resolving import provider_detail, summary_rows
from lockwarden.tui.render.text import lines
from lockwarden.tui.screens.bindings import RESOLVING_BINDINGS
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state.resolving import ResolvingState, versions_of, with_selected
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.placeholder_view import PlaceholderView
from lockwarden.tui.widgets.prose_view import ProseView
from lockwarden.tui.widgets.resolved_list import ResolvedList

_BESIDE: Final = 110
"""Cells from which on the text of a provider fits beside the list."""
_NEEDING: Final = frozenset({"take", "take_all", "diff", "write"})


class ResolvingScreen(SpeakingScreen):
    """Shows the app's lock file in conflict; nothing is written but by its `w`."""

    CSS_PATH = "resolving.tcss"
    AUTO_FOCUS = "#resolved-list"
    BINDINGS: ClassVar[list[BindingType]] = [
        *RESOLVING_BINDINGS,
        Binding("right,l", "app.focus_next", "Text", show=False, id="resolving.text"),
        Binding("left,h", "app.focus_previous", "Providers", show=False, id="resolving.list"),
    ]

    @property
    def state(self) -> ResolvingState:
        """What the app knows of it."""
        return self.lockwarden.resolving

    def compose(self) -> ComposeResult:
        """Its sides, the providers, and everything about the selected one."""
        yield ProseView(id="resolving-summary")
        yield PlaceholderView(id="resolving-placeholder")
        with Horizontal(id="resolving-panes"):
            yield ResolvedList()
            with VerticalScroll(id="resolved-detail"):
                yield ProseView()
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the app."""
        self.query_one("#resolved-detail").border_title = Content("Both sides")
        self.watch(self.app, "resolving", self._draw)

    def on_resize(self) -> None:
        """Put the text beside the list, or below it."""
        self.set_class(self.size.width >= _BESIDE, "-beside")

    def _draw(self, before: ResolvingState | None, now: ResolvingState) -> None:
        self.query_one("#resolving-summary", ProseView).show(lambda width: summary_rows(now, width))
        self.query_one("#resolving-placeholder", PlaceholderView).show(now.placeholder)
        self.query_one("#resolving-placeholder").display = now.placeholder is not None
        self.query_one("#resolving-panes").display = now.placeholder is None
        self.query_one(ResolvedList).show(now)
        self.query_one("#resolved-detail ProseView", ProseView).show(lambda width: _detail(now, width))
        if before is None or before.selected != now.selected:
            self.query_one("#resolved-detail", VerticalScroll).scroll_home(animate=False)
        if self.focused is None and now.placeholder is None:
            self.query_one(ResolvedList).focus()
        self.refresh_bindings()

    def why_not(self, action: str) -> str:
        """Why a key does nothing now."""
        state, name = self.state, action.partition("(")[0]
        if name in _NEEDING and (state.made is None or state.placeholder is not None):
            return "the sides were not audited yet"
        match name:
            case "take":
                several = state.provider is not None and len(versions_of(state.provider)) > 1
                return "" if several else "the sides lock the same version of it"
            case "diff" | "write" if state.made is not None and state.made.after is None:
                return "nothing is confirmed of some provider, so nothing can be written"
        return ""

    @on(ResolvedList.ResolvedProviderChosen)
    def _chosen(self, event: ResolvedList.ResolvedProviderChosen) -> None:
        self._select(event.place)

    def _select(self, place: int | None) -> None:
        """Select where the cursor is: it moves at once and tells of it later, and the next key may come before that."""
        if place is not None and place != self.state.selected:
            self.lockwarden.resolving = with_selected(self.state, place)

    def action_take(self) -> None:
        """Take the next version of the selected provider."""
        self._select(self.query_one(ResolvedList).on_the_way)
        if self.state.provider is not None:
            self.lockwarden.resolving_work.take_next(self.state.provider)

    def action_take_all(self, which: str) -> None:
        """Take the version of one side, or the higher one, of every provider."""
        self.lockwarden.resolving_work.take_all(which)

    def action_diff(self) -> None:
        """Look at the difference."""
        self.lockwarden.resolving_work.look(writing=False)

    def action_write(self) -> None:
        """Write it, after a look at the difference."""
        self.lockwarden.resolving_work.look(writing=True)

    def action_read_again(self) -> None:
        """Read the file again, and audit both sides anew."""
        self.lockwarden.resolving_work.open()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_close(self) -> None:
        """Go back."""
        self.lockwarden.resolving_work.cancel()
        self.dismiss(None)


def _detail(state: ResolvingState, width: int) -> Content:
    return Content("") if state.provider is None else lines(*provider_detail(state.provider, width))

"""The providers of a lock file in conflict, two lines each."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message

from lockwarden.core.review.resolving import ResolvedProvider
from lockwarden.tui.render.resolving import provider_rows
from lockwarden.tui.state.resolving import ResolvingState
from lockwarden.tui.widgets.line_list import LineList
from lockwarden.tui.widgets.titles import retitle


class ResolvedList(LineList[int]):
    """A list by place; which provider is selected is up to whoever hears of it."""

    class ResolvedProviderChosen(Message):
        """A person moved to a provider."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__(id="resolved-list")
        self._providers: tuple[ResolvedProvider, ...] = ()

    def show(self, state: ResolvingState) -> None:
        """Show another moment."""
        self._providers = state.providers
        retitle(self, Content("In conflict"), Content(""))
        self.show_entries(range(len(self._providers)), state.selected if self._providers else None)

    @property
    def entry_height(self) -> int:
        """Always two lines."""
        return 2

    def content_of(self, key: int, width: int) -> Content:
        """The lines of a provider."""
        rows = [each.truncate(width, ellipsis=True) for each in provider_rows(self._providers[key], width).split("\n")]
        return Content("\n").join(rows)

    def tell(self, key: int, *, opened: bool) -> None:  # noqa: ARG002 - its text stands beside it
        """Tell where a person moved."""
        self.post_message(self.ResolvedProviderChosen(key))

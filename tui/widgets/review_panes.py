"""The three panes of a review: the providers, the hashes of one of them, and why they stand as they do."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from lockwarden.core.review.review import Review
from lockwarden.tui.state import review_state as steps
from lockwarden.tui.state.review_state import Pane, ReviewState
from lockwarden.tui.widgets.hash_table import HashTable
from lockwarden.tui.widgets.provider_list import ProviderList
from lockwarden.tui.widgets.provider_summary import ProviderSummary
from lockwarden.tui.widgets.why_pane import WhyPane

_IDS: Final = {Pane.PROVIDERS: "providers", Pane.HASHES: "table", Pane.WHY: "why"}
"""What takes the keys in each pane."""


def pane_of(widget: Widget) -> Pane | None:
    """The pane whose keys a widget takes; None for what is no pane."""
    return next((pane for pane, name in _IDS.items() if widget.id == name), None)


class ReviewPanes(Vertical):
    """Holds the panes, and knows where the cursors are; what is in them, the screen's drawing says."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        super().__init__(id="panes")
        self._columns = columns

    def compose(self) -> ComposeResult:
        """The providers beside the hashes, the reasons below."""
        with Vertical(id="upper"):
            yield ProviderList()
            with Vertical(id="hashes"):
                yield ProviderSummary(id="summary")
                yield HashTable(self._columns)
        yield WhyPane()

    def take_keys(self, pane: Pane) -> None:
        """Put the focus into a pane; at once, so that one painting shows both."""
        self.screen.set_focus(self.query_one(f"#{_IDS[pane]}"))

    def caught_up(self, state: ReviewState, review: Review) -> ReviewState:
        """The state with the line at the cursor selected.

        It moves at once, and its message comes later, perhaps after the next key.
        """
        address, key = self.query_one(ProviderList).on_the_way, self.query_one(HashTable).on_the_way
        if address is not None:
            state = steps.with_provider(state, review, address)
        if key is not None and key.address == str(state.provider):
            state = steps.with_hash(state, review, key)
        return state

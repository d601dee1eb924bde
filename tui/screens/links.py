"""Which of several addresses is opened in the browser."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from lockwarden.core.review.review import Review
from lockwarden.tui.render.links import links_of
from lockwarden.tui.render.prose import QUIET
from lockwarden.tui.render.text import plain, shorten_middle
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state.review_state import Pane, ReviewState, selected_provider, selected_row
from lockwarden.tui.widgets.picker import VimList


class LinksScreen(ModalScreen[str]):
    """Ends with an address; with an empty one when none is to be opened."""

    CSS_PATH = "links.tcss"
    AUTO_FOCUS = "#links"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("links", show=False),
        Binding("escape,q", "give_up", "Back", id="links.back", tooltip="Go back without opening anything"),
    ]

    def __init__(self, links: tuple[tuple[str, str], ...]) -> None:
        """`links` are what each address is, and the address."""
        super().__init__()
        self._links = links

    def compose(self) -> ComposeResult:
        """The addresses."""
        with Vertical(id="question"):
            yield Static(plain("Open in the browser", "bold"), markup=False)
            yield VimList(id="links", markup=False, compact=True)

    def on_mount(self) -> None:
        """Show them."""
        self._show()

    def on_resize(self) -> None:
        """Fit them to another width."""
        self._show()

    def _show(self) -> None:
        links = self.query_one("#links", VimList)
        at, width = links.highlighted, max(20, self.size.width - 20)
        links.set_options(
            Option(Content("\n").join([plain(what, QUIET), plain(shorten_middle(address, width))]), id=address)
            for what, address in self._links
        )
        links.highlighted = at or 0

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id or "")

    def action_give_up(self) -> None:
        """Open nothing."""
        self.dismiss("")


def links_of_selected(state: ReviewState, review: Review) -> tuple[tuple[str, str], ...]:
    """The addresses behind the selected hash or provider, each with what it is."""
    provider = selected_provider(state, review)
    row = None if state.subject is Pane.PROVIDERS else selected_row(state, review)
    return () if provider is None else links_of(provider, row)


def browse(screen: SpeakingScreen, links: tuple[tuple[str, str], ...]) -> None:
    """Open the only address, or ask which; nothing where there is none."""
    outside = screen.lockwarden.outside

    def chosen(address: str | None) -> None:
        if address:
            outside.browse(address)

    if len(links) == 1:
        chosen(links[0][1])
    elif links:
        screen.app.push_screen(LinksScreen(links), chosen)

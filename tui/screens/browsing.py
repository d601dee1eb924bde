"""Opening an address of what is selected: the one that there is, or the one that a person chooses."""

from __future__ import annotations

from lockwarden.core.review.review import Review
from lockwarden.tui.render.links import links_of
from lockwarden.tui.screens.links import LinksScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state.review_state import Pane, ReviewState, selected_provider, selected_row


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

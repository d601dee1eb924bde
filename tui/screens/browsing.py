"""Opening an address of what is selected: the one that there is, or the one that a person chooses."""

from __future__ import annotations

from lockwarden.tui.screens.links import LinksScreen
from lockwarden.tui.screens.speaking import SpeakingScreen


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

"""What a person has had time to see of the review, so that a key decides of nothing that came in beneath it."""

from __future__ import annotations

from functools import partial
from typing import Final

from textual.screen import Screen

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import as_seen
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.review_app import app_of

JUST_CHANGED: Final = "this has changed just now, so nothing was decided: look again"


class Attention:
    """Follows what is on a review screen, and for how long."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self.seen: Review | None = None
        """The review that a person has had time to see; a key that decides goes by this one."""
        self._aimed: HashKey | None = None
        """The hash that was selected then, or that a person has selected since."""
        self._selected: HashKey | None = None

    def moved(self, selected: HashKey | None) -> None:
        """A person has selected a hash, so it is what they aim at."""
        self._aimed = self._selected = selected

    def results_arrived(self, review: Review | None, selected: HashKey | None) -> None:
        """Note that results have come in, so that rows may differ from what a person has seen.

        They count as seen once they were on the screen for `REACTION` seconds.
        """
        self._selected = selected
        see = partial(self._see, review, selected)
        if reaction := app_of(self._screen).reaction:
            self._screen.set_timer(reaction, see)
        else:
            self._screen.call_after_refresh(see)

    def _see(self, review: Review | None, selected: HashKey | None) -> None:
        # What lies under another screen, such as the palette, nobody sees. A detail shows what lies under it.
        above = self._screen.app.screen
        if above is self._screen or isinstance(above, DetailScreen):
            self.seen = review
            if selected == self._selected:
                self._aimed = selected

    def stands_as_seen(self, now: Review, *keys: HashKey) -> bool:
        """Whether a person has had time to see these hashes as they stand, so that a key is meant for them."""
        return self._aimed == self._selected and as_seen(self.seen, now, keys)

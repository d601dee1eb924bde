"""What every action of the review stands on: the app, its session, the state, and which keys mean something now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual.binding import BindingType
from textual.reactive import var

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import as_seen
from lockwarden.tui.bindings import REVIEW_KEYS
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state import availability
from lockwarden.tui.state.review_state import ReviewState
from lockwarden.tui.state.session import Session

if TYPE_CHECKING:
    from lockwarden.tui.app import LockwardenApp

REACTION: Final = 0.3
"""Seconds that a person takes from seeing something to pressing a key because of it."""
JUST_CHANGED: Final = "this has changed just now, so nothing was decided: look again"
_ACTIONS: Final = frozenset(getattr(key, "action", "").partition("(")[0] for key in REVIEW_KEYS)


class ReviewBasis(SpeakingScreen):
    """What `ReviewActions` are built on."""

    BINDINGS: ClassVar[list[BindingType]] = list(REVIEW_KEYS)

    state: var[ReviewState] = var(ReviewState())
    seen: Review | None = None
    """The review that a person has had time to see; a key that decides goes by this one."""
    aimed: HashKey | None = None
    """The hash that was selected then, or that a person has selected since."""

    @property
    def lockwarden(self) -> LockwardenApp:
        """The app, by its type."""
        return cast("LockwardenApp", self.app)

    @property
    def session(self) -> Session:
        """What the app knows now."""
        return self.lockwarden.session

    @property
    def review(self) -> Review:
        """The review; only to be asked for by actions that need one, which `why_not` holds back before."""
        review = self.session.review
        assert review is not None  # noqa: S101
        return review

    def why_not(self, action: str) -> str:
        """Why the action does nothing now, in a sentence of our own; empty when it does something."""
        name = action.partition("(")[0]
        return availability.why_not(name, self.session, self.state) if name in _ACTIONS else ""

    def stands_as_seen(self, *keys: HashKey) -> bool:
        """Whether a key was aimed at these hashes as they stand; if not, it is told that it does nothing."""
        if self.aimed == self.state.hash and as_seen(self.seen, self.review, keys):
            return True
        self.say(JUST_CHANGED)
        return False

    def results_arrived(self) -> None:
        """Something may be other than a person has seen it; it is seen once it was on the screen for a while."""
        see = partial(self._see, self.session.review, self.state.hash)
        if self.lockwarden.reaction:
            self.set_timer(self.lockwarden.reaction, see)
        else:
            self.call_after_refresh(see)

    def _see(self, review: Review | None, selected: HashKey | None) -> None:
        # What lies under another screen, such as the palette, nobody sees. A detail shows what lies under it.
        if self.app.screen is self or isinstance(self.app.screen, DetailScreen):
            self.seen = review
            if selected == self.state.hash:
                self.aimed = selected

    def on_screen_resume(self) -> None:
        """What came in under another screen can be seen from now on."""
        self.results_arrived()

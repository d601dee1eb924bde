"""What every action of the review stands on: the app, its session, the state, and which keys mean something now."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType
from textual.reactive import var

from lockwarden.core.review.review import Review
from lockwarden.tui import availability
from lockwarden.tui.keys import REVIEW_KEYS
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.session import Session
from lockwarden.tui.state import ReviewState

if TYPE_CHECKING:
    from lockwarden.tui.app import LockwardenApp

_ACTIONS = frozenset(getattr(key, "action", "").partition("(")[0] for key in REVIEW_KEYS)


class ReviewBasis(SpeakingScreen):
    """What `ReviewActions` are built on."""

    BINDINGS: ClassVar[list[BindingType]] = list(REVIEW_KEYS)

    state: var[ReviewState] = var(ReviewState())

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

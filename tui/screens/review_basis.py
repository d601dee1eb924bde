"""What every action of the review stands on: the app, its session, the state, and which keys mean something now."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.binding import BindingType
from textual.reactive import var
from textual.screen import Screen

from lockwarden.core.review.review import Review
from lockwarden.tui.availability import why_not
from lockwarden.tui.keys import REVIEW_KEYS
from lockwarden.tui.session import Session
from lockwarden.tui.state import ReviewState

if TYPE_CHECKING:
    from lockwarden.tui.app import LockwardenApp

_ACTIONS = frozenset(getattr(key, "action", "").partition("(")[0] for key in REVIEW_KEYS)


class ReviewBasis(Screen[None]):
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

    def say(self, sentence: str) -> None:
        """Tell something short, in our own words, until the next key."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Dim what means nothing now; it stays visible, and pressing it says why."""
        return None if self._why_not(action) else True

    def _why_not(self, action: str) -> str:
        return why_not(action, self.session, self.state) if action in _ACTIONS else ""

    def on_key(self, event: events.Key) -> None:
        """Say why a dimmed key does nothing."""
        active = self.active_bindings.get(event.key)
        if active is not None and not active.enabled and (reason := self._why_not(_name(active.binding.action))):
            event.stop()
            self.say(reason)

    async def perform(self, action: str) -> None:
        """Do what a key would do, from the palette."""
        if reason := self._why_not(_name(action)):
            self.say(reason)
        else:
            await self.run_action(action)


def _name(action: str) -> str:
    return action.partition("(")[0]

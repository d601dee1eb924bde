"""A screen that dims keys which mean nothing now, says why when one of them is pressed, and tells what was done."""

from __future__ import annotations

from textual import events
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.screens.review_app import ReviewApp, app_of
from lockwarden.tui.widgets.notice import Notice


def fit_at_once(screen: Screen[None]) -> None:
    """Give a screen the class of the width that it opens at. Textual does so once it is painted, and paints it anew."""
    width = screen.app.size.width
    names = [name for least, name in sorted(screen.app.HORIZONTAL_BREAKPOINTS or ()) if width >= least]
    screen.add_class(*names[-1:], update=False)


class SpeakingScreen(Screen[None]):
    """Its last widgets are a `KeyLine` and a `Notice`. Which of its keys do nothing now, each screen says itself."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """What takes the keys. For another one Textual paints all of a screen anew, and both widgets do so themselves."""

    def __init__(self) -> None:
        super().__init__()
        self._refused = ("", "")
        """The action of which it is said that it does nothing now, and why; empty when something else is said."""
        fit_at_once(self)

    @property
    def lockwarden(self) -> ReviewApp:
        """The app, by its type."""
        return app_of(self)

    def why_not(self, action: str) -> str:  # noqa: ARG002 - for those with keys that do nothing at times
        """Why the action does nothing now, with keys as ⟨undo⟩; empty when it does something."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Dim what means nothing now; it stays visible, and pressing it says why."""
        return None if self.why_not(action) else True

    def takes(self, event: events.Key) -> bool:
        """Whether a key is none: one that is dimmed, of which it is said why, or what a screen has of its own.

        It is asked for each key once the one before has done what it does.
        """
        own = self._bindings.key_to_bindings.get(event.key, ())
        if not self.lockwarden.setup.look.keymap and not any(self.why_not(each.action) for each in own):
            return False  # finding out what every key does now takes longer than what the key does
        active = self.active_bindings.get(event.key)
        if active is None or active.enabled or not (reason := self.why_not(active.binding.action)):
            return False
        self._refuse(active.binding.action, reason)
        return True

    async def perform(self, action: str) -> None:
        """Do what a key would do, from the palette."""
        if reason := self.why_not(action):
            self._refuse(action, reason)
        else:
            await self.run_action(action)

    def _refuse(self, action: str, reason: str) -> None:
        """Say why an action does nothing, for as long as that is true."""
        self.say(with_keys(reason))
        self._refused = (action, reason)

    def refresh_bindings(self) -> None:
        """Something has changed: dim what means nothing now, and take a reason back that holds no more."""
        super().refresh_bindings()
        action, reason = self._refused
        if action and self.why_not(action) != reason:
            self.hide_message()

    def say(self, sentence: str) -> None:
        """Tell something short in the last line until the next key; a screen that is coming or going has none."""
        self._refused = ("", "")
        for line in self.query(Notice):
            line.say(sentence)

    def notice_a_person(self) -> None:
        """A key or a click: the last message goes away."""
        self.hide_message()

    def hide_message(self) -> None:
        """The last message is over."""
        self._refused = ("", "")
        self.query_one(Notice).hide()

    def on_resize(self) -> None:
        """Tell the last message in as many lines as it needs now."""
        for line in self.query(Notice):
            line.fit()

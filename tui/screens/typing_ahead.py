"""Typing a source straight into the list of sources, whose keys are letters too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from textual import events
from textual.timer import Timer

from lockwarden.tui.screens.speaking import SpeakingScreen

_BEGINNINGS: Final = frozenset("hod/.~")
"""What `https:`, `oci:`, `direct` and folders begin with."""
_KEYS: Final = frozenset("ixtr")
"""Letters that are keys in the list of sources."""
_TYPED_ON: Final = 0.3
"""Seconds within which the next letter makes both a text."""


class TypingAhead:
    """Tells letters that are typed from letters that are keys.

    One that is a key waits a moment for the next: a person who types the name of a registry or a folder does not mean
    its letters one by one.
    """

    def __init__(self, screen: SpeakingScreen, begin: Callable[[str], None]) -> None:
        """`begin` puts what was typed where it can be typed on."""
        self._screen = screen
        self._begin = begin
        self._letter = ""
        self._waiting: Timer | None = None
        """Runs until the letter counts as a key."""

    def takes(self, event: events.Key, wait: float | None) -> bool:
        """Whether a key was typed, or may yet turn out to be; then nobody else hears of it.

        `wait` is how many seconds a person takes for the next letter; None outside the list, where nothing is typed.
        """
        letter, waited = event.character or "", self._letter
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting, self._letter = None, ""
        if wait is None or not letter or not letter.isprintable():
            return False
        if waited or letter in _BEGINNINGS:
            self._begin(waited + letter)
        elif wait and letter in _KEYS:
            self._letter = letter
            self._waiting = self._screen.set_timer(min(wait, _TYPED_ON), partial(self._meant, event.key))
        else:
            return False
        return True

    async def _meant(self, key: str) -> None:
        """The letter was a key: nothing was typed after it."""
        self._waiting, self._letter = None, ""
        active = self._screen.active_bindings.get(key)
        if active is not None:
            await self._screen.perform(active.binding.action)

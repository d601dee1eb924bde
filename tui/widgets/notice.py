"""A short message until the next key: what was done, or why nothing was.

It stands in the line of keys. Where it needs more lines than one, it takes them.
"""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.widgets import Static

from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.text import plain
from lockwarden.tui.widgets.key_line import KeyLine

NOTHING: Final = Content("")


class Notice(Static):
    """Tells by the line of keys what fits into it, and lies over it with what does not.

    To come and go it has everything on the screen laid out anew, which a message for every decision must not cost.
    """

    DEFAULT_CSS = """
    Notice {
        layer: above;
        dock: bottom;
        height: auto;
        max-height: 4;
        padding: 0 1;
        display: none;
        background: $primary;
        color: $background;

        &.-shown {
            display: block;
        }
    }
    """

    def __init__(self) -> None:
        super().__init__(id="notice", markup=False)
        self._told = NOTHING

    def say(self, sentence: str) -> None:
        """Tell something short."""
        self._tell(plain(on_screen(sentence)))

    def hide(self) -> None:
        """A person goes on."""
        self._tell(NOTHING)

    def fit(self) -> None:
        """Tell the same where there is another width."""
        self._tell(self._told)

    def _tell(self, told: Content) -> None:
        self._told = told
        keys = self.screen.query_one(KeyLine)
        within = keys.has_room_for(told)
        keys.tell(told if within else NOTHING)
        if not within:
            self.update(told)
        self.set_class(not within, "-shown")

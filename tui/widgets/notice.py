"""The last line, for a short message until the next key: what was done, or why nothing was.

Where a message needs more lines than one, it takes them.
"""

from __future__ import annotations

from textual.widgets import Static

from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.text import plain


class Notice(Static):
    """Lies over the key line while it has something to say."""

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

    def say(self, sentence: str) -> None:
        """Tell something short."""
        self.update(plain(on_screen(sentence)))
        self.add_class("-shown")

    def hide(self) -> None:
        """A person goes on."""
        self.remove_class("-shown")

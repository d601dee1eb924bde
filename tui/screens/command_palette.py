"""Textual's palette, which also says where help is, and opens it."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.command import CommandPalette

_ID: Final = "--command-palette"
"""By which Textual knows it."""


class HelpfulPalette(CommandPalette):
    """The palette of every screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "help", "Help", show=False, id="palette.help")]

    def __init__(self) -> None:
        super().__init__(id=_ID, placeholder="What to do, or where to go (F1: help, esc: back)")

    def action_help(self) -> None:
        """Close, and open the help of the screen below."""
        self.dismiss(None)
        self.app.call_later(self.app.run_action, "app.help")

"""The line that shows that a running audit lives. It is there once an audit has run for a second, until it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.content import Content
from textual.widgets import Static

from lockwarden.core.evidence.pulse import Pulse
from lockwarden.tui.render.pulse import pulse_line

_LOOK: Final = 0.5
"""Seconds from one look to the next; a server that keeps silent is seen to within a second."""


class PulseLine(Static):
    """Looks by itself, since what it tells most is that nothing happens."""

    DEFAULT_CSS = """
    PulseLine {
        height: 1;
        padding: 0 1;
        display: none;

        &.-shown {
            display: block;
        }
    }
    """

    def __init__(self, moment: Callable[[], Pulse | None]) -> None:
        """`moment` gives how an audit is now; None while none runs."""
        super().__init__(id="pulse", markup=False)
        self._moment = moment

    def on_mount(self) -> None:
        """Begin to look."""
        self.set_interval(_LOOK, self._look_on_top)

    def _look_on_top(self) -> None:
        """Look, unless another screen lies above: all of both would be painted anew each time."""
        if self.app.screen is self.screen:
            self.look()

    def look(self) -> None:
        """Show what is to be told now."""
        pulse = self._moment()
        told = Content("") if pulse is None else pulse_line(pulse, self.app.size.width - 2)
        shown = self.content
        if not (isinstance(shown, Content) and told.is_same(shown)):
            self.update(told, layout=False)  # always one line
        self.set_class(bool(told), "-shown")

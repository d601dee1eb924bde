"""The last line: the keys that can be pressed now, as many as fit, the most useful first. Each can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.containers import HorizontalGroup
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

_ALWAYS: Final = 2
"""The last keys, help and leaving, which every width shows."""


class KeyHint(Static):
    """One key and its word; clicking presses the key."""

    ALLOW_SELECT = False

    def __init__(self, active: ActiveBinding, key_display: str) -> None:
        look = "$text-accent bold" if active.enabled else "$text-muted"
        text = Content.assemble((key_display, look), " ", (active.binding.description, "" if active.enabled else look))
        super().__init__(text, markup=False, classes="" if active.enabled else "-disabled")
        self.key = active.binding.key
        self.tooltip = active.binding.tooltip or None

    def on_click(self, event: events.Click) -> None:
        """Press the key; one that does nothing now then says why."""
        event.stop()
        self.app.simulate_key(self.key)


class KeyLine(HorizontalGroup, can_focus=False, can_focus_children=False):
    """A footer that leaves a key out rather than cut one."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._shown: tuple[tuple[str, str, bool], ...] = ()

    def on_mount(self) -> None:
        """Follow what can be pressed."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        """Fit the keys into another width."""
        self.call_after_refresh(self._draw)

    async def _draw(self) -> None:
        """Make the hints anew, unless they would be the same: making widgets is slow, and most keys change nothing."""
        if self.is_attached and _looks(self._fitting()) != self._shown:
            await self.recompose()

    def compose(self) -> ComposeResult:
        """The keys that fit."""
        fitting_keys = self._fitting()
        self._shown = _looks(fitting_keys)
        for active, name in fitting_keys:
            yield KeyHint(active, name)

    def _fitting(self) -> list[tuple[ActiveBinding, str]]:
        by_action = {
            active.binding.action: active
            for active in reversed(self.screen.active_bindings.values())
            if active.binding.show
        }
        named = [(active, self.app.get_key_display(active.binding)) for active in reversed(by_action.values())]
        widths = [len(name) + len(active.binding.description) + 3 for active, name in named]
        return [named[place] for place in fitting(widths, self.size.width - 1)]


def _looks(keys: Sequence[tuple[ActiveBinding, str]]) -> tuple[tuple[str, str, bool], ...]:
    """All that can be seen of the keys."""
    return tuple((name, active.binding.description, active.enabled) for active, name in keys)


def fitting(widths: Sequence[int], room: int) -> tuple[int, ...]:
    """The places of what fits into `room`, in order: the last ones first of all, then from the beginning."""
    last = range(max(0, len(widths) - _ALWAYS), len(widths))
    left = room - sum(widths[place] for place in last)
    chosen: list[int] = []
    for place in range(last.start):
        left -= widths[place]
        if left < 0:
            break
        chosen.append(place)
    return (*chosen, *last)

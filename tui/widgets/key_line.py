"""The last line: the keys that can be pressed now, as many as fit, the most useful first. Each can be clicked.

A short message takes their place until the next key, which moves nothing else on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from textual import events
from textual.binding import ActiveBinding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

_ALWAYS: Final = 2
"""The last keys, help and leaving, which every width shows."""
_KEY: Final = "key"


class _Hint(Struct, frozen=True):
    """One key and its word."""

    key: str
    shown: str
    word: str
    enabled: bool
    tooltip: str

    @property
    def width(self) -> int:
        return len(self.shown) + len(self.word) + 1

    def render(self, *, capped: bool) -> Content:
        """The key and its word; where colours are few, a key that works is drawn as a cap, the other way round."""
        working, idle = ("bold reverse", "dim") if capped else ("bold $text-accent", "$text-muted")
        look = working if self.enabled else idle
        told = Content.assemble((self.shown, look), " ", (self.word, "" if self.enabled else idle))
        return told.stylize(Style.from_meta({_KEY: self.key}))


class KeyLine(Widget, can_focus=False):
    """A footer that leaves a key out rather than cut one."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._hints: tuple[_Hint, ...] = ()
        self._told = Content("")

    def tell(self, told: Content) -> None:
        """Show a message in the place of the keys; with an empty one the keys again."""
        if not told.is_same(self._told):
            self._told = told
            self.set_class(bool(told), "-telling")
            self.refresh()

    def has_room_for(self, told: Content) -> bool:
        """Whether a message fits into the line."""
        return "\n" not in told.plain and told.cell_length <= self.screen.size.width - 2

    def on_mount(self) -> None:
        """Follow what can be pressed."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        self._draw()

    def _changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        """Fit the keys into another width."""
        self._draw()

    def _draw(self) -> None:
        """Paint the hints anew, unless they would be the same: most keys change nothing."""
        if self.is_attached and (hints := self._fitting()) != self._hints:
            self._hints = hints
            self.refresh()

    def render(self) -> Content:
        """What is told, or the keys that fit."""
        if self._told:
            return self._told
        capped = self.app.native_ansi_color or self.app.no_color
        return Content("  ").join([each.render(capped=capped) for each in self._hints])

    def _fitting(self) -> tuple[_Hint, ...]:
        by_action = {
            active.binding.action: active
            for active in reversed(self.screen.active_bindings.values())
            if active.binding.show
        }
        hints = [self._hint(active) for active in reversed(by_action.values())]
        return tuple(hints[place] for place in fitting([each.width + 2 for each in hints], self.size.width - 1))

    def _hint(self, active: ActiveBinding) -> _Hint:
        binding = active.binding
        return _Hint(
            binding.key, self.app.get_key_display(binding), binding.description, active.enabled, binding.tooltip
        )

    def on_click(self, event: events.Click) -> None:
        """Press the key; one that does nothing now then says why."""
        event.stop()
        if key := event.style.meta.get(_KEY):
            self.app.simulate_key(key)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell what the key under the pointer does."""
        key = event.style.meta.get(_KEY)
        self.tooltip = next((each.tooltip for each in self._hints if each.key == key), "") or None


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

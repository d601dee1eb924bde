"""The command palette of the review: everything that is on a key, verb first, and a filter for every verdict."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.filters import NO_FILTER, of_verdicts

if TYPE_CHECKING:
    from lockwarden.tui.screens.review import ReviewScreen

_Command = tuple[str, str, IgnoreReturnCallbackType]


class ReviewCommands(Provider):
    """Commands of the review screen. Their names are our own words; none holds text from outside."""

    async def discover(self) -> Hits:
        """Everything, before anything was typed."""
        for name, key, run in self._commands():
            yield DiscoveryHit(name, run, help=key)

    async def search(self, query: str) -> Hits:
        """What matches the words that were typed."""
        matcher = self.matcher(query)
        for name, key, run in self._commands():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, help=key)

    def _commands(self) -> Iterator[_Command]:
        screen = cast("ReviewScreen", self.screen)
        seen: set[str] = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.id and binding.tooltip and binding.action not in seen:
                seen.add(binding.action)
                key = f"key {self.app.get_key_display(binding)}"
                yield binding.tooltip, key, partial(screen.perform, binding.action)
        for verdict in Verdict:
            yield f"Show only {verdict} hashes", f"filter verdict:{verdict}", partial(screen.show, of_verdicts(verdict))
        yield "Show all hashes", "no filter", partial(screen.show, NO_FILTER)

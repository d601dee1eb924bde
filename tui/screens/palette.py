"""The command palette: everything that is on a key of the screen, verb first, filters, and where to go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar, Final, Protocol, runtime_checkable

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandInput, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType
from textual.widgets import Input
from textual.worker import Worker

from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.tui.render.text import plain
from lockwarden.tui.screens.review_app import app_of
from lockwarden.tui.state.filters import APPROVED, NO_FILTER, Filter, parse_filter
from lockwarden.tui.widgets.line_input import LineInput

_OFFERED: Final = 20
"""Destinations that are offered before anything was typed."""
_Command = tuple[str, str, str, IgnoreReturnCallbackType]
_FILTERS: Final = (
    *((f"Show only {verdict} hashes", f"verdict:{verdict}") for verdict in Verdict),
    ("Show only hashes that a record accepts", f"verdict:{APPROVED}"),
    ("Show only hashes that came in with the change", "change:in"),
    ("Show only hashes that the change took out", "change:out"),
)


_ID: Final = "--command-palette"
"""By which Textual knows it."""


@runtime_checkable
class Performing(Protocol):
    """A screen some of whose keys mean nothing at times."""

    async def perform(self, action: str) -> None:
        """Do what a key would do, or say why it does nothing."""
        ...


@runtime_checkable
class Filtered(Protocol):
    """A screen that can be narrowed."""

    def show(self, chosen: Filter) -> None:
        """Show only what the filter lets through."""
        ...


class _Commands(Provider, ABC):
    """Their names are our own words; none holds text from outside."""

    async def discover(self) -> Hits:
        """Everything, before anything was typed."""
        for name, _, key, run in self._commands():
            yield DiscoveryHit(name, run, help=key)

    async def search(self, query: str) -> Hits:
        """What matches the words that were typed, by what it does or by the word on the line of keys."""
        matcher = self.matcher(query)
        for name, word, key, run in self._commands():
            score = max(matcher.match(name), matcher.match(word))
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, help=key)

    @abstractmethod
    def _commands(self) -> Iterator[_Command]:
        """A name, the word by which the screen names it elsewhere, its key, and what it does."""


class KeyCommands(_Commands):
    """What is on a key of the screen that the palette was opened on."""

    def _commands(self) -> Iterator[_Command]:
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.id and binding.tooltip and binding.action not in seen:
                seen.add(binding.action)
                key = f"key {self.app.get_key_display(binding)}"
                yield binding.tooltip, binding.description, key, partial(self._perform, binding.action)

    async def _perform(self, action: str) -> None:
        """Do what the key would do; screens that dim keys say why where it does nothing."""
        if isinstance(self.screen, Performing):
            await self.screen.perform(action)
        else:
            await self.screen.run_action(action)


@runtime_checkable
class Reviewing(Protocol):
    """A review with providers to go to."""

    @property
    def destinations(self) -> tuple[tuple[str, ProviderAddress], ...]:
        """What each provider is called, and its address."""
        ...

    def go_to(self, address: ProviderAddress) -> None:
        """Show this provider's hashes, whatever was hidden before."""
        ...


@runtime_checkable
class FileListScreen(Protocol):
    """A list of lock files to go to."""

    def go_to_file(self, path: Path) -> None:
        """Open the review of this file."""
        ...


class Destinations(Provider):
    """Providers and lock files by their names, which are text from outside: nothing in them is markup."""

    async def discover(self) -> Hits:
        """The first few, before anything was typed."""
        for name, go in list(self._all())[:_OFFERED]:
            yield DiscoveryHit(plain(name), go, text=name)

    async def search(self, query: str) -> Hits:
        """What matches the words that were typed."""
        matcher = self.matcher(query)
        for name, go in self._all():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, plain(name), go, text=name)

    def _all(self) -> Iterator[tuple[str, IgnoreReturnCallbackType]]:
        screen: object = self.screen
        if isinstance(screen, Reviewing):
            for name, address in screen.destinations:
                yield f"Go to {name}", partial(screen.go_to, address)
        files = app_of(self.screen).files
        below = next((each for each in self.app.screen_stack if isinstance(each, FileListScreen)), None)
        if isinstance(below, FileListScreen) and isinstance(screen, Reviewing | FileListScreen):
            for path in files.sessions:
                yield f"Go to {path}", partial(below.go_to_file, path)


class ReviewCommands(_Commands):
    """Filters of the review."""

    def _commands(self) -> Iterator[_Command]:
        screen: object = self.screen
        if isinstance(screen, Filtered):
            for name, text in _FILTERS:
                yield name, text, f"filter {text}", partial(screen.show, parse_filter(text))
            yield "Show all hashes", "", "no filter", partial(screen.show, NO_FILTER)


class _PaletteLine(CommandInput, LineInput):
    """Where the palette is typed into."""


class HelpfulPalette(CommandPalette):
    """The palette of every screen. Enter runs what was found for the words that were typed, once that is found.

    Textual's own runs what is listed when the key comes, which is what was found for the words before.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "help", "Help", show=False, id="palette.help")]

    def __init__(self) -> None:
        super().__init__(id=_ID, placeholder="What to do, or where to go (F1: help, esc: back)")
        self._entered_ahead = False
        """Whether enter was pressed before everything was found for the words that stood there."""

    def compose(self) -> ComposeResult:
        """Textual's palette, with our line."""
        for part in super().compose():
            if isinstance(part, CommandInput):
                yield _PaletteLine(placeholder=part.placeholder, select_on_focus=False)
            else:
                yield part

    @property
    def _searching(self) -> bool:
        """Whether what is listed is not yet what the words mean."""
        return any(each.node is self and not each.is_finished for each in self.workers)

    @on(Input.Changed)
    def _typed_on(self) -> None:
        """Other words: enter was not pressed behind them."""
        self._entered_ahead = False

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        """Wait with enter until everything is found."""
        if self._searching:
            event.stop()
            event.prevent_default()
            self._entered_ahead = True

    async def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Press the enter that waited for a search."""
        if event.worker.is_finished and self._entered_ahead and not self._searching:
            self._entered_ahead = False
            await self.query_one(Input).action_submit()

    def action_help(self) -> None:
        """Close, and open the help of the screen below."""
        self.dismiss(None)
        self.app.call_later(self.app.run_action, "app.help")

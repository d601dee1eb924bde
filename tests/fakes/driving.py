"""Driving the app in a test: press keys, wait until everything has settled, look at the state and at the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from rich.style import Style
from textual.command import Command, CommandList, CommandPalette
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from fakes.running import PreparedAudit, app_of
from fakes.unseen_pictures import eyes, quick, share_styles
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state import review_state as state
from lockwarden.tui.state.files import Files
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.state.review_state import ReviewState

__all__ = ["Driver", "app_of", "drive"]

PATIENCE: Final = 60.0
"""Seconds until what was waited for is taken for something that never comes."""
_BETWEEN_LOOKS: Final = 0.005
_ROUNDS: Final = 4
"""A key is handled by a widget, which tells its screen, which sets the state, which is drawn."""
_TURNS_BETWEEN_LOOKS: Final = 4
_TURNS: Final = 50
"""How often the others get their turn before the pilot waits for what is still not done."""


@dataclass
class Driver:
    """The app, and a person's hands and eyes."""

    app: LockwardenApp
    pilot: Pilot[int]

    async def handled(self) -> None:
        """Wait until everybody has handled the messages that wait, and those that follow from them.

        Each round is over when every message that waited at its begin was handled, however long that takes, and the
        screen was laid out. The last one leaves nobody anything to do.
        """
        for _ in range(_ROUNDS):
            await self._quiet()
            await self.pilot.pause(0)
            if not self._waiting:
                return

    async def _quiet(self) -> None:
        """Let everybody have their turn until no message waits; what takes longer is waited for by the pilot."""
        for turn in range(_TURNS):
            await asyncio.sleep(0)
            if turn % _TURNS_BETWEEN_LOOKS == 0 and not self._waiting:
                return

    @property
    def _waiting(self) -> bool:
        """Whether a message waits for anybody on the screen."""
        return any(each.message_queue_size for each in (self.app, *self.screen.walk_children(with_self=True)))

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for a state, however long it takes a busy machine to reach it; fails when it is never reached."""
        deadline = monotonic() + PATIENCE
        while not condition():
            assert monotonic() < deadline, self.text
            await asyncio.sleep(_BETWEEN_LOOKS)
        await self.handled()

    async def until_shown(self, *texts: str) -> None:
        """Wait until the texts are on the screen."""

        def shown() -> bool:
            text = self.text
            return all(each in text for each in texts)

        await self.until(shown)

    async def settle(self) -> None:
        """Wait until no worker runs and no message waits."""
        await self.handled()
        await self.until(lambda: all(worker.is_finished for worker in self.app.workers))

    async def until_held(self, audit: PreparedAudit) -> None:
        """Wait until an audit is at its gate, and everything that it has told was taken in."""
        audits = self.app.audits
        await self.until(lambda: audit.waiting.is_set() and not audits._events and audits._taking is None)

    async def reach(self, kind: type[Screen[Any]]) -> None:
        """Wait for a screen that a worker opens and then waits for, so that `settle` would wait for ever."""
        await self.until(lambda: self.shows(kind))

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each once the one before was handled."""
        for key in keys:
            self.hit(key)
            await self.handled()

    def hit(self, *keys: str) -> None:
        """Press keys faster than they are handled."""
        for key in keys:
            self.app.post_message(Key(key, key if len(key) == 1 else None))

    async def click(
        self, on: type[Widget] | str | None = None, *, offset: tuple[int, int] = (0, 0), times: int = 1
    ) -> None:
        """Click where a person sees something, which is what says what a click there does."""
        with eyes(open=True):
            await self.pilot.click(on, offset=offset, times=times)
        await self.handled()

    async def write(self, text: str) -> None:
        """Type a text into what has the focus; into a line all of it at once, since a test has many keys to press."""
        if isinstance(self.screen.focused, Input):
            await self.fill(self.screen.focused.value + text)
        else:
            await self.press(*({" ": "space", ":": "colon", "/": "slash", ".": "full_stop"}.get(c, c) for c in text))

    async def fill(self, text: str) -> None:
        """Put a text into the line that has the focus, as pasting would."""
        assert isinstance(self.screen.focused, Input)
        self.screen.focused.value = text
        await self.handled()

    async def run_from_palette(self, typed: str, name: str) -> None:
        """Choose a command by a part of its name, once enter would run it."""
        await self.open_palette(typed, name)
        self.hit("enter")
        await self.until(lambda: not self.shows(CommandPalette))

    async def open_palette(self, typed: str, name: str) -> None:
        """Type into the palette until enter would run a command."""
        self.hit("ctrl+p")
        await self.until(lambda: self.shows(CommandPalette))
        await self.write(typed)
        await self.until(lambda: self._chosen_in_palette == name)

    @property
    def _chosen_in_palette(self) -> str:
        option = self.screen.query_one(CommandList).highlighted_option
        return str(option.hit.text) if isinstance(option, Command) else ""

    @property
    def screen(self) -> Screen[object]:
        """What is on top."""
        return self.app.screen

    def shows(self, kind: type[Screen[Any]]) -> bool:
        """Whether what is on top is such a screen."""
        return isinstance(self.app.screen, kind)

    def phase(self) -> Phase:
        """Where the audit is."""
        return self.app.session.progress.phase

    @property
    def review_screen(self) -> ReviewScreen:
        """The review screen, wherever it is."""
        return next(each for each in self.app.screen_stack if isinstance(each, ReviewScreen))

    @property
    def review(self) -> Review:
        """The review."""
        assert self.app.session.review is not None
        return self.app.session.review

    @property
    def state(self) -> ReviewState:
        """Where the person is."""
        return self.review_screen.state

    @property
    def provider(self) -> ProviderReview:
        """The selected provider."""
        provider = state.selected_provider(self.state, self.review)
        assert provider is not None
        return provider

    @property
    def row(self) -> HashRow:
        """The selected row."""
        row = state.selected_row(self.state, self.review)
        assert row is not None
        return row

    @property
    def decision(self) -> Decision:
        """What is decided of the selected hash."""
        return self.review.decision(self.provider, self.row)

    def decided(self, key: HashKey) -> Decision | None:
        """What was decided of a hash."""
        return self.review.decisions.of(key)

    @property
    def text(self) -> str:
        """Everything on the screen, line by line."""
        return "\n".join("".join(segment.text for segment in strip) for strip in self.drawn)

    @property
    def drawn(self) -> list[Strip]:
        """The lines of the screen.

        Textual says what it has drawn in public only as a picture, `App.export_screenshot`: that takes nine times as
        long as this, loses what a click would do, and is made by this very part.
        """
        with eyes(open=True):
            return self.app.screen._compositor.render_strips(self.app.size)

    @property
    def prose(self) -> str:
        """The words on the screen without borders and line ends, for sentences that may be wrapped."""
        return " ".join("".join(" " if "\u2500" <= char <= "\u259f" else char for char in self.text).split())

    @property
    def segments(self) -> list[tuple[str, dict[str, object]]]:
        """Every piece of the screen and what a click on it would do."""
        return [
            (segment.text, segment.style.meta if segment.style else {}) for strip in self.drawn for segment in strip
        ]

    def styles(self, text: str) -> list[Style]:
        """The styles of every piece of the screen that holds this text."""
        return [segment.style for strip in self.drawn for segment in strip if text in segment.text and segment.style]

    @property
    def lines(self) -> list[str]:
        """The lines of the screen."""
        return self.text.split("\n")


Scenario = Callable[[Driver], Awaitable[None]]


@dataclass(frozen=True)
class _Beginning:
    """What a scenario begins with: the files, where the person is in them, and what has the focus."""

    files: Files
    depth: int
    state: ReviewState | None
    focused: Widget | None

    @classmethod
    def of(cls, driver: Driver) -> _Beginning:
        """The present."""
        screen, app = driver.screen, driver.app
        state = screen.state if isinstance(screen, ReviewScreen) else None
        return cls(app.files, len(app.screen_stack), state, screen.focused)

    async def restore(self, driver: Driver) -> None:
        """Lead the app back here, from wherever a scenario has ended."""
        app = driver.app
        await driver.handled()
        while len(app.screen_stack) > self.depth:
            app.screen.dismiss(None)
            await driver.handled()
        await driver.settle()
        app.copy_to_clipboard("")
        app.show(self.files)
        await driver.handled()
        screen = app.screen
        if isinstance(screen, ReviewScreen) and self.state is not None:
            screen.state = self.state
        if isinstance(screen, SpeakingScreen):
            screen.notice_a_person()
        screen.set_focus(self.focused)
        await driver.settle()


def drive(app: LockwardenApp, *scenarios: Scenario, size: tuple[int, int] = (120, 36), settled: bool = True) -> int:
    """Run the app without a terminal through scenarios; returns what the app ended with, or -1.

    Each scenario begins as the first one did: with nothing decided, and nothing open or selected by another.
    """

    async def run() -> int:
        share_styles(app)
        with quick():
            async with app.run_test(size=size) as pilot:
                driver = Driver(app, pilot)
                if settled:
                    await driver.settle()
                beginning = _Beginning.of(driver)
                for scenario in scenarios:
                    if scenario is not scenarios[0]:
                        await beginning.restore(driver)
                    await scenario(driver)
                if app.is_running:
                    await driver.handled()
                    assert driver.lines  # whatever is on the screen at last can be drawn
        return -1 if app.return_value is None else app.return_value

    return asyncio.run(run())

"""Driving the app in a test: press keys, wait until everything has settled, look at the state and at the screen."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from rich.style import Style
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import WorkerCancelled

from fakes.running import app_of
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.tui import state
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.progress import Phase
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.state import ReviewState

__all__ = ["Driver", "app_of", "drive"]


@dataclass
class Driver:
    """The app, and a person's hands and eyes."""

    app: LockwardenApp
    pilot: Pilot[int]

    async def settle(self) -> None:
        """Wait until no worker runs and no message waits."""
        with contextlib.suppress(WorkerCancelled):
            await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.pilot.pause()

    async def reach(self, kind: type[Screen[Any]]) -> None:
        """Wait for a screen that a worker opens and then waits for, so that `settle` would wait for ever."""
        for _ in range(1000):
            await self.pilot.pause()
            if self.shows(kind):
                break
        assert self.shows(kind), self.screen
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            await self.pilot.press(key)
        await self.pilot.pause()

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
        await self.pilot.pause()

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
        width, height = self.app.size
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join("".join(segment.text for segment in strip) for strip in strips[:height])[
            : (width + 9) * height
        ]

    @property
    def prose(self) -> str:
        """The words on the screen without borders and line ends, for sentences that may be wrapped."""
        return " ".join("".join(" " if "\u2500" <= char <= "\u259f" else char for char in self.text).split())

    @property
    def segments(self) -> list[tuple[str, dict[str, object]]]:
        """Every piece of the screen and what a click on it would do."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return [(segment.text, segment.style.meta if segment.style else {}) for strip in strips for segment in strip]

    def styles(self, text: str) -> list[Style]:
        """The styles of every piece of the screen that holds this text."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return [segment.style for strip in strips for segment in strip if text in segment.text and segment.style]

    @property
    def lines(self) -> list[str]:
        """The lines of the screen."""
        return self.text.split("\n")


Scenario = Callable[[Driver], Awaitable[None]]


def drive(app: LockwardenApp, scenario: Scenario, *, size: tuple[int, int] = (120, 36), settled: bool = True) -> int:
    """Run the app without a terminal through the scenario; returns what the app ended with, or -1."""

    async def run() -> int:
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            if settled:
                await driver.settle()
            await scenario(driver)
        return -1 if app.return_value is None else app.return_value

    return asyncio.run(run())

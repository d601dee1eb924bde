"""The app's part that reads a lock file in conflict, audits its sides, and writes what they are resolved to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final, TypeVar

from textual.app import App
from textual.worker import Worker

from lockwarden.core.engine.base_grounds import HEAD
from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
from lockwarden.core.reports.differences import difference
from lockwarden.core.reports.resolution_lines import verdict_words
from lockwarden.core.review.resolution import ResolvedFile
from lockwarden.core.review.resolving import Bound, Choices, ResolvedProvider
from lockwarden.core.review.review import Review
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.resolving import ResolvingScreen
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.state import resolving as steps
from lockwarden.tui.state.ports import ConflictFiles
from lockwarden.tui.state.resolving import ResolvingState
from lockwarden.tui.workers import end_of, run_in_worker

_GROUP: Final = "resolving"
_PATIENCE: Final = 0.5
"""Seconds after which a person is told that something takes long."""
_Made = TypeVar("_Made")


class ResolvingControl:
    """Reads, audits, chooses and writes."""

    def __init__(self, host: App[int], app: ReviewApp) -> None:
        """`host` and `app` are one: it runs the workers, and it holds what is shown."""
        self._host, self._app = host, app
        self._worker: Worker[None] | None = None

    @property
    def _files(self) -> ConflictFiles:
        found = self._app.setup.conflicts
        assert found is not None  # noqa: S101 - or the screen is not offered
        return found

    @property
    def _state(self) -> ResolvingState:
        return self._app.resolving

    def open(self) -> None:
        """Read the selected lock file, and audit its sides."""
        self._app.resolving = steps.begun(self._app.files.current)
        self.cancel()
        before = self._worker
        self._worker = run_in_worker(self._host, partial(self._after, before, self._open), group=_GROUP)

    async def _after(self, before: Worker[None] | None, work: Callable[[], Coroutine[None, None, None]]) -> None:
        await end_of(before)
        await work()

    async def _open(self) -> None:
        try:
            conflict = await asyncio.to_thread(self._files.find, self._state.path)
            self._app.resolving = steps.found(self._state, conflict)
            if conflict is None:
                return
            reviews = await self._audited(conflict)
            made = await asyncio.to_thread(self._files.resolved, conflict, reviews, self._state.choices)
        except LockwardenError as error:
            self._app.resolving = steps.failed(self._state, error)
            return
        self._app.resolving = steps.audited(self._state, reviews, made)

    async def _audited(self, conflict: ConflictedLockFile) -> tuple[Review, ...]:
        """The reviews of the sides; what a merge that goes on has brought configures none of it."""
        session, setup = self._app.session, self._app.setup
        files, sources = self._files, session.sources
        if conflict.is_unfinished:
            setup, sources = await asyncio.to_thread(setup.with_base, HEAD, sources)
            files = setup.conflicts or files
            if setup.notes:
                self._app.say("; ".join(setup.notes))
        return await files.audited(conflict, sources, session.platforms)

    def cancel(self) -> None:
        """Give reading and auditing up."""
        if self._worker is not None:
            self._worker.cancel()

    def take_next(self, provider: ResolvedProvider) -> None:
        """Take another version of one provider."""

        async def take() -> None:
            now = next((each for each in self._state.providers if each.address == provider.address), None)
            if now is not None:
                await self._choose(steps.next_version(self._state, now))

        self._queue(take)

    def take_all(self, which: str) -> None:
        """Take the version of a side, or the higher one, of every provider, whatever was chosen before."""
        self._queue(partial(self._choose, Choices(all=Bound(which) if which in set(Bound) else which)))

    def _queue(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Do what a key asks for once everything is done that keys before it asked for."""
        after = partial(self._after, self._worker, work)
        self._worker = run_in_worker(self._host, after, group=_GROUP, exclusive=False)

    async def _choose(self, choices: Choices) -> None:
        state = self._state
        if state.conflict is None or not state.reviews:
            return
        try:
            made = await self._aside(partial(self._files.resolved, state.conflict, state.reviews, choices))
        except LockwardenError as error:
            self._refuse("That cannot be taken", error)
            return
        if self._state.conflict is state.conflict:
            self._app.resolving = steps.chosen(self._state, choices, made)

    async def _aside(self, work: Callable[[], _Made]) -> _Made:
        """Do what may take long for a large file in a thread; where it does, that is told."""
        making = asyncio.ensure_future(asyncio.to_thread(work))
        done, _ = await asyncio.wait({making}, timeout=_PATIENCE)
        if not done:
            self._app.say("working it out: this is a large conflict")
        return await making

    def look(self, *, writing: bool) -> None:
        """Show the difference, and write it when a person agrees."""
        self._queue(partial(self._look, writing=writing))

    async def _look(self, *, writing: bool) -> None:
        made = self._state.made
        if made is None or made.after is None:
            return
        shown = FileDiffScreen(
            await self._aside(partial(difference, made.resolution.conflict.data, made.after)),
            title=self._app.lock_file_title,
            notes=tuple(_notes(made)),
            writing=writing,
        )

        def answered(agreed: bool | None) -> None:
            if agreed:
                run_in_worker(self._host, partial(self._write, made), group="write")

        if self._state.made is made and isinstance(self._host.screen, ResolvingScreen):
            self._host.push_screen(shown, answered)

    async def _write(self, made: ResolvedFile) -> None:
        try:
            await asyncio.to_thread(self._files.save, made)
        except LockwardenError as error:
            self._refuse("Nothing was written", error)
            return
        if isinstance(self._host.screen, ResolvingScreen):
            self._host.screen.dismiss(None)
        self._app.audits.open_selected()
        self._app.say("written; git add marks it as resolved")

    def _refuse(self, title: str, error: LockwardenError) -> None:
        question = Confirmation(title=title, rows=((error.message, error.hint),), safe="Back")
        self._host.push_screen(ConfirmScreen(question))


def _notes(made: ResolvedFile) -> list[str]:
    """What stands above the difference."""
    found = made.resolution
    notes = [f"{counted(len(found.providers), 'provider')} of several sides become one each"]
    left = [each.row for provider in found.providers for each in provider.left_out if not each.other_version]
    if left:
        notes.append(f"left out, since nobody vouches for it or it was not checked: {verdict_words(left)}")
    notes += [f"{each.address}: {note}" for each in found.providers for note in each.notes]
    return notes

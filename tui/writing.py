"""The app's part that writes lock files: the open one, or all of them, each only while it is the one that was read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.writing import LastWrite
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import LockFileChangedError, LockwardenError
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.state import files as steps
from lockwarden.tui.state.files import Changed, Read
from lockwarden.tui.state.placeholders import Placeholder
from lockwarden.tui.workers import run_in_worker


class LockFileWriter:
    """Writes what was looked at."""

    def __init__(self, host: App[int], app: ReviewApp, read: Callable[[Path], Read | Placeholder]) -> None:
        """`host` and `app` are one; `read` reads a file that was written, and blocks."""
        self._host, self._app, self._read = host, app, read

    def write(self, before: LockFile, data: bytes) -> None:
        """Write what was looked at, unless the file on disk is no longer `before`, which it was compared with."""
        self._work(partial(self._write_one, before, data))

    def write_all(self, changed: Sequence[Changed]) -> None:
        """Write what was looked at, each file on its own: one that cannot be written does not stop the others."""
        self._work(partial(self._write_each, changed))

    def take_back(self, before: LockFile, last: LastWrite) -> None:
        """Write what stood there before the last write, unless the file on disk is no longer what that has written."""
        self._work(partial(self._take_back, before, last))

    async def _take_back(self, before: LockFile, last: LastWrite) -> None:
        path = self._app.files.current
        try:
            await self._write(before, last.before)
        except LockwardenError as error:
            self._refused(error)
            return
        if await self._read_back(path):
            self._app.show(steps.taken_back(self._app.files, path, last))
            self._app.say("taken back: the lock file is as it was, and the decisions are unwritten again")
        self._app.show(steps.compared(self._app.files))

    def _work(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        run_in_worker(self._host, work, group="write")

    async def _write_one(self, before: LockFile, data: bytes) -> None:
        path = self._app.files.current
        try:
            await self._write(before, data)
        except LockwardenError as error:
            self._refused(error)
            return
        read = await self._read_back(path)
        self._app.show(steps.compared(self._app.files))
        if read:
            self._app.say(f"written: {counted(len(data), 'byte')}")

    async def _write_each(self, changed: Sequence[Changed]) -> None:
        refused: dict[Path, LockwardenError] = {}
        for each in changed:
            try:
                await self._write(each.before, each.after)
            except LockwardenError as error:
                refused[each.path] = error
            else:
                await self._read_back(each.path)
        self._app.show(steps.compared(self._app.files))
        done = f"written: {counted(len(changed) - len(refused), 'file')}"
        if refused:
            self._refused_some(refused, len(changed), done)
        else:
            self._app.say(done)

    def _refused_some(self, refused: Mapping[Path, LockwardenError], asked: int, done: str) -> None:
        stale = tuple(path for path, error in refused.items() if isinstance(error, LockFileChangedError))
        question = Confirmation(
            title=f"{len(refused)} of {counted(asked, 'file')} {'was' if len(refused) == 1 else 'were'} not written",
            rows=((done, ""), *((error.message, error.hint) for error in refused.values())),
            safe="Back",
            risky=f"Read {'it' if len(stale) == 1 else 'them'} again" if stale else "",
        )

        def answered(again: bool | None) -> None:
            if again:
                self._app.audits.open(stale)

        self._host.push_screen(ConfirmScreen(question), answered)

    async def _write(self, before: LockFile, after: bytes) -> None:
        await asyncio.to_thread(self._app.setup.save, Path(before.path), after, expected=before.data)

    async def _read_back(self, path: Path) -> bool:
        """Read a file that was written; the audits stay."""
        found = await asyncio.to_thread(self._read, path)
        self._app.show(steps.written(self._app.files, path, found))
        return not isinstance(found, Placeholder)

    def _refused(self, error: LockwardenError) -> None:
        changed = isinstance(error, LockFileChangedError)
        question = Confirmation(
            title="Nothing was written",
            rows=((error.message, error.hint),),
            safe="Back",
            risky="Read it again" if changed else "",
        )

        def answered(again: bool | None) -> None:
            if again:
                self._app.audits.open_selected()

        self._host.push_screen(ConfirmScreen(question), answered)

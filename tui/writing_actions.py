"""What the app writes: the lock file that is open, or all of them, each only while it is the one that was read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from textual import work

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import LockFileChangedError, LockwardenError
from lockwarden.tui.audit_port import Save
from lockwarden.tui.files_actions import FilesActions
from lockwarden.tui.screens.confirm import ConfirmScreen, Question
from lockwarden.tui.state import files as steps
from lockwarden.tui.state.files import Changed
from lockwarden.tui.widgets.face import Face


class WritingActions(FilesActions):
    """The part of the app that writes lock files."""

    _save: Save

    @work(group="write", exclusive=True, exit_on_error=False)
    async def write_lock_file(self, before: LockFile, data: bytes) -> None:
        """Write what was looked at, unless the file on disk is no longer `before`, which it was compared with."""
        path = self.path
        try:
            await self._write(before, data)
        except LockwardenError as error:
            self._refused(error)
            return
        read = await self._read_back(path)
        self.show(steps.compared(self.files))
        if read:
            self.say(f"written: {counted(len(data), 'byte')}")

    @work(group="write", exclusive=True, exit_on_error=False)
    async def write_lock_files(self, changed: Sequence[Changed]) -> None:
        """Write what was looked at, each file on its own: one that cannot be written does not stop the others."""
        refused: dict[Path, LockwardenError] = {}
        for each in changed:
            try:
                await self._write(each.before, each.after)
            except LockwardenError as error:
                refused[each.path] = error
            else:
                await self._read_back(each.path)
        self.show(steps.compared(self.files))
        done = f"written: {counted(len(changed) - len(refused), 'file')}"
        if refused:
            self._refused_some(refused, len(changed), done)
        else:
            self.say(done)

    def _refused_some(self, refused: Mapping[Path, LockwardenError], asked: int, done: str) -> None:
        stale = tuple(path for path, error in refused.items() if isinstance(error, LockFileChangedError))
        question = Question(
            title=f"{len(refused)} of {counted(asked, 'file')} {'was' if len(refused) == 1 else 'were'} not written",
            rows=((done, ""), *((error.message, error.hint) for error in refused.values())),
            safe="Back",
            risky=f"Read {'it' if len(stale) == 1 else 'them'} again" if stale else "",
        )

        def answered(again: bool | None) -> None:
            if again:
                self.open_lock_files(stale)

        self.push_screen(ConfirmScreen(question), answered)

    async def _write(self, before: LockFile, after: bytes) -> None:
        await asyncio.to_thread(self._save, Path(before.path), after, expected=before.data)

    async def _read_back(self, path: Path) -> bool:
        """Read a file that was written; the audits stay."""
        found = await asyncio.to_thread(self._read, path)
        self.show(steps.written(self.files, path, found))
        return not isinstance(found, Face)

    def _refused(self, error: LockwardenError) -> None:
        changed = isinstance(error, LockFileChangedError)
        question = Question(
            title="Nothing was written",
            rows=((error.message, error.hint),),
            safe="Back",
            risky="Read it again" if changed else "",
        )

        def answered(again: bool | None) -> None:
            if again:
                self.open_lock_file()

        self.push_screen(ConfirmScreen(question), answered)

"""The app's part that leaves for other programs of the operator, editor and browser, and writes files to hand on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from lockwarden.core.engine.source_spelling import name_sources
from lockwarden.core.reports.exported import exported
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import FileChangedError, LockwardenError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render.file_status import reason_of
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.workers import run_in_worker

NO_PROGRAMS = "no other program can be opened from here"


class Outside:
    """Leaves the terminal to others, and comes back."""

    def __init__(self, host: App[int], app: ReviewApp) -> None:
        """`host` and `app` are one: it runs the workers, and it holds the files."""
        self._host, self._app = host, app

    def _work(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        run_in_worker(self._host, work, group="outside")

    def edit(self, path: Path, line: int) -> None:
        """Open a lock file in the operator's editor, and review what was saved when that has ended."""
        self._work(partial(self._edit, path, line))

    async def _edit(self, path: Path, line: int) -> None:
        programs = self._app.setup.programs
        if programs is None or self._host.is_web:
            self._app.say(NO_PROGRAMS)
            return
        session = self._app.files.sessions[path]
        file = path if session.review is None else Path(session.review.lock_file.path)
        try:
            command = await asyncio.to_thread(programs.editor, file, line)
            with self._host.suspend():
                code = await asyncio.to_thread(programs.run, command)
        except SuspendNotSupported:
            self._app.say(NO_PROGRAMS)
            return
        except LockwardenError as error:
            self._refuse("The editor cannot be opened", error)
            return
        if code:
            self._app.say(f"the editor ended with {code}")
        await self._read_again(path, told=bool(code))

    async def _read_again(self, path: Path, *, told: bool) -> None:
        """Review what was saved, unless that is what was read before."""
        review, differs = self._app.files.sessions[path].review, self._app.setup.differs
        if review is not None and differs is not None:
            lock_file = review.lock_file
            if not await asyncio.to_thread(differs, Path(lock_file.path), lock_file.data):
                if not told:
                    self._app.say("nothing was changed in the editor, so nothing is read again")
                return
        self._app.audits.open((path,))

    def browse(self, address: str) -> None:
        """Open an address in the operator's browser; where there is none, it can be copied."""
        self._work(partial(self._browse, address))

    async def _browse(self, address: str) -> None:
        programs = self._app.setup.programs
        if self._host.is_web:
            self._host.open_url(address)
            return
        try:
            if programs is None:
                raise LockwardenError(NO_PROGRAMS)
            await asyncio.to_thread(programs.browse, address)
        except LockwardenError as error:
            self._host.copy_to_clipboard(address)
            self._app.say(f"{error.message}; copied instead: {address}")
        else:
            self._app.say(f"opened {address}")

    def export(self, path: Path, files: Iterable[Path]) -> None:
        """Write the review of some lock files, with its decisions, to a file that is not there yet."""
        self._work(partial(self._export, path, tuple(files)))

    async def _export(self, path: Path, files: tuple[Path, ...]) -> None:
        result = self._result(files)
        try:
            data = await asyncio.to_thread(exported, result, path)
            await asyncio.to_thread(self._app.setup.store.save_new, Path.cwd() / path, data)
        except FileChangedError:
            refusal = LockwardenError(f"{path} is there already, and is not replaced", hint="choose another name")
            self._refuse("Nothing was written", refusal)
        except LockwardenError as error:
            self._refuse("Nothing was written", error)
        else:
            self._app.say(f"written: {path}, {counted(len(data), 'byte')}")

    def _result(self, files: tuple[Path, ...]) -> RunResult:
        """What a report tells, of the reviews as they are decided now."""
        return RunResult(
            sources=name_sources(self._app.session.sources),
            files=tuple(map(self._file, files)),
            configuration=self._app.setup.configuration,
        )

    def _file(self, path: Path) -> FileResult:
        session = self._app.files.sessions[path]
        name = self._app.setup.title or str(path)
        if session.review is not None and not session.failed:
            return FileResult(path=name, review=session.review)
        why = reason_of(session) or "it has not been read yet"
        problem = FileProblem(code=ProblemCode.LOCK_FILE_UNREADABLE, severity=Severity.ERROR, message=why)
        return FileResult(path=name, problems=(problem,))

    def _refuse(self, title: str, error: LockwardenError) -> None:
        self._host.push_screen(
            ConfirmScreen(Confirmation(title=title, rows=((error.message, error.hint),), safe="Back"))
        )

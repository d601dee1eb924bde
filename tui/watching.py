"""The app's part that notices while a person looks that a lock file on disk is another one by now."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from textual.app import App

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.screens.review_app import ReviewApp
from lockwarden.tui.state import files as steps
from lockwarden.tui.workers import run_in_worker

_EVERY: Final = 2.0
"""Seconds from one look to the next; a look asks the disk for the time of each file, and reads only what changed."""


class Watching:
    """Looks at the lock files again and again."""

    def __init__(self, host: App[int], app: ReviewApp) -> None:
        """`host` and `app` are one: it runs the workers, and it holds the files."""
        self._host, self._app = host, app
        self._looking = False

    def begin(self) -> None:
        """Look from now on, where there is a disk."""
        if self._app.setup.differs is not None:
            self._host.set_interval(_EVERY, self.look)

    def look(self) -> None:
        """Look once, unless a look is under way."""
        if not self._looking:
            self._looking = True
            run_in_worker(self._host, self._look, group="watch", exclusive=False)

    async def _look(self) -> None:
        try:
            reviews = ((path, each.review) for path, each in self._app.files.sessions.items())
            read = {path: review.lock_file for path, review in reviews if review is not None}
            self._take(await asyncio.to_thread(self._compared, read), read)
        finally:
            self._looking = False

    def _compared(self, read: dict[Path, LockFile]) -> dict[Path, bool]:
        differs = self._app.setup.differs
        return {} if differs is None else {path: differs(Path(each.path), each.data) for path, each in read.items()}

    def _take(self, found: dict[Path, bool], read: dict[Path, LockFile]) -> None:
        """Tell of what is news; a file that was read or written meanwhile is left for the next look."""
        news = {}
        for path, stale in found.items():
            session = self._app.files.sessions[path]
            if session.review is not None and session.review.lock_file is read[path] and session.stale is not stale:
                news[path] = stale
        if not news:
            return
        self._app.show(steps.noticed(self._app.files, news))
        if changed := [path for path, stale in news.items() if stale]:
            what = str(changed[0]) if len(changed) == 1 else counted(len(changed), "lock file")
            reads = "⟨files ask again⟩" if self._app.files.several else "⟨ask again⟩"
            self._app.say(f"changed on disk: {what}; {with_keys(reads)} reads again")

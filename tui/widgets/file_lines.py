"""The lines of the list of lock files, each made once for as long as nothing changes for its file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lockwarden.core.review.answers import Answer
from lockwarden.tui.render.file_status import NO_FILES, FileLine, FilesSummary, counts_width, line_of, summary_of
from lockwarden.tui.state.files import Files
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.state.session import Session, decisions_of, status_of


@dataclass(slots=True)
class FileLines:
    """Remembers by session, since a session never changes."""

    _statuses: dict[Path, tuple[Session, bool, Answer, int]] = field(default_factory=dict)
    _lines: dict[Path, tuple[Session, bool, object, FileLine]] = field(default_factory=dict)
    _measured_in: tuple[object, object] = (None, None)
    _most_counts: int = 0
    _made_of: tuple[object, ...] | None = None
    _summary: FilesSummary = NO_FILES

    def line(self, files: Files, path: Path) -> FileLine:
        """What the list tells of one file."""
        session, running = files.sessions[path], files.progress.running
        known = self._lines.get(path)
        if known is None or known[0] is not session or known[1] is not running or known[2] is not files.drifts:
            known = (session, running, files.drifts, line_of(files, path))
            self._lines[path] = known
        return known[3]

    def most_counts(self, files: Files) -> int | None:
        """How many cells the counts of one file take at most, once the audit has ended; None before."""
        if files.progress.phase in {Phase.IDLE, Phase.RUNNING}:
            return None
        measured_in = (files.progress.phase, files.drifts)
        if any(each is not now for each, now in zip(self._measured_in, measured_in, strict=True)):
            self._measured_in = measured_in
            self._most_counts = max((counts_width(self.line(files, path)) for path in files.sessions), default=0)
        return self._most_counts

    def summary(self, files: Files) -> FilesSummary:
        """What is told of all files together."""
        made_of = (files.sessions, files.progress.phase, files.drifts)
        if self._made_of is None or any(each is not now for each, now in zip(self._made_of, made_of, strict=True)):
            self._made_of, self._summary = made_of, self._summed(files)
        return self._summary

    def _summed(self, files: Files) -> FilesSummary:
        running = files.progress.running
        told = []
        for path, session in files.sessions.items():
            known = self._statuses.get(path)
            if known is None or known[0] is not session or known[1] is not running:
                known = (session, running, status_of(session, running=running), decisions_of(session))
                self._statuses[path] = known
            told.append(known)
        unwritten = sum(decisions for _, _, _, decisions in told)
        return summary_of(files, (status for _, _, status, _ in told), unwritten)

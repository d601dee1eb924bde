"""Where one lock file of several stands, in a few words: its answer, its counts by glyph, its place in a list. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.tui.render.counts import counts_of
from lockwarden.tui.render.styles import Hue, Look
from lockwarden.tui.state.files import Files
from lockwarden.tui.state.placeholders import PlaceholderKind
from lockwarden.tui.state.session import Session, decisions_of


class FileStatus(Enum):
    """What the audit means for one file; the worst first. The value is how the review words it."""

    UNREADABLE = "Cannot be read"
    FINDINGS = "Do not commit yet"
    INCOMPLETE = "Not everything was checked"
    CHECKING = "Still checking"
    READING = "Reading"
    EMPTY = "Locks no provider"
    GOOD = "Nothing to object to"

    @property
    def look(self) -> Look:
        """How it looks in a list."""
        return _LOOKS[self]

    @property
    def objects(self) -> bool:
        """Whether a person has to see to it."""
        return self in {FileStatus.UNREADABLE, FileStatus.FINDINGS}


_LOOKS: Final = MappingProxyType(
    {
        FileStatus.UNREADABLE: Look("✗", Hue.BAD),
        FileStatus.FINDINGS: Look("✗", Hue.BAD),
        FileStatus.INCOMPLETE: Look("?", Hue.OPEN),
        FileStatus.CHECKING: Look("…", Hue.QUIET),
        FileStatus.READING: Look("…", Hue.QUIET),
        FileStatus.EMPTY: Look("·", Hue.QUIET),
        FileStatus.GOOD: Look("✓", Hue.GOOD),
    }
)
ANSWER_WIDTH: Final = max(len(each.value) for each in FileStatus)


class FileLine(Struct, frozen=True, kw_only=True):
    """What one line of the list tells."""

    path: Path
    status: FileStatus
    counts: tuple[tuple[Look, int], ...] = ()
    """How many there are of what each glyph stands for, the loudest first."""
    unwritten: int = 0
    """Decisions that are not in the file yet."""
    drifts: int = 0
    """Providers that some other file locks differently."""
    reason: str = ""
    """Why it cannot be read, in a sentence from anywhere."""


def status_of(session: Session, *, running: bool) -> FileStatus:
    """Where a file stands, while an audit is `running` or not."""
    review, placeholder = session.review, session.placeholder
    if placeholder is not None and placeholder.kind is PlaceholderKind.FAILED:
        return FileStatus.UNREADABLE
    if review is None:
        return FileStatus.READING
    if not review.providers and not review.exit_code:
        return FileStatus.EMPTY
    if review.exit_code is ExitCode.FINDINGS:
        return FileStatus.FINDINGS
    if running and any(each.waiting for each in review.providers):
        return FileStatus.CHECKING
    return FileStatus.INCOMPLETE if review.exit_code is ExitCode.INCOMPLETE else FileStatus.GOOD


def line_of(files: Files, path: Path) -> FileLine:
    """What the list tells of one file."""
    session = files.sessions[path]
    status = status_of(session, running=files.progress.running)
    if status in {FileStatus.UNREADABLE, FileStatus.READING} or session.review is None:
        reason = reason_of(session) if status is FileStatus.UNREADABLE else ""
        return FileLine(path=path, status=status, reason=reason)
    by_look = Counter[Look]()
    for count in counts_of(session.review):
        by_look[count.look] += count.number
    return FileLine(
        path=path,
        status=status,
        counts=tuple(by_look.items()),
        unwritten=decisions_of(session),
        drifts=len(files.drifts_of(session)),
    )


def reason_of(session: Session) -> str:
    """Why a file cannot be read, in one sentence; where there are several reasons, the first and how many more."""
    if session.placeholder is None or not session.placeholder.rows:
        return ""
    (first, _), *more = session.placeholder.rows
    return f"{first} (and {len(more)} more)" if more else first


class Summary(Struct, frozen=True, kw_only=True):
    """What is told of all files together."""

    worst: FileStatus
    numbers: Mapping[FileStatus, int]
    unwritten: int
    """Decisions that are not in their files yet."""
    drifting: int
    """Files that lock some provider differently than another."""


NO_FILES: Final = Summary(worst=FileStatus.READING, numbers=MappingProxyType({}), unwritten=0, drifting=0)


def summary_of(files: Files, statuses: Iterable[FileStatus], unwritten: int) -> Summary:
    """The whole of the list, where each file stands so and so many decisions are not written."""
    numbers = Counter(statuses)
    return Summary(
        worst=next((each for each in FileStatus if numbers[each]), FileStatus.READING),
        numbers=MappingProxyType({each: numbers[each] for each in FileStatus if numbers[each]}),
        unwritten=unwritten,
        drifting=len(files.drifts),
    )


def next_objection(files: Files, step: int) -> Path | None:
    """The next file that a person has to see to (`step` 1) or the previous one (-1), going round at the end."""
    paths = list(files.sessions)
    at = paths.index(files.current)
    order = [paths[(at + step * ahead) % len(paths)] for ahead in range(1, len(paths) + 1)]
    running = files.progress.running
    return next((path for path in order if status_of(files.sessions[path], running=running).objects), None)

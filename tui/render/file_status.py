"""Where one lock file of several stands, in a few words: its answer, its counts by glyph, its place in a list. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.review.answers import Answer
from lockwarden.tui.render.counts import counts_of
from lockwarden.tui.render.styles import Look
from lockwarden.tui.render.text import cells
from lockwarden.tui.state.files import Files
from lockwarden.tui.state.session import Session, decisions_of, status_of

ANSWER_WIDTH: Final = max(len(each) for each in Answer)


class FileLine(Struct, frozen=True, kw_only=True):
    """What one line of the list tells."""

    path: Path
    status: Answer
    counts: tuple[tuple[Look, int], ...] = ()
    """How many there are of what each glyph stands for, the loudest first."""
    unwritten: int = 0
    """Decisions that are not in the file yet."""
    changed: bool = False
    """Whether the change touches it."""
    drifts: int = 0
    """Providers that it locks in another way than is usual here, and not just for a platform."""
    reason: str = ""
    """Why it cannot be read, in a sentence from anywhere."""


def line_of(files: Files, path: Path) -> FileLine:
    """What the list tells of one file."""
    session = files.sessions[path]
    status = status_of(session, running=files.progress.running)
    if status in {Answer.UNREADABLE, Answer.READING} or session.review is None:
        reason = reason_of(session) if status is Answer.UNREADABLE else ""
        return FileLine(path=path, status=status, reason=reason)
    by_look = Counter[Look]()
    for count in counts_of(session.review):
        by_look[count.look] += count.number
    return FileLine(
        path=path,
        status=status,
        counts=tuple(by_look.items()),
        unwritten=decisions_of(session),
        changed=session.changed,
        drifts=files.apart.get(session.review.lock_file.path, 0),
    )


def counts_width(line: FileLine) -> int:
    """How many cells the counts of a line take beside each other."""
    return sum(cells(f"{look.glyph} {number}") for look, number in line.counts) + 2 * max(0, len(line.counts) - 1)


def reason_of(session: Session) -> str:
    """Why a file cannot be read, in one sentence; where there are several reasons, the first and how many more."""
    if session.placeholder is None or not session.placeholder.rows:
        return ""
    (first, _), *more = session.placeholder.rows
    return f"{first} (and {len(more)} more)" if more else first


class FilesSummary(Struct, frozen=True, kw_only=True):
    """What is told of all files together."""

    worst: Answer
    numbers: Mapping[Answer, int]
    unwritten: int
    """Decisions that are not in their files yet."""
    changed: int
    """Files that the change touches."""
    drifting: int
    """Files that lock some provider in another way than is usual here, and not just for a platform."""


NO_FILES: Final = FilesSummary(worst=Answer.READING, numbers=MappingProxyType({}), unwritten=0, changed=0, drifting=0)


def summary_of(files: Files, statuses: Iterable[Answer], unwritten: int) -> FilesSummary:
    """The whole of the list, where each file stands so and so many decisions are not written."""
    numbers = Counter(statuses)
    return FilesSummary(
        worst=next((each for each in Answer if numbers[each]), Answer.READING),
        numbers=MappingProxyType({each: numbers[each] for each in Answer if numbers[each]}),
        unwritten=unwritten,
        changed=sum(session.changed for session in files.sessions.values()),
        drifting=len(files.apart),
    )


def next_objection(files: Files, step: int) -> Path | None:
    """The next listed file that a person has to see to (`step` 1) or the previous one (-1), going round at the end.

    That is one that something speaks against, or that the change touches.
    """
    paths = files.listed
    at = paths.index(files.current) if files.current in paths else -1
    order = [paths[(at + step * ahead) % len(paths)] for ahead in range(1, len(paths) + 1)]
    sessions = ((path, files.sessions[path]) for path in order)
    running = files.progress.running
    return next((path for path, each in sessions if each.changed or status_of(each, running=running).objects), None)

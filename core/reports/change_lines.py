"""What a lock file changes against its base, as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.reports.findings import loudest_first
from lockwarden.core.review.change_kinds import Change
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.review import Review
from lockwarden.core.values.problem_codes import ProblemCode

ABOUT_THE_FILE: Final = frozenset({ProblemCode.LOCK_FILE_NEW, ProblemCode.LOCK_FILE_RENAMED})
"""Codes of problems that say of the lock file what `file_change_lines` says."""
_DIGITS_OF_A_COMMIT: Final = 12


def base_name(sides: Sequence[BaseSide]) -> str:
    """The base in words: the revision, or both sides of a merge, in full and with the beginning of each commit's ID."""
    return " and ".join(f"{each.name} ({_in_full(each)}{each.commit[:_DIGITS_OF_A_COMMIT]})" for each in sides)


def _in_full(side: BaseSide) -> str:
    return f"{side.ref}, " if side.ref not in {"", side.name} else ""


def change_lines(review: Review) -> Iterator[str]:
    """The changes of every provider, the loudest first, then what is gone; nothing without a base."""
    sides = review.standards.sides
    if not sides:
        return
    yield from file_change_lines(sides)
    for provider in loudest_first(review):
        if provider.changes:
            yield f"{provider.address} {provider.entry.version}"
            yield from (f"  {line}" for line in lines_of_changes(provider.changes))
    yield from removed_lines(review)


def unreadable_line(side: BaseSide) -> str:
    """That an earlier state is no measure, since nobody could read it."""
    return f"the lock file cannot be read at {side.name}: nothing was compared with it"


def file_change_lines(sides: Sequence[BaseSide]) -> Iterator[str]:
    """That the lock file is new, had another name, or cannot be compared with what it was."""
    for side in sides:
        if side.unreadable:
            yield unreadable_line(side)
        elif side.lock_file is None:
            yield f"there is no lock file at {side.name}: everything in it is new"
        elif side.renamed_from:
            yield f"at {side.name} the lock file was {side.renamed_from}"


def removed_lines(review: Review) -> Iterator[str]:
    """The providers that are not locked any more."""
    yield from (f"removed: {entry.address} {entry.version}" for entry in review.removed)


def lines_of_changes(changes: Sequence[Change]) -> Iterator[str]:
    """The changes of one provider, the heaviest first, each with its class and what to do."""
    for change in changes:
        yield f"{change.severity}: {change.kind}: {change.message}"
        if change.hint:
            yield f"  → {change.hint}"

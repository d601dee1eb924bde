"""What is the same in several lock files, so that it is told once with the files, and which files come first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from lockwarden.core.reports.result import FileResult

T = TypeVar("T", bound=Hashable)
MOST_NAMED: Final = 40
"""Files that are named for one thing; the JSON report names all."""


def in_several(told: Iterable[tuple[str, T]]) -> Mapping[T, tuple[str, ...]]:
    """What is told of more than one file, with the paths of these, in the order in which it comes first."""
    found: dict[T, dict[str, None]] = {}
    for path, each in told:
        found.setdefault(each, {}).setdefault(path)
    return {each: tuple(paths) for each, paths in found.items() if len(paths) > 1}


def named(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths, or the first of them and how many more there are."""
    if len(paths) <= MOST_NAMED:
        return tuple(paths)
    return (*paths[:MOST_NAMED], f"and {len(paths) - MOST_NAMED} more")


def changed_first(files: Iterable[FileResult]) -> tuple[FileResult, ...]:
    """The files that the change touches before the others; otherwise they stay in their order."""
    return tuple(sorted(files, key=lambda each: not is_changed(each)))


def is_changed(file: FileResult) -> bool:
    """Whether a file differs from its base, or cannot be read; without a base it does not."""
    return file.review is None or file.review.changed

"""Walks through the folders below one that somebody else may have made: however deep they lie, none ends the walk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def _unsaid(_: OSError) -> None:
    """Nothing is done about a folder that cannot be looked into."""


def walked(
    top: Path | str, *, unread: Callable[[OSError], object] = _unsaid
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every folder from `top` down, with the names of the folders and of all else in it, as `os.walk` gives them.

    Links are not followed, and stand with what they lead to. Whoever takes names out of the folders, or sorts them,
    decides where it goes on. `unread` hears of each folder that cannot be looked into. Python's own walk calls itself
    for each folder within a folder, so that a thousand of them end it.
    """
    waiting = [str(top)]
    while waiting:
        place = waiting.pop()
        folders: list[str] = []
        others: list[str] = []
        links: set[str] = set()
        try:
            with os.scandir(place) as entries:
                for each in entries:
                    (folders if _is_folder(each) else others).append(each.name)
                    if each.is_symlink():
                        links.add(each.name)
        except OSError as error:
            unread(error)
            continue
        yield place, folders, others
        waiting += (os.path.join(place, each) for each in reversed(folders) if each not in links)  # noqa: PTH118


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False

"""Looks for files from a folder upwards, with no help of git, and tells whose they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def upwards(folder: Path, top: Path | None = None) -> Iterator[Path]:
    """An absolute folder and those above it, up to `top`, or to the root of the file system."""
    for each in (folder, *folder.parents):
        yield each
        if each == top:
            return


def is_anothers(path: Path) -> bool:
    """Whether what is there belongs to another user than the one who runs this or the superuser.

    Whoever may write to a folder above could have put it there. False where nothing is, or no system tells owners.
    """
    if not hasattr(os, "geteuid"):
        return False
    try:
        return path.lstat().st_uid not in {os.geteuid(), 0}
    except (OSError, ValueError):
        return False

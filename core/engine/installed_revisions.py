"""The commit that an installed copy of a module is of, as the `.git` that a client left in it says."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from lockwarden.core.system.opening import open_to_read

_LONGEST: Final = 1024 * 1024
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE: Final = re.compile(r"refs(?:/[0-9A-Za-z_+-][0-9A-Za-z._+-]*)+")
"""Names that are no way out of the folder; a rarer one is not looked up."""


def installed_commit(package: Path) -> str:
    """The commit that is checked out in a package's folder; empty where nothing says so.

    It is a claim of whoever wrote the folder: what its files are, only their digests tell. It runs nothing, and follows
    no link. It blocks.
    """
    folder = package / ".git"
    if folder.is_symlink():
        return ""
    head = _read(folder / "HEAD").strip()
    name = head.removeprefix("ref: ")
    if name == head or not _REFERENCE.fullmatch(name) or ".." in name:
        return head if _COMMIT.fullmatch(head) else ""
    found = _read(folder / name).strip()
    if not found:
        lines = (line.split(" ") for line in _read(folder / "packed-refs").splitlines())
        found = next((parts[0] for parts in lines if parts[1:] == [name]), "")
    return found if _COMMIT.fullmatch(found) else ""


def _read(path: Path) -> str:
    try:
        file = open_to_read(path, follow=False)
    except OSError:
        return ""
    try:
        return os.read(file, _LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(file)

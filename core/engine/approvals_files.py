"""The file of approvals that goes with a lock file: where it is, reading it, saving it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from lockwarden.core.approvals.model import APPROVALS_FILE, MAX_BYTES, NO_APPROVALS, SIGNATURE_FILES, Approvals
from lockwarden.core.system.atomic_writing import reason_of
from lockwarden.core.system.own_files import is_anothers, read_own_file, save_own_file, upwards
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import ApprovalsError, SaveError

MAX_SIGNATURE: Final = 64 * 1024
"""Size of a detached signature, which has a kilobyte or two."""


def approvals_path(lock_file: Path, *, root: Path | None) -> Path:
    """Where the approvals are that count for a lock file: below the repository's `root`.

    Without a repository they are the nearest upwards that belong to no other user, or else they would be beside it.
    """
    if root is not None:
        return root / APPROVALS_FILE
    beside = lock_file.parent.resolve()
    there = (folder / APPROVALS_FILE for folder in upwards(beside))
    return next((path for path in there if _is_ours(path)), beside / APPROVALS_FILE)


def read_approvals_file(lock_file: Path, *, root: Path | None) -> Approvals:
    """The approvals that count for a lock file; none when there is no such file.

    Raises ApprovalsError when it cannot be read, or when it or its folder is a symbolic link.
    """
    path = approvals_path(lock_file, root=root)
    if _is_link(path.parent):
        problem = Diagnostic(
            line=0, message="its folder is a symbolic link", hint="make a folder of it; a link could lead anywhere"
        )
        raise ApprovalsError(path=APPROVALS_FILE, diagnostics=(problem,))
    data = read_own_file(path, name=APPROVALS_FILE, limit=MAX_BYTES, error=ApprovalsError)
    if data is None:
        return NO_APPROVALS
    from lockwarden.core.approvals.read import read_approvals  # most folders have no such file

    return read_approvals(data, path=APPROVALS_FILE)


def read_signature_file(path: Path) -> bytes | None:
    """The detached signature that lies beside the approvals at `path`; None when there is none.

    Of two the first counts. What is no file of a few kilobytes is empty: a signature that nobody can read is malformed.
    """
    if _is_link(path.parent):
        return None
    for name in SIGNATURE_FILES:
        try:
            data = read_own_file(path.with_name(Path(name).name), name=name, limit=MAX_SIGNATURE, error=ApprovalsError)
        except ApprovalsError:
            return b""
        if data is not None:
            return data
    return None


def save_signature(path: Path, text: str, *, before: bytes | None) -> Path:
    """Put an SSH signature beside the approvals at `path`, where one in any form must still be what it was.

    Raises FileChangedError and SaveError as `save_approvals` does.
    """
    place = path.with_name(Path(SIGNATURE_FILES[0]).name)
    save_own_file(place, text.encode(), expected=before)
    return place


def save_approvals(path: Path, data: bytes, *, before: Approvals) -> None:
    """Replace the approvals at `path`, which must still be those that were read, by `data`.

    The folder is made when there is none. Raises FileChangedError when the file is not what was read, SaveError when it
    cannot be written.
    """
    folder = path.parent
    if _is_link(folder):
        raise SaveError(f"{folder} is a symbolic link, and nothing is written through it", hint="make a folder of it")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise SaveError(
            f"the folder {folder} cannot be made: {reason_of(error)}",
            hint="check what is there, and that you may write to the folder around it",
        ) from error
    save_own_file(path, data, expected=before.data if before.path else None)


def _is_ours(path: Path) -> bool:
    """Whether something is there in the place of the file, and neither it nor its folder is another user's."""
    return os.path.lexists(path) and not (is_anothers(path) or is_anothers(path.parent))


def _is_link(path: Path) -> bool:
    """Whether there is a link; False also when that cannot be told, which opening the file will."""
    return os.path.islink(path)  # noqa: PTH114 - the method raises

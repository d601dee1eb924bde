"""Saves a lock file so that there is never half of one, and never over somebody else's change."""

from __future__ import annotations

from pathlib import Path

from lockwarden.core.engine.lock_file_reading import read_bytes
from lockwarden.core.system.atomic_writing import reason_of, sync_folder, written_beside
from lockwarden.core.system.links import leads_out
from lockwarden.core.values.errors import LockFileChangedError, LockFileError, SaveError

_AGAIN = "read it again and decide anew"


def save(path: Path, data: bytes, *, expected: bytes) -> None:
    """Replace the content of the lock file `path`, which must still be `expected`, by `data`.

    A symbolic link stays one: what it points to is replaced, in its own folder and with its mode. Nothing is written
    when that lies outside of the working tree in which the link is. The new content is on the disk before the name
    changes, so that a crash leaves either the old file or the new one. Raises LockFileChangedError when the file is
    another or gone, SaveError when it cannot be written; both leave the file as it is. A change by others within the
    instant between comparing and renaming is not noticed.
    """
    target = _unchanged_target(path, expected)
    if data == expected:
        return
    if leads_out(path):
        raise SaveError(
            f"{path} leads out of the working tree by a symbolic link, so nothing was written",
            hint=f"name the file itself: {target}",
        )
    try:
        with written_beside(target, data, like=target.stat()) as temporary:
            if _unchanged_target(path, expected) != target:
                raise LockFileChangedError(f"{path} points to another file now, so nothing was written", hint=_AGAIN)
            temporary.replace(target)
    except OSError as error:
        raise SaveError(
            f"{path} could not be written, so the old file is still there: {reason_of(error)}",
            hint="check that you may write to its folder and that the disk has room",
        ) from error
    sync_folder(target.parent)


def _unchanged_target(path: Path, expected: bytes) -> Path:
    """The real file behind a path, if its content is the expected one. Raises LockFileChangedError."""
    try:
        target = path.resolve(strict=True)
        found = read_bytes(target)
    except (OSError, RuntimeError, LockFileError) as error:
        raise LockFileChangedError(
            f"{path} cannot be read any more, so nothing was written: {reason_of(error)}", hint=_AGAIN
        ) from error
    if found != expected:
        raise LockFileChangedError(f"{path} was changed since it was read, so nothing was written", hint=_AGAIN)
    return target

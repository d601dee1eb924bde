"""Saves a lock file so that there is never half of one, and never over somebody else's change."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from lockwarden.core.errors import LockFileChangedError, LockFileError, SaveError
from lockwarden.core.lockfile.read import read_bytes

_AGAIN = "read it again and decide anew"


def save(path: Path, data: bytes, *, expected: bytes) -> None:
    """Replace the content of the lock file `path`, which must still be `expected`, by `data`.

    A symbolic link stays one; what it points to is replaced, in its own folder and with its mode. The new content is on
    the disk before the name changes, so that a crash leaves either the old file or the new one. Raises
    LockFileChangedError when the file is another or gone, SaveError when it cannot be written; both leave the file as
    it is. A change by others within the instant between comparing and renaming is not noticed.
    """
    target = _unchanged_target(path, expected)
    if data == expected:
        return
    temporary = target.with_name(f"{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        _write(temporary, data, target.stat())
        if _unchanged_target(path, expected) != target:
            raise LockFileChangedError(f"{path} points to another file now, so nothing was written", hint=_AGAIN)
        temporary.replace(target)
    except OSError as error:
        raise SaveError(
            f"{path} could not be written, so the old file is still there: {_reason(error)}",
            hint="check that you may write to its folder and that the disk has room",
        ) from error
    finally:
        # After the renaming there is nothing left to remove. This also runs when the operator interrupts.
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _write(temporary: Path, data: bytes, like: os.stat_result) -> None:
    """Make a new file with the mode, and if possible the owner, of another, and wait until it is on the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        if hasattr(os, "fchown"):  # pragma: no branch
            with suppress(OSError):
                os.fchown(file.fileno(), like.st_uid, like.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        os.fsync(file.fileno())


def _unchanged_target(path: Path, expected: bytes) -> Path:
    """The real file behind a path, if its content is the expected one. Raises LockFileChangedError."""
    try:
        target = path.resolve(strict=True)
        found = read_bytes(target)
    except (OSError, RuntimeError, LockFileError) as error:
        raise LockFileChangedError(
            f"{path} cannot be read any more, so nothing was written: {_reason(error)}", hint=_AGAIN
        ) from error
    if found != expected:
        raise LockFileChangedError(f"{path} was changed since it was read, so nothing was written", hint=_AGAIN)
    return target


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk too, where the system allows it; the content is safe already."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""Replaces files so that there is never half of one: a temporary file in the same folder takes over the name."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def written_beside(target: Path, data: bytes, *, like: os.stat_result | None = None) -> Iterator[Path]:
    """A temporary file with the content, on the disk, in the folder of the target; what is left of it is removed.

    It has the mode and if possible the owner of another file, or those of any new file. To rename it to the target is
    the caller's business, after a last look at what is there; `sync_folder` puts that name on the disk too. Raises
    OSError.
    """
    temporary = target.with_name(f"{target.name}.{secrets.token_hex(8)}.tmp")
    # Before the `try`: what somebody has put there is not ours to remove.
    descriptor = _made(temporary, like)
    try:
        _fill(descriptor, data, like)
        yield temporary
    finally:
        # After the renaming there is nothing left to remove. This also runs when the operator interrupts.
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _made(temporary: Path, like: os.stat_result | None) -> int:
    """A descriptor of a file that was not there, nor any link of its name. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(temporary, flags, 0o666 if like is None else 0o600)


def _fill(descriptor: int, data: bytes, like: os.stat_result | None) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        if like is not None and hasattr(os, "fchown"):
            with suppress(OSError):
                os.fchown(file.fileno(), like.st_uid, like.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Put the new name on the disk too, where the system allows it; the content is safe already."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def reason_of(error: Exception) -> str:
    """Why something failed, in the system's words where it has some."""
    return (isinstance(error, OSError) and error.strerror) or str(error)

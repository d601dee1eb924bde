"""Reads lock files from the disk, where whoever makes a change can put a link, a pipe or a folder in their place; and
asks again and again while a person looks whether they are still what is on disk.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockFile
from lockwarden.core.lockfile.read import MAX_BYTES, parse, refuse_oversize
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import LockFileError

_INIT: Final = "run tofu init or terraform init to make one, or name a lock file or a folder that has one"
_LINK: Final = "repair the link, or name the file itself"
_ACCESS: Final = "check that you may read it"
_NAME: Final = "name a lock file or the folder that holds it"


_Stamp = tuple[int, int, int, int] | None


def read(path: Path, second_reader: SecondReader, *, client: Client | None = None) -> LockFile:
    """Read a lock file, or the one in a folder; symbolic links are followed. `client` is as for `parse`.

    Raises LockFileError when there is none or it cannot be read, LockFileInvalidError as `parse` does.
    """
    try:
        file = file_of(path)
    except OSError as error:
        raise LockFileError(f"{path} cannot be read: {error.strerror}", path=str(path), hint=_ACCESS) from error
    return parse(read_bytes(file), path=str(file), second_reader=second_reader, client=client)


def file_of(path: Path) -> Path:
    """The lock file that is named: a file, or the one in a folder. Raises OSError.

    A folder in the place of a lock file is no folder that has one.
    """
    return path / LOCK_FILE_NAME if path.name != LOCK_FILE_NAME and path.is_dir() else path


def _where_else(path: Path) -> str:
    """What helps where a folder has no lock file."""
    from lockwarden.core.system.lock_file_search import first_below

    below = first_below(path.parent) if path.name == LOCK_FILE_NAME and path.parent.is_dir() else None
    if below is None:
        return _INIT
    return f"there is one below, {below}: take all below with --recursive (-r), or {_INIT}"


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most MAX_BYTES. Raises LockFileError."""
    name = str(path)
    try:
        descriptor = open_to_read(path, follow=True)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise LockFileError(f"{name} is not a regular file", path=name, hint=_NAME)
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(MAX_BYTES + 1)
        finally:
            os.close(descriptor)
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            message, hint = f"{name} is a symbolic link to a file that is not there", _LINK
        else:
            message, hint = f"there is no lock file {name}", _where_else(path)
        raise LockFileError(message, path=name, hint=hint) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise LockFileError(f"{name} is a symbolic link that leads in a circle", path=name, hint=_LINK) from error
        raise LockFileError(f"{name} cannot be read: {error.strerror}", path=name, hint=_ACCESS) from error
    except ValueError as error:
        raise LockFileError(f"{name!r} is not a path", path=name, hint=_NAME) from error
    refuse_oversize(data, name)
    return data


class SeenFiles:
    """Reads a file only where its size, time or place is another one than when it was read last."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_Stamp, bytes, bool]] = {}

    def differs(self, path: Path, known: bytes) -> bool:
        """Whether the file is gone, or holds something else. It blocks, most of the time for no longer than a look.

        A file that is written again within the same instant, with as many bytes, is missed; writing compares anew.
        """
        stamp, before = _stamp(path), self._known.get(path)
        if before is not None and before[0] == stamp and before[1] is known:
            return before[2]
        try:
            differs = stamp is None or read_bytes(path) != known
        except LockFileError:
            differs = True
        self._known[path] = (stamp, known, differs)
        return differs


def _stamp(path: Path) -> _Stamp:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def is_folder(path: str) -> bool:
    """Whether it is a folder that is there."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False  # what is wrong with it is told where it is read

"""Whether lock files that were read are still what is on disk, asked again and again while a person looks."""

from __future__ import annotations

from pathlib import Path

from lockwarden.core.engine.lock_file_reading import read_bytes
from lockwarden.core.values.errors import LockFileError

_Stamp = tuple[int, int, int, int] | None


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

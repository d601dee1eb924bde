"""The files of a package store: one arrives, is hashed meanwhile, and gets the digest of its bytes as its name.

Everything here blocks and runs in threads. A file appears under its name in one step and is never changed afterwards.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from lockwarden.core.archives.inspection import ArchiveFacts, ArchiveLimits, inspect_open_archive
from lockwarden.core.errors import ArchiveError
from lockwarden.core.links import link_on_the_way

READ_SIZE: Final = 1024 * 1024
PACKAGES: Final = "packages"
FACTS: Final = "facts"
"""The folders below the cache's own."""
ARRIVING: Final = ".part"
"""How the name of an unfinished file ends, of a package or of a fact."""
_STORED: Final = re.compile(r"[0-9a-f]{64}\.zip\Z")
_ORPHAN_AGE: Final = 3600.0
"""Seconds without a write after which an unfinished file belongs to a process that is gone."""


class ArrivingFile:
    """A package on its way: bytes go to a temporary file and into its SHA-256 at once. Close it in every case."""

    def __init__(self, folder: Path) -> None:
        file, name = tempfile.mkstemp(suffix=ARRIVING, dir=folder)
        self._file = file
        self._path: Path | None = Path(name)
        self._folder = folder
        self._digest = hashlib.sha256()

    def add(self, data: bytes | bytearray) -> None:
        """Append bytes. Raises OSError."""
        self._digest.update(data)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._file, rest) :]

    def keep(self) -> tuple[bytes, Path]:
        """Give the file its final name; the digest and the path. Raises OSError.

        It is not waited for until the disk has it: what a crash leaves behind is found out when it is hashed again.
        """
        digest = self._digest.digest()
        target = stored_path(self._folder, digest.hex())
        if self._path is None:
            raise ValueError("the file was kept already")
        self._path.replace(target)
        self._path = None
        return digest, target

    def inspect(self, limits: ArchiveLimits, stop: Callable[[], bool]) -> ArchiveFacts:
        """What the bytes are as an archive, also where another process has removed the file meanwhile."""
        return inspect_open_archive(self._file, limits=limits, stop=stop)

    def close(self) -> None:
        """Let go of the file; without `keep` it is removed."""
        os.close(self._file)
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None


class OpenFile:
    """A package that lies on disk, opened once, so that its hash and its content are those of the same bytes."""

    def __init__(self, path: Path, *, follow: bool) -> None:
        self.file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.file)

    def state(self) -> tuple[int, int]:
        """Size in bytes and time of the last change; both stay while nobody writes."""
        status = os.fstat(self.file)
        return status.st_size, status.st_mtime_ns

    def digest(self, stop: Callable[[], bool]) -> bytes:
        """The SHA-256 digest of the whole file. Raises OSError, and ArchiveError when `stop` says so."""
        digest = hashlib.sha256()
        at = 0
        while data := os.pread(self.file, READ_SIZE, at):
            digest.update(data)
            at += len(data)
            if stop():
                raise ArchiveError("it was not hashed to its end, because that was called off", code="stopped")
        return digest.digest()

    def touch(self, now: float) -> None:
        """Note that the file was used, in seconds since 1970."""
        with contextlib.suppress(OSError):
            os.utime(self.file, (now, now))


def stored_path(folder: Path, hexadecimal: str) -> Path:
    """Where the package with this SHA-256 lies, or would lie."""
    return folder / f"{hexadecimal}.zip"


def package_files(folder: Path) -> tuple[Path, ...]:
    """The files of packages, also of those that are arriving; none where there is no such folder."""
    try:
        return tuple(path for path in folder.iterdir() if _STORED.match(path.name) or path.suffix == ARRIVING)
    except OSError:
        return ()


def make_private(folder: Path) -> None:
    """Make the folder and what leads to it, for this user alone. Raises OSError, also for a link in a working tree.

    A cache may lie in a checkout, so that a job can keep it; then a change could have its folder lead anywhere.
    """
    if (link := link_on_the_way(folder / PACKAGES)) is not None:
        raise OSError(errno.ELOOP, "a folder of the working tree is a symbolic link", str(link))
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def remove_orphans(folder: Path, now: float) -> None:
    """Remove unfinished files that nobody has written to for an hour."""
    for path in folder.glob(f"*{ARRIVING}"):
        with contextlib.suppress(OSError):
            if path.lstat().st_mtime < now - _ORPHAN_AGE:
                path.unlink()


def evict(folder: Path, limit: int, spared: Path) -> None:
    """Remove the packages that were not used for longest until the rest has at most `limit` bytes.

    `spared` stays. Other processes may do the same at the same time.
    """
    found: list[tuple[float, int, Path]] = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if _STORED.match(path.name):
                status = path.lstat()
                found.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= limit:
            return
        if path != spared:
            with contextlib.suppress(OSError):
                path.unlink()
                total -= size

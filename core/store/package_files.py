"""The files of a package store: one arrives, is hashed meanwhile, and gets the digest of its bytes as its name.

Everything here blocks and runs in threads. A file appears under its name in one step and is never changed afterwards.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from lockwarden.core.archives.facts import ArchiveFacts, ArchiveLimits
from lockwarden.core.system.links import link_on_the_way
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.late_patterns import LatePattern

READ_SIZE: Final = 1024 * 1024
"""Bytes that are read at a time."""
PACKAGES: Final = "packages"
FACTS: Final = "facts"
RELEASES: Final = "releases"
"""The folders below the cache's own."""
ARRIVING: Final = ".part"
"""How the name of an unfinished file ends, of a package or of a fact."""
_STORED: Final = LatePattern(r"[0-9a-f]{64}\.zip\Z")
_OTHERS_WRITE: Final = 0o022
_ORPHAN_AGE: Final = 3600.0
"""Seconds without a write after which an unfinished file belongs to a process that is gone."""


def put_in_place(path: Path, data: bytes) -> None:
    """Give a file of the cache its content in one step. Raises OSError, and then nothing of it is left.

    It is not put on the disk at once: what a crash loses is computed again.
    """
    file, name = tempfile.mkstemp(suffix=ARRIVING, dir=path.parent)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


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

    @property
    def digest(self) -> bytes:
        """The SHA-256 digest of what came so far."""
        return self._digest.digest()

    def keep(self) -> Path:
        """Give the file its final name, which is returned. Raises OSError.

        It is not waited for until the disk has it: what a crash leaves behind is found out when it is hashed again.
        """
        target = stored_path(self._folder, self.digest.hex())
        if self._path is None:
            raise ValueError("the file was kept already")
        self._path.replace(target)
        self._path = None
        return target

    def inspect(self, limits: ArchiveLimits, stop: Callable[[], bool]) -> ArchiveFacts:
        """What the bytes are as an archive, also where another process has removed the file meanwhile."""
        from lockwarden.core.archives.inspection import inspect_open_archive

        return inspect_open_archive(self._file, limits=limits, stop=stop)

    def close(self) -> None:
        """Let go of the file; without `keep` it is removed."""
        os.close(self._file)
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None


class CopiedFile:
    """A package that lies on disk, read once: into a file without a name, and into its SHA-256 at the same time.

    So what is looked into is what was hashed, also where somebody else writes to the file meanwhile.
    """

    def __init__(self, file: int, size: int, digest: bytes) -> None:
        self.file = file
        """To read from; for nobody else."""
        self.size = size
        self.digest = digest

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.file)


class OpenFile:
    """A package that lies on disk, opened once. Others may write to it as long as it is not `private`."""

    def __init__(self, path: Path, *, follow: bool) -> None:
        self.file = open_to_read(path, follow=follow)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.file)

    @property
    def private(self) -> bool:
        """Whether it is a plain file of this user with one name, that nobody else may write to."""
        return is_private(os.fstat(self.file))

    @property
    def regular(self) -> bool:
        """Whether it is a file rather than a folder or a device."""
        return stat.S_ISREG(os.fstat(self.file).st_mode)

    def copied(self, folder: Path, limit: int | None, stop: Callable[[], bool]) -> CopiedFile:
        """A copy in `folder`, which has no name.

        Raises OSError, and ArchiveError when it is no plain file, has more than `limit` bytes, changes meanwhile, or
        `stop` says so.
        """
        most = sys.maxsize if limit is None else limit
        before = os.fstat(self.file)
        if not stat.S_ISREG(before.st_mode):
            raise ArchiveError("it is not a regular file", code=ArchiveFault.NOT_A_FILE)
        if before.st_size > most:
            raise ArchiveError(f"the package is larger than the limit of {most} bytes", code=ArchiveFault.TOO_LARGE)
        with tempfile.TemporaryFile(dir=folder) as copy:
            digest = hashlib.sha256()
            size = 0
            while data := os.pread(self.file, READ_SIZE, size):
                size += len(data)
                if size > most:
                    raise ArchiveError(
                        f"the package is larger than the limit of {most} bytes", code=ArchiveFault.TOO_LARGE
                    )
                digest.update(data)
                copy.write(data)
                if stop():
                    raise ArchiveError(
                        "it was not hashed to its end, because that was called off", code=ArchiveFault.STOPPED
                    )
            copy.flush()
            if unchanged(before) != unchanged(os.fstat(self.file)):
                raise ArchiveError("it changed while it was read", code=ArchiveFault.CHANGED, hint="try again")
            return CopiedFile(os.dup(copy.fileno()), size, digest.digest())

    def touch(self, now: float) -> None:
        """Note that the file was used, in seconds since 1970."""
        with contextlib.suppress(OSError):
            os.utime(self.file, (now, now))


def unchanged(status: os.stat_result) -> tuple[int, ...]:
    """What stays the same of a file while nobody writes to it; the last of these can be set by nobody."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_private(status: os.stat_result) -> bool:
    """Whether a plain file is this user's, has one name, and cannot be written to by anybody else."""
    mine = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_nlink == 1
    return mine and not status.st_mode & _OTHERS_WRITE


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
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "it is another user's, or a link", str(folder))
    if status.st_mode & 0o077:
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

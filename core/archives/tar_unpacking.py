"""Unpacks archives of modules into a folder, by their kind: zip, or tar in gzip, bzip2 or xz, as the clients do.

Of a tar, the clients' extraction (go-getter 1.8.6, `decompress_tar.go`) makes files and folders alone: a link becomes
an empty file. Devices and pipes, of which it does the same, are refused, and so is what two readers could see
differently.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.archives.compression import Compression, PieceReader, decompressed
from lockwarden.core.archives.content import MemberError, ReadingStoppedError, UnpackBudget
from lockwarden.core.archives.facts import ArchiveLimits
from lockwarden.core.archives.oddities import OddityCode, shown
from lockwarden.core.archives.tar import MemberKind, TarEntry, members_of
from lockwarden.core.archives.unpacking import unpack
from lockwarden.core.archives.writing import make_folders, path_within, write_file
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

_READ: Final = 64 * 1024
_ZIP: Final = "zip"
_COMPRESSIONS: Final[Mapping[str, Compression]] = {
    "tar.gz": Compression.GZIP,
    "tgz": Compression.GZIP,
    "tar.bz2": Compression.BZIP2,
    "tar.tbz2": Compression.BZIP2,
    "tar.xz": Compression.XZ,
    "txz": Compression.XZ,
}
"""By the words that the clients have for kinds of archives. They take no tar that is not compressed."""
_BEGINNINGS: Final = (
    (b"\x1f\x8b", Compression.GZIP),
    (b"BZh", Compression.BZIP2),
    (b"\xfd7zXZ\0", Compression.XZ),
)
_KINDS: Final = {
    MemberKind.FILE: stat.S_IFREG,
    MemberKind.HARD_LINK: stat.S_IFREG,
    MemberKind.LINK: stat.S_IFLNK,
    MemberKind.FOLDER: stat.S_IFDIR,
}
_OVER_BUDGET: Final = {OddityCode.RATIO: ArchiveFault.RATIO, OddityCode.TOO_LARGE: ArchiveFault.TOO_LARGE}


def unpack_archive(
    file: int,
    folder: Path,
    kind: str,
    *,
    limits: ArchiveLimits | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Unpack an open archive of a kind, or with an empty one of whatever its first bytes say; how many files it has.

    The folder is empty, and nobody else can write to it. It blocks. Raises ArchiveError, as `unpack` does.
    """
    compression = _COMPRESSIONS.get(kind)
    if not kind:
        beginning = os.pread(file, 6, 0)
        compression = next((each for begins, each in _BEGINNINGS if beginning.startswith(begins)), None)
    elif kind != _ZIP and compression is None:
        raise ArchiveError(
            f"a single file that is compressed ({kind}) is no package of a module", code=ArchiveFault.NOT_UNPACKED
        )
    if compression is None:
        return unpack(file, folder, limits=limits, stop=stop)
    return _unpack_tar(file, folder, compression, limits or ArchiveLimits(), stop)


def _unpack_tar(
    file: int, folder: Path, compression: Compression, limits: ArchiveLimits, stop: Callable[[], bool]
) -> int:
    budget = UnpackBudget(
        max_size=limits.unpacked_size, max_ratio=limits.ratio, ratio_floor=limits.ratio_floor, stop=stop
    )
    members = files = 0
    try:
        for entry, content in members_of(PieceReader(_counted(file, compression, budget))):
            members += 1
            if members > limits.members:
                raise ArchiveError(
                    f"it holds more than the limit of {limits.members} members", code=ArchiveFault.TOO_MANY_MEMBERS
                )
            files += _put(os.fsencode(folder), entry, content)
    except MemberError as error:
        raise ArchiveError(error.message, code=_OVER_BUDGET[error.code]) from error
    except ReadingStoppedError as error:
        raise ArchiveError(
            "it was not unpacked to its end, because that was called off", code=ArchiveFault.STOPPED
        ) from error
    except OSError as error:
        raise ArchiveError(f"it cannot be unpacked: {error.strerror}", code=ArchiveFault.NOT_UNPACKED) from error
    if not files:
        raise ArchiveError("empty archive", code=ArchiveFault.EMPTY_ARCHIVE)
    return files


def _counted(file: int, compression: Compression, budget: UnpackBudget) -> Iterator[bytes]:
    for piece in decompressed(_raw(file, budget), compression, budget):
        budget.spend(len(piece))
        yield piece


def _raw(file: int, budget: UnpackBudget) -> Iterator[bytes]:
    at = 0
    while piece := os.pread(file, _READ, at):
        at += len(piece)
        budget.consumed += len(piece)
        yield piece


def _put(folder: bytes, entry: TarEntry, content: Iterator[bytes]) -> int:
    """Make what an entry stands for; how many files that is."""
    is_folder = entry.kind is MemberKind.FOLDER
    if entry.mode & ~0o7777 not in {0, _KINDS[entry.kind]}:
        raise ArchiveError(
            f"“{shown(entry.name)}” is one thing by its kind and another by its mode", code=ArchiveFault.BROKEN_TAR
        )
    path = path_within(entry.name, is_folder=is_folder)
    if is_folder:
        make_folders(folder, path)
        return 0
    write_file(folder, path, content, permissions=entry.mode & 0o777)
    return 1

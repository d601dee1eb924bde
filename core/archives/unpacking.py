"""Unpacks a zip archive into a folder: the clients' extraction (go-getter 1.8.6), which makes files and folders alone.

A link becomes a file with the link's text, so that no name in the archive leads anywhere but into the folder. What two
readers could see differently is not unpacked at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lockwarden.core.archives.content import Budget, MemberError, ReadingStoppedError, content_of
from lockwarden.core.archives.layout import Placed
from lockwarden.core.archives.names import clean_name, climbs
from lockwarden.core.archives.oddities import OddityLog, shown
from lockwarden.core.archives.opening import ArchiveLimits, open_archive
from lockwarden.core.values.errors import ArchiveError

_FOLDER_MODE: Final = 0o755
_WRITING_MODE: Final = 0o600


def unpack(
    file: int, folder: Path, *, limits: ArchiveLimits | None = None, stop: Callable[[], bool] = lambda: False
) -> int:
    """Unpack an open archive into a folder that is empty and that nobody else can write to; how many files it has.

    Blocks: call it in a thread. Raises ArchiveError when it is no archive, holds more than the limits or what cannot be
    unpacked, or when `stop` said so; then what was written so far is there, and whose folder it is removes it.
    """
    bounds = limits or ArchiveLimits()
    log = OddityLog()
    try:
        opened = open_archive(file, os.fstat(file).st_size, bounds, log)
        if log.fatal:
            first = log.oddities()[0]
            raise ArchiveError(first.message, code=str(first.code))
        if not opened.members:
            raise ArchiveError("empty archive", code="empty-archive")
        budget = Budget(
            max_size=bounds.unpacked_size, max_ratio=bounds.ratio, ratio_floor=bounds.ratio_floor, stop=stop
        )
        for placed in opened.placed:
            _unpack(file, os.fsencode(folder), placed, budget, log)
    except MemberError as error:
        raise ArchiveError(error.message, code=str(error.code)) from error
    except ReadingStoppedError as error:
        raise ArchiveError("it was not unpacked to its end, because that was called off", code="stopped") from error
    except OSError as error:
        raise ArchiveError(f"it cannot be unpacked: {error.strerror}", code="not-unpacked") from error
    return sum(not member.is_folder for member in opened.members)


def _unpack(file: int, folder: bytes, placed: Placed, budget: Budget, log: OddityLog) -> None:
    member = placed.member
    if climbs(member.name):
        raise ArchiveError(f"entry contains “..”: “{shown(member.name)}”", code="climbing-name")
    path = clean_name(member.name)
    if b"\0" in path or (not path and not member.is_folder):
        raise ArchiveError(f"a file called “{shown(member.name)}” cannot be unpacked", code="unnamed-file")
    if member.is_folder:
        _make_folders(folder, path)
        for _ in content_of(file, placed, budget, log):
            pass  # read, since the clients would notice that it is damaged
        return
    _make_folders(folder, path.rpartition(b"/")[0])
    target = os.path.join(folder, path)  # noqa: PTH118 - names are bytes
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    _writable_again(target)
    with open(os.open(target, flags, _WRITING_MODE), "wb") as written:  # noqa: PTH123
        written.writelines(content_of(file, placed, budget, log))
        os.fchmod(written.fileno(), member.permissions)


def _make_folders(folder: bytes, path: bytes) -> None:
    for part in filter(None, path.split(b"/")):
        folder = os.path.join(folder, part)  # noqa: PTH118 - names are bytes
        try:
            os.mkdir(folder, _FOLDER_MODE)  # noqa: PTH102 - names are bytes
        except FileExistsError:
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                raise NotADirectoryError(20, "a name is a file and a folder") from None


def _writable_again(target: bytes) -> None:
    """Let a name that comes twice be replaced by its last content, whatever the first one's mode is."""
    try:
        if stat.S_ISREG(os.lstat(target).st_mode):
            os.chmod(target, _WRITING_MODE)  # noqa: PTH101 - names are bytes
    except FileNotFoundError:
        return

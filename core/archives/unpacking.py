"""Unpacks a zip archive into a folder: the clients' extraction (go-getter 1.8.6), which makes files and folders alone.

A link becomes a file with the link's text, so that no name in the archive leads anywhere but into the folder. What two
readers could see differently is not unpacked at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from lockwarden.core.archives.content import MemberError, ReadingStoppedError, UnpackBudget, content_of
from lockwarden.core.archives.facts import ArchiveLimits
from lockwarden.core.archives.layout import Placed
from lockwarden.core.archives.oddities import OddityLog
from lockwarden.core.archives.opening import open_archive
from lockwarden.core.archives.writing import make_folders, path_within, write_file
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError


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
            raise ArchiveError(first.message, code=ArchiveFault.NOT_UNPACKED)
        if not opened.members:
            raise ArchiveError("empty archive", code=ArchiveFault.EMPTY_ARCHIVE)
        budget = UnpackBudget(
            max_size=bounds.unpacked_size, max_ratio=bounds.ratio, ratio_floor=bounds.ratio_floor, stop=stop
        )
        for placed in opened.placed:
            _unpack(file, os.fsencode(folder), placed, budget, log)
    except MemberError as error:
        raise ArchiveError(error.message, code=ArchiveFault.NOT_UNPACKED) from error
    except ReadingStoppedError as error:
        raise ArchiveError(
            "it was not unpacked to its end, because that was called off", code=ArchiveFault.STOPPED
        ) from error
    except OSError as error:
        raise ArchiveError(f"it cannot be unpacked: {error.strerror}", code=ArchiveFault.NOT_UNPACKED) from error
    return sum(not member.is_folder for member in opened.members)


def _unpack(file: int, folder: bytes, placed: Placed, budget: UnpackBudget, log: OddityLog) -> None:
    member = placed.member
    path = path_within(member.name, is_folder=member.is_folder)
    if member.is_folder:
        make_folders(folder, path)
        for _ in content_of(file, placed, budget, log):
            pass  # read, since the clients would notice that it is damaged
        return
    write_file(folder, path, content_of(file, placed, budget, log), permissions=member.permissions)

"""Hashes the content of a package that is a zip archive, and says what is odd about it. Nothing is ever extracted.

Reads through the central directory, as the clients do, with names as raw bytes. A package has one `h1` as an archive
and, where the archive holds entries for folders, `./` names or duplicates, another one as the folder it unpacks to; the
clients record the folder's.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from lockwarden.core.archives.content import MemberError, ReadingStoppedError, UnpackBudget, digest_of
from lockwarden.core.archives.directory import ArchiveMember
from lockwarden.core.archives.extraction import h1_after_extraction
from lockwarden.core.archives.facts import ArchiveFacts, ArchiveLimits
from lockwarden.core.archives.names import note_executables, root_executables
from lockwarden.core.archives.oddities import Oddity, OddityCode, OddityLog
from lockwarden.core.archives.opening import open_archive
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import Hash, h1_of_members

__all__ = ["ArchiveFacts", "ArchiveLimits", "Oddity", "OddityCode", "inspect_archive", "inspect_open_archive"]


def inspect_archive(
    path: Path, *, limits: ArchiveLimits | None = None, stop: Callable[[], bool] = lambda: False
) -> ArchiveFacts:
    """Hash the archive at `path`; a link to it is followed. Blocks: call it in a thread.

    Raises ArchiveError when it is no zip archive or cannot be read, or when `stop` said so in the middle.
    """
    try:
        file = open_to_read(path, follow=True)
    except OSError as error:
        raise ArchiveError(f"the file cannot be read: {error.strerror}", code=ArchiveFault.UNREADABLE) from error
    try:
        return inspect_open_archive(file, limits=limits, stop=stop)
    finally:
        os.close(file)


def inspect_open_archive(
    file: int, *, limits: ArchiveLimits | None = None, stop: Callable[[], bool] = lambda: False
) -> ArchiveFacts:
    """Like `inspect_archive`, for an open file descriptor, whose position is neither used nor moved."""
    bounds = limits or ArchiveLimits()
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveError("it is not a regular file", code=ArchiveFault.NOT_A_FILE)
    try:
        return _inspect(file, status.st_size, bounds, stop)
    except OSError as error:
        raise ArchiveError(f"the file cannot be read: {error.strerror}", code=ArchiveFault.UNREADABLE) from error
    except ReadingStoppedError as error:
        raise ArchiveError(
            "it was not hashed to its end, because that was called off", code=ArchiveFault.STOPPED
        ) from error


def _inspect(file: int, size: int, bounds: ArchiveLimits, stop: Callable[[], bool]) -> ArchiveFacts:
    log = OddityLog()
    opened = open_archive(file, size, bounds, log)
    members = opened.members
    if len(members) != opened.announced:
        return _facts(log, members=opened.announced)
    executables = root_executables(members)
    note_executables(executables, log)
    if log.fatal:
        return _facts(log, members=len(members), executables=executables)
    budget = UnpackBudget(
        max_size=bounds.unpacked_size, max_ratio=bounds.ratio, ratio_floor=bounds.ratio_floor, stop=stop
    )
    try:
        digests = [digest_of(file, one, budget, log) for one in opened.placed]
    except MemberError as error:
        log.note(error.code, error.message, fatal=True)
        return _facts(log, members=len(members), executables=executables, unpacked_size=budget.produced)
    return _facts(
        log,
        members=len(members),
        executables=executables,
        unpacked_size=budget.produced,
        h1_archive=_h1_as_stored(members, digests),
        h1_directory=h1_after_extraction(zip(members, digests, strict=True), log),
        folders=sum(member.is_folder for member in members),
        repeated=len(members) - len({member.name for member in members}),
    )


def _h1_as_stored(members: tuple[ArchiveMember, ...], digests: list[bytes]) -> Hash:
    """Each entry under its raw name; a name that comes twice is listed twice, with the last one's content."""
    content = {member.name: digest for member, digest in zip(members, digests, strict=True)}
    return h1_of_members((member.name, content[member.name]) for member in members)


def _facts(
    log: OddityLog,
    *,
    members: int,
    executables: tuple[str, ...] = (),
    unpacked_size: int = 0,
    h1_archive: Hash | None = None,
    h1_directory: Hash | None = None,
    folders: int = 0,
    repeated: int = 0,
) -> ArchiveFacts:
    return ArchiveFacts(
        h1_archive=h1_archive,
        h1_directory=h1_directory,
        members=members,
        unpacked_size=unpacked_size,
        oddities=log.oddities(),
        executables=executables,
        folders=folders,
        repeated=repeated,
    )

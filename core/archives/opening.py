"""Opens a zip archive: which members it has, where their data lies, what is odd about it. Nothing is inflated."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.archives.directory import ArchiveMember, read_directory
from lockwarden.core.archives.end import read_end_record
from lockwarden.core.archives.facts import ArchiveLimits
from lockwarden.core.archives.layout import Placed, place
from lockwarden.core.archives.names import note_names
from lockwarden.core.archives.oddities import OddityCode, OddityLog


class OpenedArchive(Struct, frozen=True, kw_only=True):
    """The members of an archive."""

    announced: int
    """How many there are, by its end record."""
    members: tuple[ArchiveMember, ...]
    """None of them where the directory is over the limits."""
    placed: tuple[Placed, ...]
    """The same with their data; none of them where something fatal is odd."""


def open_archive(file: int, size: int, limits: ArchiveLimits, log: OddityLog) -> OpenedArchive:
    """What an open file of some size holds. Raises ArchiveError when it is no zip archive, OSError."""
    end = read_end_record(file, size, log)
    if end.members > limits.members or end.directory_size > limits.directory_size:
        log.note(
            OddityCode.TOO_MANY_MEMBERS,
            f"its directory of {end.members} members and {end.directory_size} bytes is over the limits"
            f" of {limits.members} members and {limits.directory_size} bytes",
            fatal=True,
        )
        return OpenedArchive(announced=end.members, members=(), placed=())
    members = read_directory(file, end)
    note_names(members, log)
    if sum(member.size for member in members) > limits.unpacked_size:
        # Before the work, where the directory itself already promises too much.
        limit = limits.unpacked_size // (1024 * 1024)
        log.note(OddityCode.TOO_LARGE, f"it unpacks to more than the limit of {limit} MiB", fatal=True)
    placed: tuple[Placed, ...] = () if log.fatal else place(file, members, end, log)
    return OpenedArchive(announced=end.members, members=members, placed=() if log.fatal else placed)

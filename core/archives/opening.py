"""Opens a zip archive: which members it has, where their data lies, what is odd about it. Nothing is inflated."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.archives.directory import ArchiveMember, read_directory
from lockwarden.core.archives.end import read_end_record
from lockwarden.core.archives.layout import Placed, place
from lockwarden.core.archives.names import note_names
from lockwarden.core.archives.oddities import OddityCode, OddityLog


class ArchiveLimits(Struct, frozen=True, kw_only=True):
    """How much one archive may ask for. The largest real provider packages stay below a tenth of each."""

    members: int = 50_000
    directory_size: int = 16 * 1024 * 1024
    """Bytes of the central directory, which is read at once."""
    unpacked_size: int = 8 * 1024 * 1024 * 1024
    ratio: int = 200
    """Bytes out for each byte in. Deflate reaches 1032; executables reach 10."""
    ratio_floor: int = 64 * 1024 * 1024
    """Bytes below which the ratio does not matter."""


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

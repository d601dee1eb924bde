"""What a zip archive would be as a folder, without unpacking it: the clients' extraction (go-getter 1.8.6) on Linux.

Folders leave no trace, names are cleaned, a link becomes a file with the link's text, and of duplicates the last one
stays. Permissions are taken for sufficient.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from lockwarden.core.archives.directory import ArchiveMember
from lockwarden.core.archives.names import clean_name, climbs
from lockwarden.core.archives.oddities import OddityCode, OddityLog, shown
from lockwarden.core.values.hashes import Hash, h1_of_members

_LONGEST_PART: Final = 255
_LONGEST_PATH: Final = 4095
"""Bytes, as on Linux. A longer name would fail halfway."""


def h1_after_extraction(members: Iterable[tuple[ArchiveMember, bytes]], log: OddityLog) -> Hash | None:
    """The `h1` of the folder that (member, SHA-256 digest of its content) pairs unpack to.

    None when unpacking fails; the reason is noted. An archive without members is one that the clients refuse to unpack.
    """
    files: dict[bytes, bytes] = {}
    folders: set[bytes] = set()
    for member, digest in members:
        path = clean_name(member.name)
        if not _can_be_made(member, path, log):
            return None
        if member.is_folder:
            folders.add(path)
        else:
            files[path] = digest
    if not files and not folders:
        log.note(OddityCode.EMPTY_ARCHIVE, "it is empty, and the clients refuse to unpack an empty archive")
        return None
    if _conflict(files, folders, log):
        return None
    return h1_of_members(files.items())


def _can_be_made(member: ArchiveMember, path: bytes, log: OddityLog) -> bool:
    if climbs(member.name) or b"\0" in path:
        return False  # noted with the names
    if len(path) > _LONGEST_PATH or any(len(part) > _LONGEST_PART for part in path.split(b"/")):
        log.note(OddityCode.TOO_LONG_NAME, f"“{shown(member.name)}” is too long for a file name")
        return False
    if not path and not member.is_folder:
        log.note(OddityCode.UNNAMED_FILE, f"a file called “{shown(member.name)}” cannot be unpacked")
        return False
    return True


def _conflict(files: dict[bytes, bytes], folders: set[bytes], log: OddityLog) -> bool:
    """Whether a path would have to be a file and a folder at once; then unpacking fails in every order."""
    paths = sorted(folders.union(files))
    for path in files:
        below = path + b"/"
        at = bisect_left(paths, below)
        if path in folders or (at < len(paths) and paths[at].startswith(below)):
            log.note(OddityCode.CONFLICTING_NAMES, f"“{shown(path)}” is a file and a folder")
            return True
    return False

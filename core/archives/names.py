"""What is odd about the names and modes of an archive's members, told from the central directory alone."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable
from typing import Final

from lockwarden.core.archives.directory import DEFLATED, STORED, ArchiveMember
from lockwarden.core.archives.oddities import OddityCode, OddityLog, shown

_DRIVE: Final = re.compile(rb"[A-Za-z]:")
_SLASHES: Final = re.compile(rb"[/\\]")
_SPECIAL_BITS: Final = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX
PROVIDER_PREFIX: Final = "terraform-provider-"


def clean_name(name: bytes) -> bytes:
    """The path that a member's name stands for: no empty parts, no `.`, no leading slash. Empty for the root."""
    return b"/".join(part for part in name.split(b"/") if part not in (b"", b"."))


def climbs(name: bytes) -> bool:
    """Whether a part of the name is `..`; a backslash separates parts too, as for the clients."""
    return b".." in _SLASHES.split(name)


def note_names(members: Iterable[ArchiveMember], log: OddityLog) -> None:
    """Note every odd name, kind, mode, method and flag."""
    seen: set[bytes] = set()
    folded: dict[bytes, bytes] = {}
    for member in members:
        _note_name(member, log)
        _note_kind(member, log)
        if member.name in seen:
            log.note(OddityCode.DUPLICATE_NAME, f"“{shown(member.name)}” is in it more than once")
        seen.add(member.name)
        other = folded.setdefault(member.name.lower(), member.name)
        if other != member.name:
            log.note(
                OddityCode.CASE_COLLISION,
                f"“{shown(other)}” and “{shown(member.name)}” are one file where case does not count",
            )


def _note_name(member: ArchiveMember, log: OddityLog) -> None:
    name = member.name
    if climbs(name):
        log.note(OddityCode.CLIMBING_NAME, f"“{shown(name)}” climbs out of its folder")
    if name.startswith((b"/", b"\\")) or _DRIVE.match(name):
        log.note(OddityCode.ABSOLUTE_NAME, f"“{shown(name)}” is an absolute name")
    if b"\\" in name:
        log.note(OddityCode.BACKSLASH_NAME, f"“{shown(name)}” has a backslash, a separator on Windows only")
    if b"\0" in name:
        log.note(OddityCode.NUL_IN_NAME, f"“{shown(name)}” has a NUL byte, where many programs end the name")
    if b"\n" in name:
        log.note(OddityCode.LINE_FEED_IN_NAME, f"“{shown(name)}” has a line feed, which no h1 can list", fatal=True)


def _note_kind(member: ArchiveMember, log: OddityLog) -> None:
    name = shown(member.name)
    if member.encrypted:
        log.note(OddityCode.ENCRYPTED, f"“{name}” is encrypted", fatal=True)
    if member.method not in (STORED, DEFLATED) and not member.names_a_folder:
        log.note(OddityCode.UNKNOWN_METHOD, f"“{name}” is compressed by the unknown method {member.method}", fatal=True)
    if member.is_folder and member.size and not member.names_a_folder:
        log.note(OddityCode.FOLDER_WITH_CONTENT, f"“{name}” is a folder by its mode, but it has content")
    mode = member.unix_mode
    if mode is None:
        return
    if stat.S_ISLNK(mode):
        log.note(OddityCode.LINK, f"“{name}” is a symbolic link, unpacked as a file with the link's text")
    elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        log.note(OddityCode.SPECIAL_FILE, f"“{name}” is a device, a pipe or a socket")
    if mode & _SPECIAL_BITS:
        log.note(OddityCode.SPECIAL_MODE, f"“{name}” has a setuid, setgid or sticky bit")
    if not mode & stat.S_IRUSR and not member.is_folder:
        log.note(OddityCode.UNREADABLE_MODE, f"“{name}” will not be readable once it is unpacked")


def root_executables(members: Iterable[ArchiveMember]) -> tuple[str, ...]:
    """The files at the root that are called like a provider's executable, in the byte order of their names."""
    names = {clean_name(member.name) for member in members if not member.is_folder}
    return tuple(
        name.decode("utf-8", "backslashreplace")
        for name in sorted(names)
        if name.startswith(PROVIDER_PREFIX.encode()) and b"/" not in name
    )


def note_executables(executables: tuple[str, ...], log: OddityLog) -> None:
    """Note that there is no executable, or that there are several to choose from."""
    if not executables:
        log.note(OddityCode.NO_EXECUTABLE, f"no file at its root is called {PROVIDER_PREFIX}…, so nothing can start")
    elif len(executables) > 1:
        log.note(
            OddityCode.SEVERAL_EXECUTABLES,
            f"{len(executables)} files at its root are called like a provider, and the clients take the first",
        )

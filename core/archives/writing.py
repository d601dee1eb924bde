"""Makes the files and folders of an archive below a folder, and nothing else; whatever name the archive has for them.

The clients' extraction (go-getter 1.8.6) makes no links of the archive's links, so that no name leads anywhere else.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import Final

from lockwarden.core.archives.names import clean_name, climbs
from lockwarden.core.archives.oddities import shown
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

MOST_FOLDERS: Final = 256
"""Folders within each other, of which programs make one call each: a thousand break even those that remove them."""
_FOLDER_MODE: Final = 0o755
_WRITING_MODE: Final = 0o600
"""While its content comes, nobody else may read a file."""


def path_within(name: bytes, *, is_folder: bool) -> bytes:
    """Where an archive's name leads below the folder. Raises ArchiveError for one that leads nowhere there."""
    if climbs(name):
        raise ArchiveError(f"entry contains “..”: “{shown(name)}”", code=ArchiveFault.CLIMBING_NAME)
    path = clean_name(name)
    if b"\0" in path or (not path and not is_folder):
        raise ArchiveError(f"a file called “{shown(name)}” cannot be unpacked", code=ArchiveFault.UNNAMED_FILE)
    if path.count(b"/") > MOST_FOLDERS:
        raise ArchiveError(
            f"it has more than {MOST_FOLDERS} folders within each other, which is the limit: “{shown(name)}”",
            code=ArchiveFault.NOT_UNPACKED,
        )
    return path


def write_file(folder: bytes, path: bytes, pieces: Iterable[bytes], *, permissions: int) -> None:
    """Write a file and the folders above it; of a name that comes twice the last content stays. Raises OSError."""
    make_folders(folder, path.rpartition(b"/")[0])
    target = os.path.join(folder, path)  # noqa: PTH118 - names are bytes
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    _writable_again(target)
    with open(os.open(target, flags, _WRITING_MODE), "wb") as written:  # noqa: PTH123
        written.writelines(pieces)
        os.fchmod(written.fileno(), permissions)


def make_folders(folder: bytes, path: bytes) -> None:
    """Make the folders of a path. Raises OSError."""
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

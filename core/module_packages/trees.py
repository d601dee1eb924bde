"""Reads the tree of a module's package from a folder: one of ours, or the copy that a client installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from lockwarden.core.modules.package_diff import MAX_TEXT, PackageFile, PackageTree
from lockwarden.core.store.unpacked_folders import digests_of_folder
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

_MAX_CONTENTS: Final = 64 * 1024 * 1024
"""Bytes of all contents together that are kept; of the others the digests are."""


def tree_in(folder: Path, *, name: str, contents: bool = True) -> PackageTree:
    """The files of a package in a folder, but for `.git`; links within it count as the files that they lead to.

    Without `contents` only digests and sizes are kept. It blocks. Raises ArchiveError for what cannot be hashed, and
    for a link that leads out of the folder: what lies there is no part of the package, and is not shown as one.
    """
    root = os.fsencode(os.path.realpath(folder))
    files: dict[str, PackageFile] = {}
    room = _MAX_CONTENTS if contents else -1
    for path, digest in digests_of_folder(Path(os.fsdecode(root)), without=".git"):
        place = os.path.join(root, path)  # noqa: PTH118 - the path is bytes
        whole = os.path.realpath(place)
        if not whole.startswith(root + b"/"):
            raise ArchiveError("a link in it leads out of it", code=ArchiveFault.LEAVING_LINK)
        try:
            shown = path.decode()
            size = os.stat(whole).st_size  # noqa: PTH116 - the path is bytes
            content = _content(whole) if size <= min(MAX_TEXT, room) else None
        except UnicodeDecodeError as error:
            raise ArchiveError("the name of a file in it is not UTF-8", code=ArchiveFault.UNREADABLE) from error
        except OSError as error:
            raise ArchiveError(
                f"a file in it cannot be read: {error.strerror}", code=ArchiveFault.UNREADABLE
            ) from error
        file = PackageFile(digest=digest.hex(), size=size)
        if content is not None and PackageFile.of(content).digest == file.digest:
            file = PackageFile.of(content)
            room -= len(content)
        files[shown] = file
    return PackageTree(name=name, files=files)


def _content(path: bytes) -> bytes:
    file = open_to_read(path, follow=False)
    try:
        return os.read(file, MAX_TEXT + 1)
    finally:
        os.close(file)

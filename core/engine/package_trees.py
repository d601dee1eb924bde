"""Provider packages, member by member, to be compared: read from their central directory, and never unpacked."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.archives.content import MemberError, ReadingStoppedError, UnpackBudget, content_of
from lockwarden.core.archives.facts import ArchiveFacts, ArchiveLimits
from lockwarden.core.archives.inspection import inspect_open_archive
from lockwarden.core.archives.layout import Placed
from lockwarden.core.archives.names import root_executables
from lockwarden.core.archives.oddities import OddityLog
from lockwarden.core.archives.opening import open_archive
from lockwarden.core.archives.programs import HEAD, program_kind
from lockwarden.core.modules.package_diff import MAX_TEXT, PackageFile, PackageTree
from lockwarden.core.store.package_files import OpenFile
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import Hash, zh_of_digest

_MAX_TEXTS: Final = 32 * 1024 * 1024
"""Bytes of all members of one package whose text is kept to be compared."""


class LookedInto(Struct, frozen=True, kw_only=True):
    """One package, and its members."""

    zh: Hash
    size: int
    facts: ArchiveFacts
    tree: PackageTree


def look_into(file: int, zh: Hash, name: str, stop: Callable[[], bool] = lambda: False) -> LookedInto:
    """The members of an open archive whose bytes have this `zh`. It blocks.

    Raises ArchiveError when it is no archive that every reader reads alike, or when `stop` said so in the middle.
    """
    limits, log = ArchiveLimits(), OddityLog()
    size = os.fstat(file).st_size
    facts = inspect_open_archive(file, limits=limits, stop=stop)
    opened = open_archive(file, size, limits, log)
    fatal = next((each.message for each in (*facts.oddities, *log.oddities()) if each.fatal), "")
    if fatal:
        raise ArchiveError(f"its members cannot be listed: {fatal}", code=ArchiveFault.WRONG_DATA)
    programs = frozenset(root_executables(opened.members))
    budget = UnpackBudget(
        max_size=limits.unpacked_size, max_ratio=limits.ratio, ratio_floor=limits.ratio_floor, stop=stop
    )
    files: dict[str, PackageFile] = {}
    texts = _MAX_TEXTS
    try:
        for placed in opened.placed:
            path = _unique(placed.member.name.decode("utf-8", "surrogateescape"), files)
            made = _member(file, placed, budget, log, program=path in programs, keep=min(MAX_TEXT, texts))
            texts -= len(made.content or b"")
            files[path] = made
    except MemberError as error:
        raise ArchiveError(f"its members cannot be listed: {error.message}", code=ArchiveFault.WRONG_DATA) from error
    except ReadingStoppedError as error:
        raise ArchiveError("it was not read to its end", code=ArchiveFault.STOPPED) from error
    return LookedInto(zh=zh, size=size, facts=facts, tree=PackageTree(name=name, files=files))


def _unique(path: str, files: dict[str, PackageFile]) -> str:
    """The name of a member; one that comes again is a member of its own."""
    found, number = path, 1
    while found in files:
        number += 1
        found = f"{path} (member {number} of this name)"
    return found


def _member(
    file: int, placed: Placed, budget: UnpackBudget, log: OddityLog, *, program: bool, keep: int
) -> PackageFile:
    digest, size, head, kept = hashlib.sha256(), 0, b"", bytearray()
    for piece in content_of(file, placed, budget, log):
        digest.update(piece)
        size += len(piece)
        head = head or piece[:HEAD]
        if size <= keep:
            kept += piece
    return PackageFile(
        digest=digest.hexdigest(),
        size=size,
        content=bytes(kept) if size <= keep else None,
        mode=placed.member.permissions,
        program=program_kind(head) if program else "",
    )


def look_into_path(path: Path, name: str) -> LookedInto:
    """The members of an archive on disk, which is read once into a private copy. It blocks.

    Raises ArchiveError as `look_into` does, and OSError.
    """
    with OpenFile(path, follow=True) as file:
        if not file.regular:
            raise ArchiveError("it is not a regular file", code=ArchiveFault.NOT_A_FILE)
        copied = file.copied(Path(tempfile.gettempdir()), None, lambda: False)
    with copied:
        return look_into(copied.file, zh_of_digest(copied.digest), name)

"""The metadata files of a registry in a folder: found, read, and replaced where they are still what was read."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.registry_metadata.model import MAX_SIZE, provider_of
from lockwarden.core.system.atomic_writing import reason_of, sync_folder, written_beside
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.system.walking import walked
from lockwarden.core.values.errors import FileChangedError, InputError, MetadataError, SaveError

_HOLDS_FILES: Final = re.compile(r"(?:.*/)?providers(?:/[^/]+){0,3}\Z", re.IGNORECASE | re.DOTALL)
"""Folders in which metadata files can lie, and places of such files."""


class FoundMetadataFile(Struct, frozen=True, kw_only=True):
    """One metadata file on disk, or what stands in the place of some and cannot be looked at."""

    path: Path
    shown: str
    """As people know it: below the folder that they named."""
    namespace: str = ""
    name: str = ""
    """Both are empty for a folder that is not looked into: nobody knows what is in it."""

    @property
    def provider(self) -> str:
        """The provider's address without a host, as published paths have it."""
        return f"{self.namespace}/{self.name}".lower()


def metadata_files(folder: Path) -> tuple[FoundMetadataFile, ...]:
    """All metadata files of providers in a registry's folder, or in a part of it, in the order of their paths.

    Links are not followed. A link in the place of a file, or of a folder of files, and a folder that cannot be looked
    into are among them: reading one is an error, so that nothing is passed over in silence. Raises InputError when
    there is none.
    """
    found = tuple(_found(folder))
    if not found:
        there = "there is no such folder" if not folder.is_dir() else "it has no providers/LETTER/NAMESPACE/NAME.json"
        raise InputError(
            f"{folder} is no folder with the metadata of a registry: {there}",
            hint="name a checkout of a registry's repository, such as that of opentofu/registry",
        )
    return found


def _found(folder: Path) -> Iterator[FoundMetadataFile]:
    closed: list[FoundMetadataFile] = []

    def note(error: OSError) -> None:
        path = Path(os.fsdecode(error.filename))
        closed.append(FoundMetadataFile(path=path, shown=str(path)))

    for place, folders, names in walked(folder, unread=note):
        folders.sort()
        if ".git" in folders:
            folders.remove(".git")
        for name in folders:
            path = Path(place, name)
            if os.path.islink(path) and _HOLDS_FILES.match(path.absolute().as_posix()):  # noqa: PTH114 - the method raises
                yield FoundMetadataFile(path=path, shown=str(path))
        for name in sorted(names):
            path = Path(place, name)
            parts = provider_of(path.absolute().as_posix()) if name.lower().endswith(".json") else None
            if parts is not None:
                yield FoundMetadataFile(path=path, shown=str(path), namespace=parts[0], name=parts[1])
    yield from closed if folder.is_dir() else ()


def read_file(path: Path) -> bytes:
    """The bytes of a metadata file. Raises MetadataError."""
    try:
        with os.fdopen(open_to_read(path, follow=False), "rb") as file:
            data = file.read(MAX_SIZE + 1)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise MetadataError(
                f"{path} is a symbolic link, and was not followed",
                hint="put the file itself in its place: the registry's tools may read what it leads to",
            ) from error
        raise MetadataError(f"{path} cannot be read: {reason_of(error)}") from error
    if len(data) > MAX_SIZE:
        raise MetadataError(f"{path} has more than {MAX_SIZE} bytes")
    return data


def replace_file(path: Path, data: bytes, *, expected: bytes) -> None:
    """Give the file its new content in one step. Raises FileChangedError where it is not `expected` any more, and
    SaveError where it cannot be written; the old file is still there then.
    """
    try:
        with _only_writer(path), written_beside(path, data, like=path.lstat()) as temporary:
            if read_file(path) != expected:
                raise FileChangedError(f"{path} was changed since it was read, so nothing was written")
            temporary.replace(path)
    except MetadataError as error:
        raise FileChangedError(f"{error.message}, so nothing was written") from error
    except OSError as error:
        raise SaveError(
            f"{path} could not be written, so the old file is still there: {reason_of(error)}",
            hint="check that you may write to its folder and that the disk has room",
        ) from error
    sync_folder(path.parent)


@contextlib.contextmanager
def _only_writer(path: Path) -> Iterator[None]:
    """Meanwhile, no other apply writes to the file's folder; what a killed one left of the file there is removed.

    On a disk without locks both are left out.
    """
    leftover = re.compile(rf"{re.escape(path.name)}\.[0-9a-f]{{16}}\.tmp")
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_EX)
            for name in os.listdir(folder):  # noqa: PTH208 - of just the folder that is locked
                if leftover.fullmatch(name):
                    os.unlink(name, dir_fd=folder)
        yield
    finally:
        os.close(folder)

"""Hashes the content of a package that is a folder: an unpacked mirror, a plugin cache, `.terraform/providers`.

The rules are those of Go's dirhash over a folder: paths relative to it, folders not listed, a link to a file listed
under its own name with the content of its target. Only an `h1` can be had; a folder has no `zh`.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.archives.names import PROVIDER_PREFIX
from lockwarden.core.archives.oddities import shown
from lockwarden.core.store.package_files import unchanged
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import Hash, h1_of_members

_READ: Final = 1024 * 1024
_MIB: Final = 1024 * 1024


class FolderLimits(Struct, frozen=True, kw_only=True):
    """How much one folder may ask for."""

    entries: int = 100_000
    """Files and folders together."""
    size: int = 8 * 1024 * 1024 * 1024
    """Bytes of all files together."""


class FolderFacts(Struct, frozen=True, kw_only=True):
    """What one folder held while it was read. It can change afterwards, unlike the bytes of an archive."""

    h1: Hash
    files: int
    size: int
    """Bytes of all files together."""
    executables: tuple[str, ...]
    """The files at the root whose names start with `terraform-provider-`, sorted."""


def inspect_folder(
    path: Path, *, limits: FolderLimits | None = None, stop: Callable[[], bool] = lambda: False
) -> FolderFacts:
    """Hash the folder at `path`, which may itself be a link. Blocks: call it in a thread.

    Raises ArchiveError when it holds what the clients could not hash either (a link to a folder, a broken link, a line
    feed in a name), anything but files, folders and links, more than the limits, or something unreadable; also when a
    file changes while it is read, or when `stop` says so.
    """
    bounds = limits or FolderLimits()
    try:
        root = os.fsencode(path.resolve(strict=True))
    except (OSError, RuntimeError) as error:
        raise ArchiveError(
            f"the folder “{path}” cannot be read: {_reason(error)}", code=ArchiveFault.UNREADABLE
        ) from error
    digests: list[tuple[bytes, bytes]] = []
    size = 0
    for name in _file_names(root, bounds):
        digest, length = _digest(root, name, bounds.size - size, stop)
        size += length
        digests.append((name, digest))
    return FolderFacts(h1=h1_of_members(digests), files=len(digests), size=size, executables=_executables(digests))


def digests_of_folder(
    path: Path, *, without: str, limits: FolderLimits | None = None
) -> tuple[tuple[bytes, bytes], ...]:
    """Relative path and SHA-256 of every file, but for what is called `without` at any depth. It blocks.

    Raises ArchiveError like `inspect_folder`.
    """
    bounds = limits or FolderLimits()
    root = os.fsencode(path)
    digests: list[tuple[bytes, bytes]] = []
    size = 0
    for name in _file_names(root, bounds, without=without.encode()):
        digest, length = _digest(root, name, bounds.size - size, lambda: False)
        size += length
        digests.append((name, digest))
    return tuple(digests)


def _file_names(root: bytes, bounds: FolderLimits, *, without: bytes = b"") -> Iterator[bytes]:
    """The relative path of everything that is no folder, links included; folders are entered, links are not."""
    waiting = [b""]
    seen = 0
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:  # noqa: PTH118 - names are bytes
                for entry in entries:
                    if entry.name == without:
                        continue
                    seen += 1
                    if seen > bounds.entries:
                        raise ArchiveError(
                            f"it holds more than {bounds.entries} entries", code=ArchiveFault.TOO_MANY_FILES
                        )
                    name = folder + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(name + b"/")
                        continue
                    if b"\n" in name:
                        raise ArchiveError(
                            f"“{shown(name)}” has a line feed, which no h1 can list",
                            code=ArchiveFault.LINE_FEED_IN_NAME,
                        )
                    yield name
        except NotADirectoryError as error:
            raise ArchiveError(f"“{os.fsdecode(root)}” is not a folder", code=ArchiveFault.NOT_A_FOLDER) from error
        except OSError as error:
            where = shown(folder) or "the folder"
            raise ArchiveError(f"“{where}” cannot be read: {_reason(error)}", code=ArchiveFault.UNREADABLE) from error


def _digest(root: bytes, name: bytes, allowance: int, stop: Callable[[], bool]) -> tuple[bytes, int]:
    """Digest and length of one file's content, links followed, in one reading. Raises ArchiveError past `allowance`
    bytes.
    """
    path = root + b"/" + name
    try:
        file = open_to_read(path, follow=True)
    except OSError as error:
        raise _unreadable(path, name, error) from error
    try:
        before = os.fstat(file)
        _check_kind(before.st_mode, path, name)
        digest = hashlib.sha256()
        length = 0
        while piece := os.read(file, _READ):
            length += len(piece)
            if length > allowance:
                raise ArchiveError("its files are larger than the limit together", code=ArchiveFault.TOO_LARGE)
            digest.update(piece)
            if stop():
                raise ArchiveError(
                    "it was not hashed to its end, because that was called off", code=ArchiveFault.STOPPED
                )
        if unchanged(before) != unchanged(os.fstat(file)):
            raise ArchiveError(
                f"“{shown(name)}” changed while it was read", code=ArchiveFault.CHANGED, hint="try again"
            )
    except OSError as error:
        raise _unreadable(path, name, error) from error
    finally:
        os.close(file)
    return digest.digest(), length


def _check_kind(mode: int, path: bytes, name: bytes) -> None:
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode) and os.path.islink(path):  # noqa: PTH114 - the path is bytes
        raise ArchiveError(
            f"“{shown(name)}” is a link to a folder, which the clients cannot hash",
            code=ArchiveFault.LINK_TO_FOLDER,
            hint="replace the link by the folder itself",
        )
    raise ArchiveError(f"“{shown(name)}” is neither a file nor a folder", code=ArchiveFault.SPECIAL_FILE)


def _unreadable(path: bytes, name: bytes, error: OSError) -> ArchiveError:
    if os.path.islink(path) and not os.path.exists(path):  # noqa: PTH110, PTH114 - the path is bytes
        return ArchiveError(f"“{shown(name)}” is a link that leads nowhere", code=ArchiveFault.BROKEN_LINK)
    return ArchiveError(f"“{shown(name)}” cannot be read: {_reason(error)}", code=ArchiveFault.UNREADABLE)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "links go in a circle"


def _executables(digests: list[tuple[bytes, bytes]]) -> tuple[str, ...]:
    prefix = PROVIDER_PREFIX.encode()
    names = sorted(name for name, _ in digests if name.startswith(prefix) and b"/" not in name)
    return tuple(name.decode("utf-8", "backslashreplace") for name in names)

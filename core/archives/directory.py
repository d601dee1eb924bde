"""The central directory of a zip archive, member by member, with names as the raw bytes they are stored as."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.archives.end import EndRecord
from lockwarden.core.archives.oddities import shown
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

STORED: Final = 0
DEFLATED: Final = 8
_CENTRAL: Final = b"PK\x01\x02"
_CENTRAL_FORM: Final = struct.Struct("<4s6H3I5H2I")
_ZIP64_EXTRA: Final = 1
_UNKNOWN32: Final = 0xFFFFFFFF
_ENCRYPTED: Final = 0x2041  # encrypted, strongly encrypted, or with masked headers
_DESCRIPTOR: Final = 0x8
_UNIX_CREATORS: Final = frozenset({3, 19})
_DOS_CREATORS: Final = frozenset({0, 11, 14})
_DOS_FOLDER: Final = 0x10
_DOS_READ_ONLY: Final = 0x01


class ArchiveMember(Struct, frozen=True, kw_only=True):
    """One entry of the central directory. Sizes and offsets are in bytes and unchecked."""

    name: bytes
    creator: int
    """The number of the system that made it; it tells how to read `attributes`."""
    flags: int
    method: int
    crc: int
    compressed_size: int
    size: int
    attributes: int
    header_offset: int

    @property
    def encrypted(self) -> bool:
        """Whether its content is said to be encrypted."""
        return bool(self.flags & _ENCRYPTED)

    @property
    def has_descriptor(self) -> bool:
        """Whether sizes and checksum follow the data, so that the local header may lack them."""
        return bool(self.flags & _DESCRIPTOR)

    @property
    def names_a_folder(self) -> bool:
        """Whether the name alone makes it a folder, for every reader."""
        return self.name.endswith(b"/")

    @property
    def unix_mode(self) -> int | None:
        """Type and permissions, where the system that made it has such."""
        return self.attributes >> 16 if self.creator in _UNIX_CREATORS else None

    @property
    def permissions(self) -> int:
        """What extraction lets be done with a file of it, as in Go; special bits are left out."""
        if self.unix_mode is not None:
            return self.unix_mode & 0o777
        if self.creator in _DOS_CREATORS:
            return 0o444 if self.attributes & _DOS_READ_ONLY else 0o666
        return 0

    @property
    def is_folder(self) -> bool:
        """Whether extraction makes a folder of it: by its name or by its mode, as in Go."""
        if self.names_a_folder:
            return True
        if self.unix_mode is not None:
            return stat.S_ISDIR(self.unix_mode)
        return self.creator in _DOS_CREATORS and bool(self.attributes & _DOS_FOLDER)


def read_directory(file: int, end: EndRecord) -> tuple[ArchiveMember, ...]:
    """Read the members that the central directory lists, in its order.

    The directory must hold exactly as many entries as the end record says, in exactly as many bytes. Raises
    ArchiveError otherwise.
    """
    data = os.pread(file, end.directory_size, end.directory_start)
    members = tuple(_entries(data, end.members))
    if len(members) != end.members:
        raise ArchiveError(
            f"its end record announces {end.members} members, its central directory has {len(members)}",
            code=ArchiveFault.DIRECTORY_COUNT,
        )
    return members


def _entries(data: bytes, announced: int) -> Iterator[ArchiveMember]:
    at = 0
    for _ in range(announced):
        if at == len(data):
            return
        if len(data) - at < _CENTRAL_FORM.size or data[at : at + 4] != _CENTRAL:
            raise ArchiveError("its central directory is damaged", code=ArchiveFault.DIRECTORY_DAMAGED)
        member, at = _entry(data, at)
        yield member
    if at != len(data):
        raise ArchiveError("its central directory holds more than its members", code=ArchiveFault.DIRECTORY_COUNT)


def _entry(data: bytes, at: int) -> tuple[ArchiveMember, int]:
    fields = _CENTRAL_FORM.unpack_from(data, at)
    _, made_by, _, flags, method, _, _, crc, compressed, size, name_length, extra_length, comment_length, *rest = fields
    _, _, attributes, offset = rest
    name_at = at + _CENTRAL_FORM.size
    extra_at = name_at + name_length
    after = extra_at + extra_length + comment_length
    if after > len(data):
        raise ArchiveError("its central directory is cut off", code=ArchiveFault.DIRECTORY_DAMAGED)
    name = data[name_at:extra_at]
    size, compressed, offset = zip64_values(data[extra_at : extra_at + extra_length], (size, compressed, offset), name)
    return ArchiveMember(
        name=name,
        creator=made_by >> 8,
        flags=flags,
        method=method,
        crc=crc,
        compressed_size=compressed,
        size=size,
        attributes=attributes,
        header_offset=offset,
    ), after


def zip64_values(extra: bytes, values: tuple[int, int, int], name: bytes) -> tuple[int, int, int]:
    """Size, compressed size and offset, each taken from the Zip64 extra field where its 32 bits are all ones.

    As in Go, a size of all ones without such a field is taken at its word. Raises ArchiveError when another one lacks.
    """
    found = list(values)
    missing = [index for index, value in enumerate(values) if value == _UNKNOWN32]
    at = 0
    while missing and len(extra) - at >= 4:
        tag, length = struct.unpack_from("<2H", extra, at)
        field = extra[at + 4 : at + 4 + length]
        if len(field) < length:
            break
        at += 4 + length
        if tag != _ZIP64_EXTRA:
            continue
        if len(field) < 8 * len(missing):
            raise ArchiveError(f"the Zip64 field of “{shown(name)}” is too short", code=ArchiveFault.DIRECTORY_DAMAGED)
        for place, index in enumerate(missing):
            found[index] = struct.unpack_from("<Q", field, 8 * place)[0]
        missing = []
    if missing and missing != [0]:
        raise ArchiveError(f"the Zip64 field of “{shown(name)}” is missing", code=ArchiveFault.DIRECTORY_DAMAGED)
    size, compressed, offset = found
    return size, compressed, offset

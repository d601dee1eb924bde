"""Reads tar streams strictly, entry by entry, with what the files in them hold. Nothing is put anywhere here.

Formats: POSIX ustar and pax, and GNU tar's long names, as the tools that build container images write them. Whatever
two readers could understand differently is an error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.archives.oddities import shown
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError

_BLOCK: Final = 512
_MAX_EXTENSION: Final = 1024 * 1024
"""Bytes of a long name or of a pax header."""
_MAX_NAME: Final = 4096
_PIECE: Final = 1024 * 1024
_REGULAR: Final = frozenset({b"0", b"\0", b"7"})
_HINT: Final = "ask who made it"


class MemberKind(StrEnum):
    """What an entry is. Anything else that tar knows is an error."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "symbolic link"
    HARD_LINK = "hard link"


_KINDS: Final = {b"1": MemberKind.HARD_LINK, b"2": MemberKind.LINK, b"5": MemberKind.FOLDER}


class TarEntry(Struct, frozen=True, kw_only=True):
    """One entry."""

    name: bytes
    """As stored."""
    kind: MemberKind
    target: bytes = b""
    """What a link points at, as stored."""
    mode: int = 0
    """As stored: permissions, and with some writers the kind once more."""
    digest: bytes = b""
    """SHA-256 of a file's content, where it was hashed."""


class TarSource(Protocol):
    """A stream of bytes."""

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, or fewer at the end of the stream."""
        ...


@dataclass(slots=True, kw_only=True)
class _Extension:
    """What precedes an entry and changes it."""

    name: bytes | None = None
    target: bytes | None = None
    size: int | None = None


def entries_of(source: TarSource) -> Iterator[TarEntry]:
    """The entries up to the end of the archive, hashed. Raises ArchiveError as `members_of` does."""
    for entry, content in members_of(source):
        if entry.kind is not MemberKind.FILE:
            yield entry
            continue
        digest = hashlib.sha256()
        for piece in content:
            digest.update(piece)
        yield replace(entry, digest=digest.digest())


def members_of(source: TarSource) -> Iterator[tuple[TarEntry, Iterator[bytes]]]:
    """The entries up to the end of the archive, each with its content in pieces, which go with the next entry.

    Raises ArchiveError for what is no tar, cut off, or ambiguous.
    """
    extension = _Extension()
    while (header := _header(source)) is not None:
        kind = header[156:157]
        size = _number(header[124:136])
        if kind == b"x":
            _apply_pax(_extension(source, size), extension)
        elif kind == b"g":
            _check_global(_extension(source, size))
        elif kind == b"L":
            extension.name = _extension(source, size).rstrip(b"\0")
        elif kind == b"K":
            extension.target = _extension(source, size).rstrip(b"\0")
        else:
            entry = _entry(header, extension)
            length = size if extension.size is None else extension.size
            content = _content(source, length if entry.kind is MemberKind.FILE else 0, entry.name)
            yield entry, content
            for _ in content:
                pass  # whatever was not asked for
            extension = _Extension()
    if extension != _Extension():
        raise _broken("it ends after a header that belongs to another entry")


def _header(source: TarSource) -> bytes | None:
    """The next header, or None at the end of the archive."""
    block = source.read(_BLOCK)
    if not block or not block.strip(b"\0"):
        return None
    if len(block) < _BLOCK:
        raise _broken("it is cut off in a header")
    stated = _number(block[148:156])
    bare = block[:148] + b" " * 8 + block[156:]
    if stated != sum(bare) and stated != sum(byte - 256 if byte > 127 else byte for byte in bare):
        raise _broken("the checksum of a header is wrong")
    return block


def _entry(header: bytes, extension: _Extension) -> TarEntry:
    name = _name(header) if extension.name is None else extension.name
    letter = header[156:157]
    target = _text(header[157:257]) if extension.target is None else extension.target
    if max(len(name), len(target)) > _MAX_NAME:
        raise _broken(f"a name in it is longer than {_MAX_NAME} bytes")
    mode = _number(header[100:108])
    if letter in _KINDS:
        # Such an entry has no content, whatever size its header gives.
        return TarEntry(name=name, kind=_KINDS[letter], target=target, mode=mode)
    if letter not in _REGULAR:
        raise ArchiveError(
            f"“{shown(name)}” is neither a file nor a folder nor a link", code=ArchiveFault.SPECIAL_FILE, hint=_HINT
        )
    folder = letter == b"\0" and name.endswith(b"/")
    return TarEntry(name=name, kind=MemberKind.FOLDER if folder else MemberKind.FILE, mode=mode)


def _content(source: TarSource, size: int, name: bytes) -> Iterator[bytes]:
    left = size
    while left:
        piece = source.read(min(left, _PIECE))
        if not piece:
            raise _broken(f"it is cut off in “{shown(name)}”")
        yield piece
        left -= len(piece)
    _skip_padding(source, size)


def _extension(source: TarSource, size: int) -> bytes:
    if size > _MAX_EXTENSION:
        raise _broken(f"it has a header of {size} bytes; the limit is {_MAX_EXTENSION}")
    data = source.read(size)
    if len(data) < size:
        raise _broken("it is cut off in a header")
    _skip_padding(source, size)
    return data


def _skip_padding(source: TarSource, size: int) -> None:
    padding = -size % _BLOCK
    if len(source.read(padding)) < padding:
        raise _broken("it is cut off after the content of a file")


def _name(header: bytes) -> bytes:
    name = _text(header[:100])
    prefix = _text(header[345:500]) if header[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    """A number in octal digits, or in binary as GNU tar writes large ones."""
    if field[0] & 0x80:
        if field[0] & 0x40:
            raise _broken("a header holds a negative number")
        return int.from_bytes(bytes([field[0] & 0x3F]) + field[1:], "big")
    digits = field.strip(b" \0")
    if digits.strip(b"01234567"):
        raise _broken("a header holds a number that is none")
    return int(digits or b"0", 8)


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The records of a pax header, `LENGTH NAME=VALUE` and a line feed each."""
    at = 0
    while at < len(data):
        length_text, space, _ = data[at : at + 20].partition(b" ")
        if not space or not length_text.isdigit():
            raise _broken("a pax header cannot be read")
        end = at + int(length_text)
        record = data[at + len(length_text) + 1 : end]
        name, equals, value = record[:-1].partition(b"=")
        if end > len(data) or not record.endswith(b"\n") or not equals or not name:
            raise _broken("a pax header cannot be read")
        yield name, value
        at = end


def _apply_pax(data: bytes, extension: _Extension) -> None:
    for name, value in _records(data):
        _refuse_sparse(name)
        if name == b"path":
            extension.name = value
        elif name == b"linkpath":
            extension.target = value
        elif name == b"size":
            if not value.isdigit() or len(value) > 19:
                raise _broken("a pax header holds a size that is none")
            extension.size = int(value)


def _check_global(data: bytes) -> None:
    """A header for all entries may hold remarks, not names or sizes, over which readers disagree."""
    for name, _ in _records(data):
        _refuse_sparse(name)
        if name in {b"path", b"linkpath", b"size"}:
            raise _broken("a header for all entries sets their name or size")


def _refuse_sparse(name: bytes) -> None:
    if name.startswith(b"GNU.sparse."):
        raise _broken("it holds a sparse file, which readers understand differently")


def _broken(why: str) -> ArchiveError:
    return ArchiveError(f"it is no tar archive that can be read: {why}", code=ArchiveFault.BROKEN_TAR, hint=_HINT)

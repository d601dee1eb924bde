"""The difference between two packages, of a module or of a provider, file by file: what somebody looks at before they
accept another one.

Whoever made the packages chose every byte of it. So it has limits, says what it leaves out, and whoever shows its lines
reveals them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from msgspec import Struct

MAX_TEXT: Final = 256 * 1024
"""Bytes of one file whose text is compared."""
_MAX_LINE: Final = 400
"""Characters of one line that is shown."""
_MAX_LINES: Final = 500
"""Lines that are shown of one file."""
MAX_ALL_LINES: Final = 5_000
"""Lines that are shown of all files together."""
MAX_FILES: Final = 1_000
"""Files that are shown; the others are counted."""
_CONTEXT: Final = 3
_MOST_PAIRS: Final = 1_000_000
"""Pairs of lines of one file that are compared; of more, all of the old lines go and all of the new ones come."""
_ALL_PAIRS: Final = 10_000_000
"""As `_MOST_PAIRS`, of all files together: some seconds."""


@dataclass(slots=True)
class _Room:
    """What may still be shown, and compared."""

    lines: int = MAX_ALL_LINES
    pairs: int = _ALL_PAIRS


class PackageFile(Struct, frozen=True, kw_only=True):
    """One file of a package."""

    digest: str
    """SHA-256, in hexadecimal digits."""
    size: int | None = None
    """Bytes; None where only the digest is known."""
    content: bytes | None = None
    """None where it is larger than `MAX_TEXT`, or only the digest is known."""
    mode: int | None = None
    """Permissions; None where they are no part of the package."""
    program: str = ""
    """What runs it, such as `ELF x86-64`, of the program that a provider is; empty for any other file."""

    @classmethod
    def of(cls, content: bytes) -> PackageFile:
        """A file with these bytes."""
        kept = content if len(content) <= MAX_TEXT else None
        return cls(digest=hashlib.sha256(content).hexdigest(), size=len(content), content=kept)


class PackageTree(Struct, frozen=True, kw_only=True):
    """A package, as somebody calls it, with its files by their paths."""

    name: str
    files: Mapping[str, PackageFile]

    @property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 by paths."""
        return {path: each.digest for path, each in self.files.items()}


class FileChange(StrEnum):
    """What becomes of a file."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MODE_CHANGED = "mode changed"
    """Its bytes are the same."""


class FileDiff(Struct, frozen=True, kw_only=True):
    """One file that is not in both packages, or not the same in both."""

    path: str
    change: FileChange
    before: PackageFile | None
    after: PackageFile | None
    lines: tuple[str, ...] = ()
    """A unified diff without its head, each line cut to what can be shown; not yet safe for a terminal."""
    not_shown: str = ""
    """Why there are no lines, or not all; a clause, empty where all are there."""


class PackageDiff(Struct, frozen=True, kw_only=True):
    """How one package differs from another."""

    before: str
    """What the first is called."""
    after: str
    files: tuple[FileDiff, ...]
    """By their paths."""
    alike: int
    """How many files are the same in both."""
    left_out: int = 0
    """How many more files differ than are in `files`."""


def package_diff(before: PackageTree, after: PackageTree) -> PackageDiff:
    """Compare two packages. Files whose digests are equal are equal; of the others, texts are compared by lines."""
    paths = sorted(before.files.keys() | after.files.keys())
    differing = [path for path in paths if not _same(before.files.get(path), after.files.get(path))]
    room = _Room()
    files = [_of_file(path, before.files.get(path), after.files.get(path), room) for path in differing[:MAX_FILES]]
    return PackageDiff(
        before=before.name,
        after=after.name,
        files=tuple(files),
        alike=len(paths) - len(differing),
        left_out=len(differing) - len(files),
    )


def _same(before: PackageFile | None, after: PackageFile | None) -> bool:
    if before is None or after is None:
        return False
    return (before.digest, before.mode) == (after.digest, after.mode)


def _of_file(path: str, before: PackageFile | None, after: PackageFile | None, room: _Room) -> FileDiff:
    change = FileChange.CHANGED
    if before is None or after is None:
        change = FileChange.ADDED if before is None else FileChange.REMOVED
    elif before.digest == after.digest:
        return FileDiff(path=path, change=FileChange.MODE_CHANGED, before=before, after=after)
    lines, why = _lines(before, after, room)
    return FileDiff(path=path, change=change, before=before, after=after, lines=lines, not_shown=why)


def _lines(before: PackageFile | None, after: PackageFile | None, room: _Room) -> tuple[tuple[str, ...], str]:
    """The lines that are shown, and why they are not all."""
    texts: list[list[str]] = []
    for each in (before, after):
        if each is not None and each.content is None:
            return (), "its text is not known any more" if each.size is None else "it is too large"
        text = [] if each is None or each.content is None else _text(each.content)
        if text is None:
            return (), "it is no text"
        texts.append(text)
    if room.lines <= 0:
        return (), "there are more lines than are shown"
    old, new = texts
    found = [_shown(line) for line in _unified(old, new, room)]
    kept = tuple(found[: min(_MAX_LINES, room.lines)])
    room.lines -= len(kept)
    more = len(found) - len(kept)
    return kept, f"{more} more lines are not shown" if more else ""


def _text(content: bytes) -> list[str] | None:
    """The lines of a text, None for what is none. A last one without a line feed has one here, which no other has."""
    if b"\0" in content:
        return None
    try:
        lines = content.decode().split("\n")
    except UnicodeDecodeError:
        return None
    end = lines.pop()
    return [*lines, f"{end}\n"] if end else lines


def _unified(before: list[str], after: list[str], room: _Room) -> list[str]:
    import difflib  # few commands need it

    pairs = len(before) * len(after)
    if pairs > min(_MOST_PAIRS, room.pairs):
        return [*(f"-{line}" for line in before), *(f"+{line}" for line in after)]
    room.pairs -= pairs
    return list(difflib.unified_diff(before, after, n=_CONTEXT, lineterm=""))[2:]


def _shown(line: str) -> str:
    line = line.replace("\n", " (no line feed at the end)")
    return line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]}… ({len(line) - _MAX_LINE} more characters)"

"""Where in the bytes of a metadata file the values of each target stand, so that some can be replaced.

The bytes are JSON already; what is refused here are files that two readers could understand differently.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.registry_metadata.canonical import FILE_KEYS, TARGET_KEYS, VERSION_KEYS
from lockwarden.core.values.errors import MetadataError

_TOKEN: Final = re.compile(rb'[ \t\n\r]*("(?:[^"\\]|\\.)*"|[{}\[\],:]|[^ \t\n\r{}\[\],:"]+)', re.DOTALL)


class Member(Struct, frozen=True, kw_only=True):
    """One member of an object: offsets in the file."""

    before: int
    """Where the brace or the comma before it ends."""
    start: int
    """Where its name begins."""
    after_name: int
    """Where its name ends."""
    value: int
    """Where its value begins."""
    end: int


class TargetSpans(Struct, frozen=True, kw_only=True):
    """The members of one target by their names."""

    line: int
    """Where it begins, from 1."""
    members: dict[str, Member]


class VersionSpans(Struct, frozen=True, kw_only=True):
    """One version."""

    line: int
    targets: tuple[TargetSpans, ...]


def spans_of(data: bytes, path: str) -> tuple[VersionSpans, ...]:
    """The targets of each version, in the order of the file, which can be read as a metadata file.

    Raises MetadataError where an object has a name twice, also in another case, or one of the registry's in another
    case: Go minds no case, and takes the last of them.
    """
    return _Scanner(data, path).versions()


class _Scanner:
    def __init__(self, data: bytes, path: str) -> None:
        self._data = data
        self._path = path
        self._at = 0
        self._start = 0
        """Where the token begins that was read last."""
        self._line, self._counted = 1, 0

    def versions(self) -> tuple[VersionSpans, ...]:
        found: list[VersionSpans] = []
        self._next()
        for name, member in self._members(FILE_KEYS):
            if name == "versions":
                found = [self._version() for _ in self._elements(member)]
            else:
                self._skip()
        return tuple(found)

    def _version(self) -> VersionSpans:
        line = self._line_at(self._start)
        targets: list[TargetSpans] = []
        for name, member in self._members(VERSION_KEYS):
            if name == "targets":
                targets = [self._target() for _ in self._elements(member)]
            else:
                self._skip()
        return VersionSpans(line=line, targets=tuple(targets))

    def _target(self) -> TargetSpans:
        line = self._line_at(self._start)
        members = {}
        for name, member in self._members(TARGET_KEYS):
            self._skip()
            members[name] = msgspec.structs.replace(member, end=self._at)
        return TargetSpans(line=line, members=members)

    def _members(self, known: Collection[str]) -> Iterator[tuple[str, Member]]:
        """The members of the object whose brace was just read; its value begins with the token that was read last."""
        names: set[str] = set()
        while True:
            before = self._at
            token = self._next()
            if token == b"}":
                return
            if token == b",":
                continue
            name = str(msgspec.json.decode(token))
            start, after = self._start, self._at
            folded = name.casefold()  # as Go compares names: to it, U+017F is an s
            doubt = "stands twice in one object" if folded in names else ""
            if not doubt and folded in known and name not in known:
                doubt = f"is “{folded}” to the registry's tools, which mind no case"
            if doubt:
                raise MetadataError(
                    f"{self._path}:{self._line_at(start)}: “{name[:80]}” {doubt}, so readers may differ in what it"
                    " says",
                    hint="have whoever wrote the file correct it; nothing is written into it",
                )
            names.add(folded)
            self._next()
            self._next()
            yield name, Member(before=before, start=start, after_name=after, value=self._start, end=self._at)

    def _elements(self, member: Member) -> Iterator[None]:
        """Stop at the first token of each element of a list; `null` has none."""
        if self._data[member.value : member.end] != b"[":
            return
        while (token := self._next()) != b"]":
            if token != b",":
                yield

    def _skip(self) -> None:
        """Go to the end of the value whose first token was read last."""
        depth = 0
        token = self._data[self._start : self._at]
        while True:
            depth += (token in {b"{", b"["}) - (token in {b"}", b"]"})
            if depth == 0:
                return
            token = self._next()

    def _next(self) -> bytes:
        match = _TOKEN.match(self._data, self._at)
        if match is None:
            raise MetadataError(f"{self._path} ends within an object")
        self._start, self._at = match.span(1)
        return match[1]

    def _line_at(self, offset: int) -> int:
        """The line of an offset that is not before the last one that was asked for."""
        self._line += self._data.count(b"\n", self._counted, offset)
        self._counted = offset
        return self._line

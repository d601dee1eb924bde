"""Fills hashes and sizes into a metadata file, as text: the rest stays byte for byte, and nothing
that is there is ever written over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from lockwarden.core.registry_metadata.canonical import is_canonical
from lockwarden.core.registry_metadata.model import EMPTY_H1
from lockwarden.core.registry_metadata.spans import Member, TargetSpans, spans_of
from lockwarden.core.values.errors import MetadataEditError
from lockwarden.core.values.hashes import Hash

_UNFILLED_H1 = frozenset({b'""', b"null"})
_UNFILLED_SIZE = frozenset({b"0", b"null"})


class Fill(Struct, frozen=True, kw_only=True):
    """What one target gets."""

    version: int
    """Its place in the list of versions."""
    target: int
    """Its place in the version's list of targets."""
    h1: str
    size: int


class _Edit(Struct, frozen=True):
    start: int
    end: int
    text: bytes


def filled(data: bytes, fills: Sequence[Fill], *, path: str, every_target: bool = False) -> bytes:
    """The bytes of the file with the fills.

    With `every_target`, each other target gets both keys as well, with the values that mean “not filled”, as the
    registry's own tools write them.

    Raises MetadataError for a file whose places cannot be told without doubt. Raises MetadataEditError where a fill
    would replace a value, or where the result, read again, says anything beside the fills.
    """
    canonical = is_canonical(data)
    if every_target and not canonical:
        raise MetadataEditError(
            f"{path} is not in the form that the registry's tools write, so it cannot be written in that form",
            hint="fill it without --mode canonical: then the rest of it stays as it is",
        )
    wanted = {(fill.version, fill.target): fill for fill in fills}
    edits: list[_Edit] = []
    for place, version in enumerate(spans_of(data, path)):
        for at, target in enumerate(version.targets):
            fill = wanted.pop((place, at), None)
            if fill is not None or every_target:
                edits += _edits(data, target, fill, path)
    if wanted:
        raise MetadataEditError(f"{path} has no target for {len(wanted)} of the values that were to be filled in")
    new = _applied(data, edits)
    _check(data, new, fills, path, canonical=canonical)
    return new


def _edits(data: bytes, target: TargetSpans, fill: Fill | None, path: str) -> Iterator[_Edit]:
    members = target.members
    if fill is not None and (fill.h1 == EMPTY_H1 or not Hash(fill.h1).usable or fill.size <= 0):
        raise MetadataEditError(f"{path}:{target.line}: nothing that is no value of a package is filled in")
    h1 = b'""' if fill is None else msgspec.json.encode(fill.h1)
    size = b"0" if fill is None else b"%d" % fill.size
    shasum = members.get("shasum")
    if shasum is None:
        raise MetadataEditError(f"{path}:{target.line}: the target has no shasum to fill anything in for")
    after = shasum
    missing: list[tuple[bytes, bytes]] = []
    if (member := members.get("h1")) is not None:
        after = member
        if fill is not None:
            yield from _replaced(data, member, h1, _UNFILLED_H1, f"{path}:{target.line}: its h1")
    else:
        missing.append((b'"h1"', h1))
    if (member := members.get("size")) is not None:
        if fill is not None:
            yield from _replaced(data, member, size, _UNFILLED_SIZE, f"{path}:{target.line}: its size")
    else:
        missing.append((b'"size"', size))
    if missing:
        yield _Edit(after.end, after.end, b"".join(_inserted(data, shasum, name, value) for name, value in missing))


def _replaced(data: bytes, member: Member, value: bytes, unfilled: frozenset[bytes], what: str) -> Iterator[_Edit]:
    there = data[member.value : member.end]
    if there == value:
        return
    if there not in unfilled:
        raise MetadataEditError(f"{what} is filled already, with another value; nothing is ever replaced")
    yield _Edit(member.value, member.end, value)


def _inserted(data: bytes, like: Member, name: bytes, value: bytes) -> bytes:
    """A member as the neighbour is written: with the same blanks before it and around its colon."""
    return b"," + data[like.before : like.start] + name + data[like.after_name : like.value] + value


def _applied(data: bytes, edits: Sequence[_Edit]) -> bytes:
    parts = []
    at = 0
    for edit in sorted(edits, key=lambda each: each.start):
        parts += [data[at : edit.start], edit.text]
        at = edit.end
    return b"".join((*parts, data[at:]))


def _check(old: bytes, new: bytes, fills: Sequence[Fill], path: str, *, canonical: bool) -> None:
    """Raise MetadataEditError unless the fills are all that the new bytes say beyond the old ones."""
    before, after = msgspec.json.decode(old), msgspec.json.decode(new)
    wanted = {(fill.version, fill.target): fill for fill in fills}
    for place, target in _targets(after):
        fill = wanted.get(place)
        if fill is not None and (target.get("h1"), target.get("size")) != (fill.h1, fill.size):
            raise MetadataEditError(f"{path} would not say what was to be filled in")
    if _without(before, wanted) != _without(after, wanted) or (canonical and not is_canonical(new)):
        raise MetadataEditError(f"{path} would say more than what was to be filled in")


def _targets(document: Any) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    for place, version in enumerate(document.get("versions") or ()):
        for at, target in enumerate(version.get("targets") or ()):
            yield (place, at), target


def _without(document: Any, wanted: Mapping[tuple[int, int], Fill]) -> Any:
    """The document without the values that are filled; a value for “not filled” and none are the same."""
    for place, target in _targets(document):
        for name in ("h1", "size"):
            if place in wanted or not target.get(name):
                target.pop(name, None)
    return document

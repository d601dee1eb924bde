"""Which files git tracks, which a commit has, and what the index has of one that a merge could not merge.

One run of git each, however many files there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.objects import kind_of, read_object
from lockwarden.core.git.program import Git

_LINE: Final = re.compile(rb"(?:([A-Za-z?]) )?([0-7]{6}) (?:[a-z]+ )?([0-9a-f]+)(?: ([0-3]))?\t(.+)", re.DOTALL)
_KEPT_BYTES: Final = 64 * 1024 * 1024
"""Bytes of listings that are kept for those who ask again."""
_MOST_KEPT: Final = 4
"""Listings, and bytes of each, that are remembered by their commit: both ends of a change, HEAD, one more."""
_NOT_CHECKED_OUT: Final = b"S"
"""How `ls-files -t` marks what a sparse checkout leaves out."""


BASE: Final = 1
"""The stage of the common ancestor in git's index; those of the sides follow."""
OURS: Final = 2
THEIRS: Final = 3
"""Git's numbers of the stages; the base locks nothing."""
_UNMERGED: Final = re.compile(rb"([0-7]{6}) ([0-9a-f]+) ([1-3])\t(.+)", re.DOTALL)


class Listed(Struct, frozen=True, kw_only=True):
    """One file, link or submodule."""

    path: bytes
    """Relative to the root of the working tree, with slashes."""
    kind: ObjectKind
    id: str
    checked_out: bool = True
    """False when git was told to keep it off the disk, as in a sparse checkout."""


def tracked(git: Git, wanted: Callable[[bytes], bool]) -> tuple[Listed, ...]:
    """What the index has of the files whose path is `wanted`, and all links and submodules. Raises GitError."""
    printed = git.tell("ls-files", "-z", "--stage", "-t", doing="list the files that are tracked")
    return tuple(_listed(printed, wanted))


def files_of(git: Git, commit: str, wanted: Callable[[bytes], bool]) -> tuple[Listed, ...]:
    """The same of a commit with a full id. Raises GitError."""
    return tuple(_listed(listing_of(git, commit, doing=f"list the files of {commit[:12]}"), wanted))


def listing_of(git: Git, commit: str, *, doing: str) -> bytes:
    """What `ls-tree` lists of all files of a commit with a full id, each ended by a NUL. Raises GitError.

    It is kept for the few commits that a base stands for, unless it is huge.
    """
    known = git.listings.get(commit)
    if known is None:
        known = git.tell("ls-tree", "-r", "-z", "--full-tree", commit, doing=doing)
        if len(known) <= _KEPT_BYTES and len(git.listings) < _MOST_KEPT:
            git.listings[commit] = known
    return known


def _listed(printed: bytes, wanted: Callable[[bytes], bool]) -> Iterator[Listed]:
    for line in _lines(printed):
        match = _LINE.fullmatch(line)
        kind = None if match is None else kind_of(int(match[2], 8))
        if match is not None and kind is not None and (kind is not ObjectKind.FILE or wanted(match[5])):
            checked_out = match[1] != _NOT_CHECKED_OUT
            yield Listed(path=match[5], kind=kind, id=match[3].decode(), checked_out=checked_out)


def _lines(printed: bytes) -> Iterable[bytes]:
    return printed.split(b"\0")


def unmerged(git: Git, places: Collection[bytes]) -> Mapping[int, bytes]:
    """The bytes of the stages that the index has of a file, by number; none of one that is merged.

    `places` are its paths in the tree; the first that is unmerged counts. A stage that is a link or a submodule is left
    out. Raises GitError.
    """
    doing = "list what is not merged"
    found: dict[bytes, dict[int, str]] = {}
    for line in git.tell("ls-files", "--unmerged", "-z", doing=doing).split(b"\0"):
        match = _UNMERGED.fullmatch(line)
        if match is not None and match[4] in places and kind_of(int(match[1], 8)) is ObjectKind.FILE:
            found.setdefault(match[4], {})[int(match[3])] = match[2].decode()
    stages = next((found[each] for each in places if each in found), {})
    return {
        number: read_object(git, id_, "blob", limit=git.limits.file_bytes, doing="read a side of the merge")
        for number, id_ in stages.items()
        if number != BASE
    }

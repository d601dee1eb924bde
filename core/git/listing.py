"""Which files git tracks, and which a commit has: one run of git each, however many there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.objects import kind_of
from lockwarden.core.git.program import Git

_LINE: Final = re.compile(rb"(?:([A-Za-z?]) )?([0-7]{6}) (?:[a-z]+ )?([0-9a-f]+)(?: ([0-3]))?\t(.+)", re.DOTALL)
_KEPT_BYTES: Final = 64 * 1024 * 1024
"""Bytes of listings that are kept for those who ask again."""
_MOST_KEPT: Final = 4
"""Listings, and bytes of each, that are remembered by their commit: both ends of a change, HEAD, one more."""
_NOT_CHECKED_OUT: Final = b"S"
"""How `ls-files -t` marks what a sparse checkout leaves out."""


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

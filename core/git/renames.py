"""Where a file was before it was renamed, told from the contents at both ends.

A file of the older revision counts when it is gone now and either has the same bytes, or the same name in another
folder and at least half its lines. git's own search would read the working tree, and with it run filters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import takewhile
from typing import Final

from msgspec import Struct

from lockwarden.core.git.failures import missing
from lockwarden.core.git.listing import listing_of
from lockwarden.core.git.objects import object_id, read_object, sizes
from lockwarden.core.git.program import Git
from lockwarden.core.values.line_ends import with_line_feeds

LEAST_SIMILARITY: Final = 0.5
"""Share of the larger file's bytes that stand in lines of both; git's own measure and default."""
_CANDIDATE_BYTES: Final = 64 * 1024 * 1024
"""Of all files together whose content is compared."""
_REGULAR: Final = (b"100644 blob ", b"100755 blob ", b"100664 blob ")
"""How `ls-tree` begins the line of a regular file; its id, a tab and its path follow."""
_HEAD: Final = 12
"""Length of each of these."""


class _Candidate(Struct, frozen=True, kw_only=True):
    """A file of the older revision."""

    path: bytes
    id: str


def source_of(
    git: Git, commit: str, path: bytes, now: bytes, *, still_there: Callable[[Collection[bytes]], Collection[bytes]]
) -> bytes | None:
    """The path, at a commit with a full id, of the file that stands at `path` today with the bytes `now`.

    `still_there` says which of some paths of that commit exist today: those were not renamed. None when no file is
    like it. A guess from what both files say, as all renames in git are: show the old path with the result. Raises
    GitError.
    """
    doing = f"look for a renamed file at {commit[:12]}"
    same_bytes = {object_id("blob", data, like=commit) for data in (now, with_line_feeds(now))} if now else set()
    candidates = _files(git, commit, names={_name(path)}, ids=same_bytes, doing=doing)
    kept = still_there([each.path for each in candidates])
    gone = sorted(
        (each for each in candidates if each.path != path and each.path not in kept),
        key=lambda each: (each.id not in same_bytes, *_distance(each.path, path)),
    )
    if gone and gone[0].id in same_bytes:
        return gone[0].path
    return _most_similar(git, gone[: git.limits.candidates], now, doing)


def paths_at(git: Git, commit: str, paths: Collection[bytes]) -> set[bytes]:
    """Which of these paths are regular files at a commit. Raises GitError."""
    found = _files(git, commit, names={_name(path) for path in paths}, doing=f"list the files of {commit[:12]}")
    return {each.path for each in found}.intersection(paths)


def files_named(git: Git, commit: str, name: bytes) -> set[bytes]:
    """The paths of the regular files of a commit that have this name, in whatever folder. Raises GitError."""
    return {each.path for each in _files(git, commit, names={name}, doing=f"list the files of {commit[:12]}")}


def similarity(one: bytes, other: bytes) -> float:
    """Share of the larger text's bytes that stand in lines of both, from 0 to 1; line ends do not count."""
    left, right = (Counter(with_line_feeds(text).splitlines()) for text in (one, other))
    largest = max(_weight(left), _weight(right))
    return _weight(left & right) / largest if largest else 1.0


def _weight(lines: Counter[bytes]) -> int:
    return sum((len(line) + 1) * count for line, count in lines.items())


def _files(
    git: Git, commit: str, *, names: Collection[bytes], ids: Collection[str] = (), doing: str
) -> list[_Candidate]:
    """The regular files of a commit that have one of the names, in whatever folder, or one of the ids."""
    listing = listing_of(git, commit, doing=doing) if names else b""
    marks = [before + name + b"\0" for name in names for before in (b"/", b"\t")]
    lines = {line for mark in (*marks, *(f" {id_}\t".encode() for id_ in ids)) for line in _lines_with(listing, mark)}
    found = [
        _Candidate(path=path, id=head[_HEAD:].decode())
        for head, _, path in (line.partition(b"\t") for line in lines)
        if head.startswith(_REGULAR)
    ]
    return [each for each in found if _name(each.path) in names or each.id in ids]


def _lines_with(listing: bytes, mark: bytes) -> Iterator[bytes]:
    """The lines, each ended by a NUL, in which `mark` occurs. Repositories have many files and few lock files."""
    position = listing.find(mark)
    while position >= 0:
        end = listing.find(b"\0", position)
        yield listing[listing.rfind(b"\0", 0, position) + 1 : end]
        position = listing.find(mark, end)


def _most_similar(git: Git, candidates: list[_Candidate], now: bytes, doing: str) -> bytes | None:
    """The likest of them, the first among equals."""
    best: tuple[float, bytes] | None = None
    budget = _CANDIDATE_BYTES
    known = sizes(git, [each.id for each in candidates], doing=doing) if candidates else []
    for candidate, size in zip(candidates, known, strict=True):
        if size is None:
            raise missing(doing)
        if not _comparable(size[1], len(now)) or size[1] > budget:
            continue
        budget -= size[1]
        data = read_object(git, candidate.id, "blob", limit=size[1], doing=doing)
        share = similarity(data, now)
        if share >= LEAST_SIMILARITY and (best is None or share > best[0]):
            best = share, candidate.path
    return None if best is None else best[1]


def _comparable(one: int, other: int) -> bool:
    """Whether texts of these sizes can be alike enough, with room for other line ends."""
    return max(one, other) * LEAST_SIMILARITY <= min(one, other) * 2


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _distance(one: bytes, other: bytes) -> tuple[int, int, bytes]:
    """Orders paths by how much of the end, then of the beginning, they share with another."""
    parts, others = one.split(b"/"), other.split(b"/")
    return -_shared(parts[::-1], others[::-1]), -_shared(parts, others), one


def _shared(parts: list[bytes], others: list[bytes]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(parts, others, strict=False)))

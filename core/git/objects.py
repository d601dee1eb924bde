"""Reads git's objects raw, by id only, and checks each against its id.

No path is ever given to git here, and none of the repository's settings has a say in what an object's bytes are. As
each id is a digest of the bytes, a file that was reached from a commit is what that commit says, or an error.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.git.failures import missing, refusal
from lockwarden.core.git.model import Entry, ObjectKind
from lockwarden.core.git.program import Git
from lockwarden.core.git.running import GitOutput
from lockwarden.core.values.errors import GitError

OBJECT_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""40 digits of SHA-1 or 64 of SHA-256, by the repository's format."""
_SHA1_DIGITS: Final = 40
"""Digits of a SHA-1 id; one of SHA-256 has 64."""
_DAMAGED: Final = "git fsck tells what else is damaged; a fresh clone has the object again"
_TREE_ENTRY: Final = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0")
_REGULAR: Final = frozenset((0o100644, 0o100755, 0o100664))
_SYMLINK: Final = 0o120000
_SUBMODULE: Final = 0o160000
_FOLDER: Final = 0o040000
_MOST_KNOWN: Final = 2_000
"""Folders, and small objects, that are remembered by their id."""
_SMALL: Final = 16 * 1024
"""Bytes of an object that is remembered."""


def object_id(kind: str, data: bytes, *, like: str) -> str:
    """The id that git gives to these bytes, in the repository that the id `like` comes from."""
    name = "sha1" if len(like) == _SHA1_DIGITS else "sha256"
    digest = hashlib.new(name, b"%s %d\0" % (kind.encode(), len(data)), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def sizes(git: Git, ids: Sequence[str], *, doing: str) -> list[tuple[str, int] | None]:
    """Kind and size of each object; None for one that is not there or damaged beyond that. Raises GitError."""
    found, complaint = git.reader.look_up(git, ids, doing=doing)
    if "error:" in complaint or "fatal:" in complaint:
        raise refusal(GitOutput(exit_code=0, printed=b"", complaint=complaint), doing=doing, folder=git.folder)
    return [None if each is None else (each.kind, each.size) for each in found]


def object_named(git: Git, name: str, *, doing: str) -> str:
    """The full id of the object that a name stands for by git's rules; empty when there is none. Raises GitError."""
    (found,), _ = git.reader.look_up(git, [name], doing=doing)
    return "" if found is None or OBJECT_ID.fullmatch(found.id) is None else found.id


def commit_of(git: Git, name: str, *, doing: str) -> str:
    """The full id of the commit that a name stands for by git's rules; empty when that is none. Raises GitError."""
    return object_named(git, f"{name}^{{commit}}", doing=doing)


def read_object(git: Git, id_: str, kind: str, *, limit: int, doing: str) -> bytes:
    """The bytes of one object (`blob`, `tree`, `commit`) of at most `limit` bytes.

    Raises GitError when it is not there, is another kind, is larger, or is damaged. Its size is asked first, so that a
    huge one is never unpacked. Small ones are remembered: an id stands for its bytes.
    """
    known = git.objects.get((kind, id_))
    if known is not None and len(known) <= limit:
        return known
    (found,) = sizes(git, [id_], doing=doing)
    if found is None:
        raise missing(doing)
    if found[0] != kind:
        raise GitError(f"git could not {doing}: {id_} is a {found[0]}, not a {kind}", code="damaged", hint=_DAMAGED)
    if found[1] > limit:
        raise too_large(doing, limit)
    data = git.reader.data_of(git, id_, at_most=found[1], doing=doing)
    if data is None or object_id(kind, data, like=id_) != id_:
        raise _damaged(doing)
    if len(data) <= _SMALL and len(git.objects) < _MOST_KNOWN:
        git.objects[kind, id_] = data
    return data


def too_large(doing: str, limit: int) -> GitError:
    """The error for an object past a limit, in bytes."""
    return GitError(
        f"git could not {doing}: it is larger than the limit of {limit} bytes",
        code="too-large",
        hint="a lock file rarely has more than a few hundred kilobytes; see what was committed there",
    )


def tree_of(git: Git, commit: str, *, doing: str) -> str:
    """The id of a commit's root folder. Raises GitError."""
    data = read_object(git, commit, "commit", limit=git.limits.object_bytes, doing=doing)
    word, _, rest = data.partition(b"\n")[0].partition(b" ")
    tree = rest.decode("ascii", "replace")
    if word != b"tree" or OBJECT_ID.fullmatch(tree) is None:
        raise _damaged(doing)
    return tree


def read_folder(git: Git, tree: str, *, doing: str) -> dict[bytes, Entry]:
    """What one folder holds, by name. Raises GitError."""
    known = git.folders.get(tree)
    if known is None:
        known = _folder(git, tree, doing=doing)
        if len(git.folders) < _MOST_KNOWN:
            git.folders[tree] = known
    return known


def _folder(git: Git, tree: str, *, doing: str) -> dict[bytes, Entry]:
    data = read_object(git, tree, "tree", limit=git.limits.object_bytes, doing=doing)
    entries: dict[bytes, Entry] = {}
    for name, entry in _entries(data, width=len(tree) // 2, doing=doing):
        if entries.setdefault(name, entry) is not entry:
            raise _damaged(doing)
    return entries


def _entries(data: bytes, *, width: int, doing: str) -> Iterator[tuple[bytes, Entry]]:
    """Each entry is its mode in octal, a space, its name, a NUL and `width` bytes of id."""
    position = 0
    while position < len(data):
        head = _TREE_ENTRY.match(data, position)
        end = 0 if head is None else head.end() + width
        kind = None if head is None else kind_of(int(head[1], 8))
        if head is None or kind is None or end > len(data):
            raise _damaged(doing)
        yield head[2], Entry(kind=kind, id=data[head.end() : end].hex())
        position = end


def kind_of(mode: int) -> ObjectKind | None:
    """What an entry's mode makes of it; None for a mode that git does not write."""
    if mode in _REGULAR:
        return ObjectKind.FILE
    return {_FOLDER: ObjectKind.FOLDER, _SYMLINK: ObjectKind.SYMLINK, _SUBMODULE: ObjectKind.SUBMODULE}.get(mode)


def _damaged(doing: str) -> GitError:
    return GitError(f"git could not {doing}: an object is damaged", code="damaged", hint=_DAMAGED)

"""Finds a file in the tree of a commit, following symbolic links only as far as they stay inside that tree.

The text of a link is never taken for a file: either the file that it leads to at the same commit is read, or the
link is an error.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lockwarden.core.git.model import Entry, ObjectKind
from lockwarden.core.git.objects import read_folder, read_object, tree_of
from lockwarden.core.git.program import Git
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.printable import reveal

_LINK_BYTES: Final = 4096
"""Length of the text of a symbolic link; systems allow no longer path."""
_MAX_STEPS: Final = 500
"""Folders, parents and links on the way to one file."""
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"


class TreeFile(Struct, frozen=True, kw_only=True):
    """A file in a tree."""

    path: bytes
    """Where it stands, after all links."""
    id: str
    linked: bool
    """Whether a symbolic link led there."""


def read_file(git: Git, commit: str, path: bytes) -> tuple[TreeFile, bytes] | None:
    """The file at `path` of a commit, a full id; None when nothing is there. Raises GitError like `find`."""
    found = find(git, commit, path)
    if found is None:
        return None
    doing = _reading(found.path, commit)
    data = read_object(git, found.id, "blob", limit=git.limits.file_bytes, doing=doing)
    if data.startswith(_LFS_POINTER):
        raise GitError(
            f"git could not {doing}: Git LFS keeps its content elsewhere, and only a pointer to it is committed",
            code="lfs-pointer",
            hint="take lock files out of Git LFS: they are small texts that people review",
        )
    return found, data


def find(git: Git, commit: str, path: bytes) -> TreeFile | None:
    """Where the file at `path` of a commit stands; None when nothing is there.

    Raises GitError when it is a folder or a submodule or lies in one, when it is a symbolic link that leaves the tree
    or leads nowhere, or when an object on the way cannot be read.
    """
    return _Walk(git, commit, path).find()


def names_in(git: Git, commit: str, path: bytes) -> tuple[bytes, ...] | None:
    """The names in the folder at `path` of a commit; None when nothing or no folder is there. Raises like `find`."""
    walk = _Walk(git, commit, path)
    try:
        walk.find()
    except GitError as error:
        if error.code != "folder":
            raise
        return walk.names()
    return None


def names_at(git: Git, commit: str, path: bytes) -> tuple[bytes, ...]:
    """The names in the folder at `path` of a commit, to which no link leads; none when it is no folder.

    Raises GitError when it cannot be read.
    """
    doing = f"list a folder of {commit[:12]}"
    if not path:
        return tuple(read_folder(git, tree_of(git, commit, doing=doing), doing=doing))
    entry = entry_at(git, commit, path)
    there = entry is not None and entry.kind is ObjectKind.FOLDER
    return tuple(read_folder(git, entry.id, doing=doing)) if entry is not None and there else ()


def nearest(git: Git, commit: str, place: bytes, name: bytes) -> tuple[bytes, bytes] | None:
    """Path and bytes of the nearest file of this name from the folder of `place` up to the root of a commit's tree.

    A folder of the way that is none there, a link or a submodule, ends it: what lies above still counts. None when no
    folder has one. Raises GitError when the nearest is not a plain file, or when it cannot be read.
    """
    doing = _reading(name, commit)
    above = b""
    folders = [(above, read_folder(git, tree_of(git, commit, doing=doing), doing=doing))]
    for part in place.split(b"/")[:-1]:
        entry = folders[-1][1].get(part)
        if entry is None or entry.kind is not ObjectKind.FOLDER:
            break
        above += part + b"/"
        folders.append((above, read_folder(git, entry.id, doing=doing)))
    for prefix, entries in reversed(folders):
        entry = entries.get(name)
        if entry is not None:
            return prefix + name, _plain(git, entry, prefix + name, commit)
    return None


def read_plain(git: Git, commit: str, path: bytes) -> bytes | None:
    """The bytes of a file of a commit that is reached without any link; None when nothing is there.

    Raises GitError when a link or a submodule is on the way, or when it is not a plain file.
    """
    entry = entry_at(git, commit, path)
    return None if entry is None else _plain(git, entry, path, commit)


def entry_at(git: Git, commit: str, path: bytes) -> Entry | None:
    """What stands at a path of a commit, or instead of a folder on the way to it; None when nothing does."""
    doing = _reading(path, commit)
    entry = Entry(kind=ObjectKind.FOLDER, id=tree_of(git, commit, doing=doing))
    for part in path.split(b"/"):
        if entry.kind is not ObjectKind.FOLDER:
            return entry
        below = read_folder(git, entry.id, doing=doing).get(part)
        if below is None:
            return None
        entry = below
    return entry


def _plain(git: Git, entry: Entry, path: bytes, commit: str) -> bytes:
    doing = _reading(path, commit)
    if entry.kind is not ObjectKind.FILE:
        raise GitError(
            f"git could not {doing}: it, or a folder on the way to it, is a {entry.kind} there",
            code="not-a-file",
            hint="have a plain file in its place; a link could lead anywhere",
        )
    return read_object(git, entry.id, "blob", limit=git.limits.file_bytes, doing=doing)


def shown(path: bytes) -> str:
    """A path from git, made safe to show."""
    return reveal(path.decode("utf-8", "backslashreplace"))


def _reading(path: bytes, commit: str) -> str:
    return f"read {shown(path)} at {commit[:12]}"


class _Walk:
    """One search: the folders entered so far, and what of the path is still ahead."""

    def __init__(self, git: Git, commit: str, path: bytes) -> None:
        self._git = git
        self._doing = _reading(path, commit)
        self._asked = path
        self._folders = [tree_of(git, commit, doing=self._doing)]
        self._names: list[bytes] = []
        self._ahead = path.split(b"/")[::-1]
        self._links = 0
        self._known: dict[tuple[str, bytes], Entry | None] = {}

    def find(self) -> TreeFile | None:
        for _ in range(_MAX_STEPS):
            if not self._ahead:
                raise self._error("it is a folder there", code="folder")
            name = self._ahead.pop()
            if name in {b"", b"."}:
                continue
            if name == b"..":
                self._leave_folder()
                continue
            entry = self._look(name)
            if entry is None:
                return self._nothing()
            match entry.kind:
                case ObjectKind.FOLDER:
                    self._folders.append(entry.id)
                    self._names.append(name)
                case ObjectKind.SYMLINK:
                    self._follow(entry)
                case ObjectKind.SUBMODULE:
                    raise self._error(
                        f"{shown(b'/'.join([*self._names, name]))} is a submodule there, a repository of its own",
                        code="submodule",
                    )
                case ObjectKind.FILE:
                    if self._ahead:
                        return self._nothing()
                    return TreeFile(path=b"/".join([*self._names, name]), id=entry.id, linked=self._links > 0)
        raise self._error("its path is too long", code="broken-symlink")

    def names(self) -> tuple[bytes, ...]:
        """What is in the folder that the search has come to."""
        return tuple(read_folder(self._git, self._folders[-1], doing=self._doing))

    def _look(self, name: bytes) -> Entry | None:
        """What has a name in the present folder; links can lead through the same folders again and again."""
        key = (self._folders[-1], name)
        if key not in self._known:
            self._known[key] = read_folder(self._git, self._folders[-1], doing=self._doing).get(name)
        return self._known[key]

    def _nothing(self) -> TreeFile | None:
        if self._links:
            raise self._error("it is a symbolic link there, which leads nowhere", code="broken-symlink")
        return None

    def _leave_folder(self) -> None:
        if not self._names:
            raise self._error("it is a symbolic link there, which leads out of the repository", code="symlink-outside")
        self._folders.pop()
        self._names.pop()

    def _follow(self, entry: Entry) -> None:
        """Put what a link says in the place of its name."""
        self._links += 1
        if self._links > self._git.limits.links:
            raise self._error("symbolic links go in a circle there", code="broken-symlink")
        text = read_object(self._git, entry.id, "blob", limit=_LINK_BYTES, doing=self._doing)
        if text.startswith(b"/"):
            raise self._error("it is a symbolic link there, which leads out of the repository", code="symlink-outside")
        if not text or b"\0" in text:
            raise self._error("it is a symbolic link there, which leads nowhere", code="broken-symlink")
        self._ahead.extend(text.split(b"/")[::-1])

    def _error(self, why: str, *, code: str) -> GitError:
        return GitError(
            f"git could not {self._doing}: {why}",
            code=code,
            hint="compare with a revision at which it is a regular file",
        )

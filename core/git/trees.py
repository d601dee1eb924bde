"""Finds a file in the tree of a commit, following symbolic links only as far as they stay inside that tree.

The text of a link is never taken for a file: either the file that it leads to at the same commit is read, or the
link is an error.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lockwarden.core.errors import GitError
from lockwarden.core.git.objects import Entry, Kind, read_folder, read_object, tree_of
from lockwarden.core.git.program import Git
from lockwarden.core.printable import reveal

_LINK_BYTES: Final = 4096
"""Length of the text of a symbolic link; systems allow no longer path."""
_MAX_STEPS: Final = 500
"""Folders, parents and links on the way to one file."""
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"


class Found(Struct, frozen=True, kw_only=True):
    """A file in a tree."""

    path: bytes
    """Where it stands, after all links."""
    id: str
    linked: bool
    """Whether a symbolic link led there."""


def read_file(git: Git, commit: str, path: bytes) -> tuple[Found, bytes] | None:
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


def find(git: Git, commit: str, path: bytes) -> Found | None:
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

    def find(self) -> Found | None:
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
                case Kind.FOLDER:
                    self._folders.append(entry.id)
                    self._names.append(name)
                case Kind.SYMLINK:
                    self._follow(entry)
                case Kind.SUBMODULE:
                    raise self._error(
                        f"{shown(b'/'.join([*self._names, name]))} is a submodule there, a repository of its own",
                        code="submodule",
                    )
                case Kind.FILE:
                    if self._ahead:
                        return self._nothing()
                    return Found(path=b"/".join([*self._names, name]), id=entry.id, linked=self._links > 0)
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

    def _nothing(self) -> Found | None:
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

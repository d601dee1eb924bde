"""The file tree that the layers of an image make, in memory: names and digests, never contents.

Rules: OCI Image Format Specification, "Image Layer Filesystem Changeset". Whiteouts take away what lower layers hold,
never what their own layer holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

import msgspec
from msgspec import Struct

from lockwarden.core.archives.names import PROVIDER_PREFIX, clean_name
from lockwarden.core.archives.oddities import shown
from lockwarden.core.archives.tar import MemberKind, TarEntry
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import Hash, h1_of_members

_WHITEOUT: Final = b".wh."
_OPAQUE: Final = b".wh..wh..opq"
_OF_THE_TOOL: Final = b".wh..wh."
"""Names that a storage driver keeps for itself; they mean nothing in a layer."""
_LONGEST_PART: Final = 255
_LONGEST_PATH: Final = 4095
_MOST_LINKS: Final = 40
"""Links that are followed on the way to one file, as many as Linux follows."""
MOST_STEPS: Final = 200_000
"""Parts of the paths of all links together, where they are followed. A link of an honest package has one or two."""


class _File(Struct, frozen=True):
    digest: bytes


class _Link(Struct, frozen=True):
    target: bytes


class _Folder(Struct, frozen=True):
    children: dict[bytes, _File | _Link | _Folder] = msgspec.field(default_factory=dict)


_Node = _File | _Link | _Folder


class FileTree:
    """A file tree, empty at first."""

    def __init__(self) -> None:
        self._root = _Folder()
        self._steps = 0

    def add_layer(self, entries: Iterable[TarEntry]) -> None:
        """Put a layer on top.

        Raises ArchiveError for names that climb or are too long, an entry that goes through a link or a file, a hard
        link to something that is not there.
        """
        kept: list[TarEntry] = []
        for entry in entries:
            path = _parts(entry.name)
            last = path[-1] if path else b""
            if not last.startswith(_WHITEOUT):
                kept.append(entry)  # without its path, which can have two thousand parts
            elif last == _OPAQUE:
                self._clear(path[:-1])
            elif not last.startswith(_OF_THE_TOOL):
                self._remove(path[:-1], last.removeprefix(_WHITEOUT))
        for entry in kept:
            self._add(_parts(entry.name), entry)

    def _clear(self, path: list[bytes]) -> None:
        folder = self._existing(path)
        if folder is not None:
            folder.children.clear()

    def _remove(self, path: list[bytes], name: bytes) -> None:
        folder = self._existing(path)
        if folder is not None:
            folder.children.pop(name, None)

    def _existing(self, path: list[bytes]) -> _Folder | None:
        """The folder at a path, or None where there is none. Raises ArchiveError on the way through a link."""
        folder = self._root
        for part in path:
            node = folder.children.get(part)
            if isinstance(node, _Link):
                raise _through_link(path)
            if not isinstance(node, _Folder):
                return None
            folder = node
        return folder

    def _add(self, path: list[bytes], entry: TarEntry) -> None:
        if not path:
            if entry.kind is not MemberKind.FOLDER:
                raise ArchiveError("the root of the image is no folder", code=ArchiveFault.CONFLICTING_NAMES)
            return
        folder = self._made(path[:-1])
        name = path[-1]
        match entry.kind:
            case MemberKind.FOLDER:
                if not isinstance(folder.children.get(name), _Folder):
                    folder.children[name] = _Folder()
            case MemberKind.FILE:
                folder.children[name] = _File(entry.digest)
            case MemberKind.LINK:
                folder.children[name] = _Link(entry.target)
            case MemberKind.HARD_LINK:
                folder.children[name] = self._linked(path, entry.target)
            case _:
                assert_never(entry.kind)

    def _made(self, path: list[bytes]) -> _Folder:
        """The folder at a path, made where it is missing."""
        folder = self._root
        for part in path:
            node = folder.children.setdefault(part, _Folder())
            if isinstance(node, _Link):
                raise _through_link(path)
            if isinstance(node, _File):
                raise ArchiveError(
                    f"“{shown(b'/'.join(path))}” is a file and a folder", code=ArchiveFault.CONFLICTING_NAMES
                )
            folder = node
        return folder

    def _linked(self, path: list[bytes], target: bytes) -> _Node:
        parts = _parts(target)
        folder = self._existing(parts[:-1])
        node = None if folder is None or not parts else folder.children.get(parts[-1])
        if node is None or isinstance(node, _Folder):
            raise ArchiveError(
                f"“{shown(b'/'.join(path))}” is a hard link to “{shown(target)}”, which is no file of the image",
                code=ArchiveFault.BROKEN_LINK,
            )
        return node

    def files(self) -> Iterator[tuple[bytes, bytes]]:
        """Path and SHA-256 digest of every file; a link to a file has its own path and the file's digest.

        Raises ArchiveError for a link that leads out of the tree, to a folder, in a circle or nowhere, and where it
        would take more than MOST_STEPS to follow all of them.
        """
        waiting: list[tuple[list[bytes], list[_Folder]]] = [([], [self._root])]
        while waiting:
            path, folders = waiting.pop()
            for name, node in folders[-1].children.items():
                here = [*path, name]
                match node:
                    case _Folder():
                        waiting.append((here, [*folders, node]))
                    case _File():
                        yield b"/".join(here), node.digest
                    case _Link():
                        yield b"/".join(here), self._followed(here, folders, node)
                    case _:
                        assert_never(node)

    def _followed(self, path: list[bytes], folders: list[_Folder], link: _Link) -> bytes:
        """The digest of the file that a link leads to; `folders` are those above the link, the root first."""
        place = [*folders]
        ahead = _link_parts(path, link)[::-1]
        links = 1
        while ahead:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise ArchiveError(
                    f"its links have more than {MOST_STEPS} parts together", code=ArchiveFault.TOO_MANY_MEMBERS
                )
            part = ahead.pop()
            if part == b"..":
                place.pop()
                if not place:
                    raise _leaves(path, link)
                continue
            node = place[-1].children.get(part)
            match node:
                case None:
                    raise ArchiveError(f"“{_shown(path)}” is a link that leads nowhere", code=ArchiveFault.BROKEN_LINK)
                case _File() if not ahead:
                    return node.digest
                case _File():
                    raise ArchiveError(f"“{_shown(path)}” is a link that leads nowhere", code=ArchiveFault.BROKEN_LINK)
                case _Folder():
                    place.append(node)
                case _Link():
                    links += 1
                    if links > _MOST_LINKS:
                        raise ArchiveError(
                            f"“{_shown(path)}” is a link that leads in a circle", code=ArchiveFault.BROKEN_LINK
                        )
                    ahead += _link_parts(path, node)[::-1]
                case _:
                    assert_never(node)
        raise ArchiveError(
            f"“{_shown(path)}” is a link to a folder, which the clients cannot hash", code=ArchiveFault.LINK_TO_FOLDER
        )


class TreeFacts(Struct, frozen=True, kw_only=True):
    """What the layers of an image make together. True for ever for these layers."""

    h1: Hash
    files: int
    executables: tuple[str, ...]
    """The files at the root whose names start with `terraform-provider-`, sorted."""


def facts_of(tree: FileTree) -> TreeFacts:
    """Hash a tree. Raises ArchiveError for a name that no `h1` can list, and as `files` does."""
    files = list(tree.files())
    for name, _ in files:
        if b"\n" in name:
            raise ArchiveError(
                f"“{shown(name)}” has a line feed, which no h1 can list", code=ArchiveFault.LINE_FEED_IN_NAME
            )
    prefix = PROVIDER_PREFIX.encode()
    at_root = sorted(name for name, _ in files if name.startswith(prefix) and b"/" not in name)
    return TreeFacts(
        h1=h1_of_members(files),
        files=len(files),
        executables=tuple(name.decode("utf-8", "backslashreplace") for name in at_root),
    )


def _parts(name: bytes) -> list[bytes]:
    """The parts of a path from the root of the image, where absolute names begin, too."""
    path = clean_name(name)
    parts = path.split(b"/") if path else []
    if b".." in parts:
        raise ArchiveError(f"“{shown(name)}” climbs out of the image", code=ArchiveFault.CLIMBING_NAME)
    if b"\0" in path:
        raise ArchiveError(f"“{shown(name)}” has a NUL byte", code=ArchiveFault.NUL_IN_NAME)
    if len(path) > _LONGEST_PATH or max(map(len, parts), default=0) > _LONGEST_PART:
        raise ArchiveError(f"“{shown(name)}” is too long for a file name", code=ArchiveFault.TOO_LONG_NAME)
    return parts


def _link_parts(path: list[bytes], link: _Link) -> list[bytes]:
    if link.target.startswith(b"/"):
        raise _leaves(path, link)
    if not link.target or len(link.target) > _LONGEST_PATH:
        raise ArchiveError(f"“{_shown(path)}” is a link that leads nowhere", code=ArchiveFault.BROKEN_LINK)
    return [part for part in link.target.split(b"/") if part not in (b"", b".")]


def _leaves(path: list[bytes], link: _Link) -> ArchiveError:
    return ArchiveError(
        f"“{_shown(path)}” is a link to “{shown(link.target)}”, which is outside of the image",
        code=ArchiveFault.LEAVING_LINK,
    )


def _through_link(path: list[bytes]) -> ArchiveError:
    return ArchiveError(
        f"something below “{_shown(path)}” would be written through a link", code=ArchiveFault.THROUGH_LINK
    )


def _shown(path: list[bytes]) -> str:
    return shown(b"/".join(path))

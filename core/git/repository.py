"""The working tree that a lock file lies in, and all that is asked of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.git import history, revisions
from lockwarden.core.git import sides as unfinished
from lockwarden.core.git.failures import refusal
from lockwarden.core.git.listing import files_of, tracked, unmerged
from lockwarden.core.git.mainline import earlier_files, earlier_states
from lockwarden.core.git.model import (
    Commit,
    FileAtRevision,
    GitLimits,
    ObjectKind,
    PastRevision,
    Revision,
    Side,
    Suggestion,
)
from lockwarden.core.git.places import folder_with_git, inside, places_of, way_of
from lockwarden.core.git.program import Git
from lockwarden.core.git.renames import files_named, paths_at, source_of
from lockwarden.core.git.trees import entry_at, nearest, read_file, read_plain
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.printable import reveal

_IGNORE_CODES: Final = frozenset({0, 1})
"""Some of the paths are ignored, or none."""


def find_repository(path: Path, environ: Mapping[str, str], *, limits: GitLimits | None = None) -> Repository | None:
    """The repository in whose working tree a file or folder lies; None when it lies in none. Blocks, like all here.

    The nearest folder upwards that has a `.git` decides, and git has to agree. So a folder that merely looks like a
    repository, which anyone can commit, is not taken for one; nor is a bare repository, which has no working tree.
    Of a symbolic link to a file the place of the link counts, and where it leads only when that place is in none; a
    link to a folder is that folder.

    Raises ToolError when there is a `.git` but no git program; GitError when git does not trust the repository, which
    belongs to another user, or cannot read it.
    """
    folder = folder_with_git(path)
    return None if folder is None else open_repository(folder, environ, limits=limits)


def open_repository(folder: Path, environ: Mapping[str, str], *, limits: GitLimits | None = None) -> Repository:
    """The repository whose working tree begins in a folder that has a `.git`. Raises as `find_repository` does."""
    git = Git.at(folder, environ, limits)
    doing = "open the repository"
    answer = git.ask("rev-parse", "--is-bare-repository", "--show-toplevel", doing=doing)
    is_bare, _, top = answer.printed.removesuffix(b"\n").partition(b"\n")
    shown = reveal(str(git.folder))
    if is_bare == b"true":
        raise GitError(
            f"the repository in {shown} is bare, so it has no working tree that a file could lie in",
            code="bare-repository",
            hint="use one of its working trees; git worktree list shows them",
        )
    if answer.exit_code != 0:
        raise refusal(answer, doing=doing, folder=git.folder)
    if os.path.realpath(top) != os.fsencode(git.folder):
        raise GitError(
            f"{shown} has a .git, but git takes {reveal(os.fsdecode(top))} for the working tree",
            code="not-a-repository",
            hint="see core.worktree in its configuration, and whether that .git is a whole repository",
        )
    return Repository(root=git.folder, git=git)


def _no_file(_: bytes) -> bool:
    return False


class Repository(Struct, frozen=True, kw_only=True):
    """A repository with a working tree. Its methods block; they read and never write, fetch or run anything else.

    What they compare with is the disk, not the index: in a pre-commit hook too, it is the file on disk that counts,
    which can differ from what is staged. All raise GitError, with a code, when git cannot tell.
    """

    root: Path
    """Absolute, without links."""
    git: Git

    def relative(self, path: Path) -> str:
        """Where a file lies, relative to the root, with slashes; of a link, the link. Raises GitError when outside."""
        return os.fsdecode(places_of(path, self.root)[0])

    def resolve(self, name: str) -> Revision:
        """The same as `commit_at`, with what people know it by."""
        return revisions.resolve(self.git, name)

    def commit_at(self, name: str) -> Commit:
        """The commit that `name` stands for. Raises UnknownRevisionError, whose hint says how to fetch it."""
        return revisions.commit_at(self.git, name)

    def left_at(self, revision: Commit) -> Commit:
        """Where this branch left a revision's history; the revision itself where that cannot be told."""
        return revisions.left_at(self.git, revision)

    def file_at(self, revision: Commit, path: Path, *, now: bytes | None = None) -> FileAtRevision | None:
        """The file at a revision; None when it was not there, which proves nothing about what else was.

        With its bytes on disk in `now`, it is also found under the path that it had before it was renamed, committed or
        not. Raises GitError for a file that is too large, a folder, a submodule, a link out of the tree or to nowhere,
        and for objects that are damaged or that this clone lacks.
        """
        own_places = places_of(path, self.root)
        own = os.fsdecode(own_places[0])
        # The name that the path has in the tree comes first: a folder of it may have been something else then.
        places = tuple(dict.fromkeys((*self.names(path), *own_places)))
        for place in places:
            if (there := read_file(self.git, revision.id, place)) is not None:
                found, data = there
                linked_to = os.fsdecode(found.path) if found.linked or place != own_places[0] else None
                return FileAtRevision(path=own, data=data, linked_to=linked_to)
        if now is None:
            return None
        source = source_of(self.git, revision.id, own_places[-1], now, still_there=self._still_there)
        if source is None or (there := read_file(self.git, revision.id, source)) is None:
            return None
        return FileAtRevision(path=own, data=there[1], renamed_from=os.fsdecode(source))

    def names(self, path: Path) -> tuple[bytes, ...]:
        """Every path in the tree that a path stands for, by its name and by where links lead; see `way_of`."""
        return way_of(Path.cwd() / path, self.root).names

    def nearest_file(self, revision: Commit, place: bytes, name: str) -> tuple[str, bytes] | None:
        """Path and bytes of the nearest file of this name from a place's folder up at a revision; see `nearest`."""
        found = nearest(self.git, revision.id, place, os.fsencode(name))
        return None if found is None else (os.fsdecode(found[0]), found[1])

    def plain_file(self, revision: Commit, place: str) -> bytes | None:
        """The bytes of a file at a revision to which no link leads; see `read_plain`."""
        return read_plain(self.git, revision.id, os.fsencode(place))

    def linked_file(self, revision: Commit, place: bytes) -> tuple[str, bytes] | None:
        """Path and bytes of a file at a revision, by links that stay in the tree; see `read_file`."""
        there = read_file(self.git, revision.id, place)
        return None if there is None else (os.fsdecode(there[0].path), there[1])

    def kind_at(self, revision: Commit, folder: Path) -> ObjectKind | None:
        """What stood in the place of a folder of the working tree at a revision, or of one above it."""
        place = inside(folder, self.root)
        entry = None if not place else entry_at(self.git, revision.id, place)
        return None if entry is None else entry.kind

    def submodule_at(self, revision: Commit, place: bytes) -> str | None:
        """The id of the commit that a revision has of the submodule in a place; None when there was none."""
        entry = entry_at(self.git, revision.id, place) if place else None
        return entry.id if entry is not None and entry.kind is ObjectKind.SUBMODULE else None

    def submodules_gone(self, revision: Commit) -> tuple[bytes, ...]:
        """The places of submodules at a revision that have none now."""
        listings = (files_of(self.git, revision.id, _no_file), tracked(self.git, _no_file))
        there, now = ({each.path for each in listing if each.kind is ObjectKind.SUBMODULE} for listing in listings)
        return tuple(sorted(there - now))

    def gone(self, revision: Commit, name: str) -> tuple[bytes, ...]:
        """The files of this name at a revision that are not on disk now."""
        there = files_named(self.git, revision.id, os.fsencode(name))
        kept = self._still_there(there)
        return tuple(sorted(each for each in there if each not in kept))

    def recent_revisions(self, path: Path, *, limit: int = 50, now: bytes | None = None) -> tuple[PastRevision, ...]:
        """The commits up to HEAD that changed this file, newest first, followed through renames; see `file_at` for
        `now`.

        A shallow clone shows what it holds, and its oldest commit as one that changed every file.
        """
        places = places_of(path, self.root)
        return history.recent(self.git, places, now, limit=limit, still_there=self._still_there)

    def earlier_states(self, path: Path, *, limit: int, now: bytes, start: Commit) -> tuple[PastRevision, ...]:
        """Commits at which the main line up to `start` had different bytes of this file, newest first; see
        `mainline.earlier_states`.
        """
        place = places_of(path, self.root)[0]
        return earlier_states(self.git, start.id, place, now, limit=limit, still_there=self._still_there)

    def past_of(self, start: Commit, places: Iterable[str], *, limit: int = 1000) -> tuple[tuple[Revision, ...], bool]:
        """The newest commits up to a revision that changed one of these files, and whether those are all there are."""
        found = revisions.ever_changing(self.git, start.id, [os.fsencode(each) for each in places], limit=limit)
        return tuple(found), len(found) < limit and not revisions.is_shallow(self.git)

    def earlier_files(self, start: Commit, name: str) -> Iterator[bytes]:
        """What files of this name were in the last commits up to a revision, wherever they lay. Raises GitError."""
        return earlier_files(self.git, start.id, name)

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Branches worth comparing with: the default branch, and the upstream of the current one."""
        return history.suggestions(self.git)

    def unmerged(self, path: Path) -> Mapping[int, bytes]:
        """The sides that the index has of a file that is not merged; see `unmerged.unmerged`."""
        return unmerged(self.git, places_of(path, self.root))

    def sides(self) -> tuple[Side, ...]:
        """Both sides of a merge, rebase or cherry-pick in progress, this side first; empty when there is none."""
        return unfinished.sides(self.git)

    def ignored(self, paths: Iterable[Path]) -> frozenset[Path]:
        """Those of the files in the working tree that git ignores. A file that is tracked is never ignored."""
        # This command knows no literal pathspecs; with the dot in front, none can begin with magic.
        by_place = {b"./" + places_of(path, self.root)[0]: path for path in paths}
        if not by_place:
            return frozenset()
        command = ("--no-literal-pathspecs", "check-ignore", "-z", "--stdin")
        doing = "tell which files are ignored"
        answer = self.git.ask(*command, doing=doing, given=b"\0".join([*by_place, b""]))
        if answer.exit_code not in _IGNORE_CODES:
            raise refusal(answer, doing=doing, folder=self.git.folder)
        return frozenset(by_place[place] for place in answer.printed.split(b"\0") if place)

    def is_there(self, path: bytes) -> bool:
        """Whether there is something at a path of the tree, and no link on the way leads elsewhere."""
        entry = os.path.join(os.fsencode(self.root), path)  # noqa: PTH118
        folder = os.path.dirname(entry)  # noqa: PTH120
        return os.path.lexists(entry) and os.path.realpath(folder) == folder  # of many files most are gone

    def _still_there(self, paths: Collection[bytes]) -> Collection[bytes]:
        """Which of these paths exist on disk, at their own place, or were left out of a sparse checkout."""
        on_disk = {path for path in paths if self.is_there(path)}
        if len(on_disk) < len(paths) and self._is_sparse():
            return on_disk | paths_at(self.git, self.commit_at("HEAD").id, paths)
        return on_disk

    def _is_sparse(self) -> bool:
        own = self.root / ".git"
        if own.is_dir() and not (own / "info" / "sparse-checkout").exists():
            return False  # without patterns nothing is left out, whatever the setting
        name = "core.sparseCheckout"
        if name not in self.git.settings:
            answer = self.git.ask("config", "--type=bool", "--get", name, doing="read a setting")
            self.git.settings[name] = answer.printed.strip()
        return self.git.settings[name] == b"true"

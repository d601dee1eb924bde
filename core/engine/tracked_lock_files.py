"""The lock files of whole trees: those that git tracks, and those that it neither tracks nor ignores."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.git.listing import Listed, tracked
from lockwarden.core.git.places import entry_of, folder_with_git, inside
from lockwarden.core.git.repository import Repository
from lockwarden.core.lockfile.names import is_lock_file_name
from lockwarden.core.reports.result import LeftOut
from lockwarden.core.system.lock_file_search import FoundLockFile, LinkedFolder, UnreadableFolder, files_below
from lockwarden.core.values.errors import GitError, LockFileError, LockwardenError

_SECONDS: Final = 10.0
"""For git to tell what it ignores. Patterns can be written that take it for ever."""
_LINKS: Final = "links to folders lead out of the tree and were not followed"
_IGNORED: Final = "lock files that git ignores were left out"
_MISSING: Final = "lock files that git tracks are not there"


class Tracking(Struct, frozen=True, kw_only=True):
    """A repository and what it tracks of lock files, links and submodules."""

    repository: Repository
    listed: Mapping[bytes, Listed]

    def place(self, path: Path) -> bytes | None:
        """Where a file lies in the working tree; None when outside."""
        return inside(entry_of(path), self.repository.root)


class TrackedLockFiles(Struct, frozen=True, kw_only=True):
    """What was found in one folder and below it."""

    top: Path
    files: tuple[str | LockFileError, ...]
    nothing: LockFileError | None
    """Why there is not one, when there is none."""
    left_out: tuple[LeftOut, ...]
    tracking: Tracking | None
    """Of the repository that the folder itself lies in."""
    kept: Mapping[bytes, str]
    """The files that are looked at, by their place in that repository."""


def is_lock_file(path: bytes) -> bool:
    """Whether a path as git writes it names a lock file, or what some disks take for one."""
    return is_lock_file_name(os.fsdecode(path[path.rfind(b"/") + 1 :]))


def prefix_of(top: Path, root: Path) -> bytes | None:
    """What the paths of all files in a folder begin with, relative to the root; None when it lies outside."""
    folder = inside(Path(os.path.realpath(top)), root)
    return folder + b"/" if folder else folder


def _tracked_below(top: Path, tracking: Tracking) -> set[bytes]:
    prefix = prefix_of(top, tracking.repository.root)
    return {path for path in tracking.listed if prefix is not None and path.startswith(prefix) and is_lock_file(path)}


def tree_of(top: Path, open_repository: Callable[[Path], Repository]) -> TrackedLockFiles:
    """The lock files in a folder and below it. It blocks.

    What git tracks is looked at wherever it lies. Of the rest, what git ignores and what lies in folders of fetched
    things is left out and counted. Where git cannot be asked, nothing is left out, and that is told, too.
    `open_repository` opens the repository in a folder that has a `.git`.
    """
    return _Search(top, open_repository).tree()


class _Search:
    """One folder and all below it."""

    def __init__(self, top: Path, open_repository: Callable[[Path], Repository]) -> None:
        self._top = top
        self._open_repository = open_repository
        self._counts: Counter[tuple[str, str]] = Counter()
        self._told: list[LeftOut] = []
        self._open: dict[Path, Tracking | None] = {}

    def tree(self) -> TrackedLockFiles:
        everything = list(files_below(self._top))
        found = [each for each in everything if isinstance(each, FoundLockFile)]
        own = self._tracking(folder_with_git(self._top))
        kept = self._kept(found)
        files: list[str | LockFileError] = []
        for each in everything:
            match each:
                case UnreadableFolder(path=path, reason=reason):
                    message = f"{path} cannot be looked into: {reason}"
                    files.append(LockFileError(message, path=str(path), hint="check what you may read there"))
                case FoundLockFile(path=path) if path in kept:
                    files.append(str(path))
                case LinkedFolder(path=path) if not self._leads_inside(path, own):
                    self._count(1, "link to a folder leads out of the tree and was not followed", _LINKS)
                case _:
                    pass
        places = {place: str(path) for path in kept if own is not None and (place := own.place(path)) is not None}
        if own is not None:
            self._count(
                len(_tracked_below(self._top, own) - places.keys()), "lock file that git tracks is not there", _MISSING
            )
        return TrackedLockFiles(
            top=self._top,
            files=tuple(files),
            nothing=None if files else self._nothing(bool(found)),
            left_out=(*self._told, *self._counted()),
            tracking=own,
            kept=places,
        )

    def _kept(self, found: Iterable[FoundLockFile]) -> Collection[Path]:
        by_repository: defaultdict[Path | None, list[FoundLockFile]] = defaultdict(list)
        around = folder_with_git(self._top)
        for each in found:
            by_repository[each.repository or around].append(each)
        kept: set[Path] = set()
        for folder, files in by_repository.items():
            tracking = self._tracking(folder)
            if tracking is None:
                kept |= {each.path for each in files}
                continue
            ours = {each.path for each in files if tracking.place(each.path) in tracking.listed}
            in_caches = [each for each in files if each.cache and each.path not in ours]
            for each in in_caches:
                what = f"below {each.cache} that git does not track"
                self._count(1, f"lock file {what} was left out", f"lock files {what} were left out")
            rest = {each.path for each in files if not each.cache} - ours
            ignored = self._ignored(tracking.repository, rest)
            self._count(len(ignored), "lock file that git ignores was left out", _IGNORED)
            kept |= ours | (rest - ignored)
        return kept

    def _tracking(self, folder: Path | None) -> Tracking | None:
        """What the repository in a folder tracks; None without one, and where git cannot be asked, which is told."""
        if folder is None:
            return None
        place = Path(os.path.realpath(folder))
        if place not in self._open:
            self._open[place] = self._opened(place)
        return self._open[place]

    def _opened(self, folder: Path) -> Tracking | None:
        try:
            repository = self._open_repository(folder)
            listed = {each.path: each for each in tracked(repository.git, is_lock_file)}
        except LockwardenError as error:
            self._say(f"nothing in {folder} was left out, since git cannot be asked what it tracks: {error.message}")
            return None
        return Tracking(repository=repository, listed=listed)

    def _ignored(self, repository: Repository, paths: Collection[Path]) -> frozenset[Path]:
        limits = replace(repository.git.limits, seconds=_SECONDS)
        bounded = replace(repository, git=replace(repository.git, limits=limits))
        try:
            return bounded.ignored(paths)
        except GitError as error:
            self._say(f"nothing was left out for being ignored: {error.message}")
            return frozenset()

    def _leads_inside(self, link: Path, own: Tracking | None) -> bool:
        root = own.repository.root if own is not None else Path(os.path.realpath(self._top))
        target = Path(os.path.realpath(link))
        return target == root or root in target.parents

    def _say(self, message: str) -> None:
        self._told.append(LeftOut(count=0, message=message))

    def _count(self, number: int, one: str, many: str) -> None:
        if number:
            self._counts[one, many] += number

    def _counted(self) -> Iterator[LeftOut]:
        for (one, many), count in sorted(self._counts.items()):
            yield LeftOut(count=count, message=f"one {one}" if count == 1 else f"{count} {many}")

    def _nothing(self, ignored: bool) -> LockFileError:
        where = f"in {self._top} or below it"
        message = f"all lock files {where} are ignored by git" if ignored else f"there is no lock file {where}"
        if ignored and not any(many == _IGNORED for _, many in self._counts):
            message = f"git tracks no lock file {where}"
        return LockFileError(message, path=str(self._top), hint="run tofu init or terraform init to make one")

"""Lock files of the base that a change takes out of sight: deleted, ignored, or behind a link or a submodule.

Each is held against the base as if it were at its place, by what clients would read there now. Where there is nothing,
that is an empty lock file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.absence import about_absence, about_what_is_unknown
from lockwarden.core.engine.base_sides import UNREADABLE, unreadable_at
from lockwarden.core.engine.locked_before import earlier_lock_file
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.engine.tracked_lock_files import TrackedLockFiles, Tracking, is_lock_file
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.listing import Listed, files_of, tracked
from lockwarden.core.git.model import ObjectKind, Side
from lockwarden.core.git.places import folder_with_git, inside
from lockwarden.core.git.trees import read_file, shown
from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockFile
from lockwarden.core.lockfile.read import client_named_in
from lockwarden.core.review.absence_rules import ABSENCE_CODES
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.client_changes import client_problems
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_ABOUT_ANOTHER_PLACE: Final = ABSENCE_CODES | {
    ProblemCode.LOCK_FILE_NEW,
    ProblemCode.LOCK_FILE_RENAMED,
    ProblemCode.LOCK_FILE_CLIENT_CHANGED,
    ProblemCode.BASE_UNREADABLE,
}
"""What the finder says of the place where the bytes lie now."""


class How(StrEnum):
    """How a lock file of the base is out of sight."""

    GONE = "gone"
    UNTRACKED = "untracked"
    ELSEWHERE = "elsewhere"
    """A link or another repository is in its way, and there is a lock file behind it."""
    OUTSIDE = "outside"
    SUBMODULE = "submodule"
    """One that is not checked out."""
    NOT_CHECKED_OUT = "not checked out"

    @property
    def readable(self) -> bool:
        """Whether there are bytes to look at."""
        return self in {How.UNTRACKED, How.ELSEWHERE}


_WORDS: Final[Mapping[How, str]] = {
    How.GONE: "and is not there any more",
    How.UNTRACKED: "and git does not keep it any more, so that others will not have it",
    How.ELSEWHERE: "and a link or a submodule leads elsewhere from there",
    How.OUTSIDE: "and a link in its way leads out of the repository, or nowhere",
    How.SUBMODULE: "and a submodule that is not checked out is in its way",
    How.NOT_CHECKED_OUT: "and another one is tracked that is not on disk",
}


class Displaced(Struct, frozen=True, kw_only=True):
    """A lock file of the base that is out of sight."""

    path: str
    """As it would be named if it were there."""
    place: bytes
    """In the tree of the base."""
    how: How
    tracking: Tracking


class BaseFiles:
    """The lock files of a base, by repository. Every method blocks and may raise GitError and ToolError."""

    def __init__(self, finder: StandardsFinder, base: str) -> None:
        self._finder = finder
        self._base = base
        self._tracking: dict[Path, Tracking | None] = {}
        self._listed: dict[Path, Mapping[bytes, Listed]] = {}
        """What repositories track, where a search has found it before."""
        self._sides: dict[Path, tuple[tuple[Side, Mapping[bytes, Listed]], ...]] = {}

    def out_of_sight(self, tree: TrackedLockFiles) -> Iterator[Displaced]:
        """Those below a folder, by path."""
        seen: set[tuple[Path, bytes]] = set()
        if tree.tracking is not None:
            self._listed.setdefault(tree.tracking.repository.root, tree.tracking.listed)
        for folder, tracking in self._around(tree.top):
            root = tracking.repository.root
            own = tree.tracking is not None and tree.tracking.repository.root == root
            inner = inside(folder, root)
            if inner is None:
                continue
            prefix = inner + b"/" if inner else inner
            kept = tree.kept if own else {}
            for within, holding in ((b"", tracking), *self._submodules(tracking, prefix)):
                for place in sorted(self._places(holding)):
                    whole = within + place
                    if not whole.startswith(prefix) or (root, whole) in seen:
                        continue
                    seen.add((root, whole))
                    path = str(tree.top / os.fsdecode(whole.removeprefix(prefix)))
                    how = self._how(place, holding, kept=whole in kept)
                    if how is not None:
                        yield Displaced(path=path, place=place, how=how, tracking=holding)

    def _submodules(self, tracking: Tracking, prefix: bytes) -> Iterator[tuple[bytes, Tracking]]:
        """The submodules of the base below a folder that are checked out, each with what its paths begin with."""
        root = tracking.repository.root
        listed = {path: each for _, there in self._sides[root] for path, each in there.items()}
        for place in sorted(path for path, each in listed.items() if each.kind is ObjectKind.SUBMODULE):
            folder = root / os.fsdecode(place)
            if not place.startswith(prefix) or not os.path.lexists(folder / ".git"):
                continue
            if os.path.realpath(folder) == str(folder) and (inner := self._opened(folder)) is not None:
                yield place + b"/", inner
                yield from ((place + b"/" + within, each) for within, each in self._submodules(inner, b""))

    def named(self, path: str) -> Displaced | None:
        """The lock file that a path names, or the folder of which it names, when it is out of sight."""
        if "\0" in path:
            return None
        for entry, tracking in self._around(Path(path)):
            candidates = [(entry, path)] if entry.name == LOCK_FILE_NAME else []
            candidates.append((entry / LOCK_FILE_NAME, str(Path(path, LOCK_FILE_NAME))))
            for file, name in candidates:
                place = inside(file, tracking.repository.root)
                if place and place in self._places(tracking):
                    how = self._how(place, tracking, kept=tracking.repository.is_there(place))
                    return None if how is None else Displaced(path=name, place=place, how=how, tracking=tracking)
        return None

    def below_missing(self, path: str) -> tuple[Displaced, ...]:
        """Those below a folder that is not there any more."""
        if "\0" in path:
            return ()
        empty = TrackedLockFiles(top=Path(path), files=(), left_out=(), tracking=None, kept={}, nothing=None)
        return tuple(self.out_of_sight(empty))

    def sides(self, displaced: Displaced) -> tuple[BaseSide, ...]:
        """What it was at the base."""
        return tuple(self._side(displaced, side) for side, _ in self._sides[displaced.tracking.repository.root])

    def standards(self, displaced: Displaced, lock_file: LockFile, *, moved: bool) -> Standards:
        """What is held against what clients would read in its place now, as the base's lock file has it."""
        sides = self.sides(displaced)
        try:
            found = self._finder.standards(lock_file, base=self._base)
        except GitError:  # what is behind the link is in another repository, or in none
            found = self._finder.standards(lock_file)
        others = (each for each in found.problems if each.code not in _ABOUT_ANOTHER_PLACE)
        own = self._problems(displaced, lock_file, sides, moved=moved)
        return replace(found, sides=sides, problems=(*own, *others))

    def _problems(
        self, displaced: Displaced, lock_file: LockFile, sides: tuple[BaseSide, ...], *, moved: bool
    ) -> Iterator[Problem]:
        said = f"{shown(displaced.place)} is a lock file at {sides[0].name}, {_WORDS[displaced.how]}"
        match displaced.how:
            case How.OUTSIDE | How.SUBMODULE:
                yield Problem(
                    code=ProblemCode.LOCK_FILE_DISPLACED,
                    severity=Severity.ERROR,
                    message=f"{said}: what a client reads there was not checked",
                    hint="check submodules out, and put files in the place of links that lead out of the repository",
                )
            case How.NOT_CHECKED_OUT:
                yield Problem(
                    code=ProblemCode.LOCK_FILE_NOT_LOOKED_AT,
                    severity=Severity.WARNING,
                    message=said,
                    hint="“git sparse-checkout disable”, or “git update-index --no-skip-worktree” brings it back",
                )
            case _:
                yield Problem(code=ProblemCode.LOCK_FILE_GONE, severity=Severity.NOTE, message=said)
                if displaced.how.readable:
                    yield from client_problems(sides, lock_file, given=self._finder.client)
                kept = emptied(lock_file) if displaced.how is How.UNTRACKED else lock_file
                repository = displaced.tracking.repository
                yield from (unreadable_at(side) for side in sides if side.unreadable)
                yield from about_absence(repository, kept, sides, place=displaced.place, moved=moved)
                yield from about_what_is_unknown(repository, kept, sides, place=displaced.place, moved=moved)

    def _side(self, displaced: Displaced, side: Side) -> BaseSide:
        found = BaseSide(name=side.label, commit=side.revision.id, ref=side.revision.ref, lock_file=None)
        try:
            there = read_file(displaced.tracking.repository.git, side.revision.id, displaced.place)
            if there is None:
                return found
            found = replace(found, client=client_named_in(there[1]))
            return replace(found, lock_file=self._read(there[1], displaced.path, side.label))
        except GitError as error:
            if error.code not in UNREADABLE:
                raise
            return replace(found, unreadable=error.message)

    def _read(self, data: bytes, path: str, name: str) -> LockFile:
        return earlier_lock_file(data, self._finder.second_reader, path=path, name=name)

    def _places(self, tracking: Tracking) -> set[bytes]:
        """The lock files that every side of the base has; what only passes for one may go without a word."""
        found = (
            {path for path, each in listed.items() if _is_named_so(path) and each.kind is not ObjectKind.SUBMODULE}
            for _, listed in self._sides[tracking.repository.root]
        )
        return set.intersection(*found)

    def _how(self, place: bytes, tracking: Tracking, *, kept: bool) -> How | None:
        """None when it is in sight. `kept` tells whether there is a file at its place that is looked at."""
        repository, listed = tracking.repository, tracking.listed.get(place)
        path = repository.root / os.fsdecode(place)
        if repository.is_there(place):
            if not _inside(Path(os.path.realpath(path)), repository.root):
                return How.OUTSIDE
            if listed is not None and kept:
                return None
            around = folder_with_git(path)
            return How.UNTRACKED if around is None or around == repository.root else How.ELSEWHERE
        folder = Path(os.path.realpath(path.parent))
        if folder != path.parent:
            if not _inside(folder, repository.root) or not folder.is_dir():
                return How.OUTSIDE
            return How.ELSEWHERE if os.path.lexists(folder / path.name) else How.GONE
        if listed is not None and not listed.checked_out:
            same = any(each[place].id == listed.id for _, each in self._sides[repository.root])
            return None if same else How.NOT_CHECKED_OUT
        return How.SUBMODULE if self._in_empty_submodule(place, tracking) else How.GONE

    def _in_empty_submodule(self, place: bytes, tracking: Tracking) -> bool:
        parts = place.split(b"/")
        for above in (b"/".join(parts[:length]) for length in range(1, len(parts))):
            found = tracking.listed.get(above)
            if found is not None and found.kind is ObjectKind.SUBMODULE:
                return not os.path.lexists(tracking.repository.root / os.fsdecode(above) / ".git")
        return False

    def _around(self, path: Path) -> Iterator[tuple[Path, Tracking]]:
        """The repositories that a path lies in by its name or by where it leads, the outermost first.

        With each comes the path, absolute. What a link or a submodule stands in for now was the outer one's own at its
        base. The path lies in the last of them. Of the others, those are passed over that do not know the base or that
        git does not trust.
        """
        named = Path(os.path.normpath(Path(os.path.realpath(self._finder.directory), path)))
        real = Path(os.path.realpath(named))
        last = folder_with_git(named)
        for entry in dict.fromkeys((named, real)):
            folders = [each for each in (entry, *entry.parents) if os.path.realpath(each) == str(each)]
            for root in reversed([each for each in folders if os.path.lexists(each / ".git")]):
                try:
                    tracking = self._opened(root)
                except GitError:
                    if root == last:
                        raise
                    continue
                if tracking is not None:
                    yield entry, tracking

    def _opened(self, root: Path) -> Tracking | None:
        """A repository with its base; None where a base further out had none in its place."""
        if root not in self._tracking:
            place = root / LOCK_FILE_NAME
            repository = self._finder.repository(place, needed=True)
            assert repository is not None  # noqa: S101 - or it was raised
            ground = self._finder.grounds(place, repository, self._base)[-1]
            if ground.repository.root != repository.root:
                self._tracking[root] = None
                return None
            sides = tuple(
                (
                    Side(label=name, revision=revision),
                    {each.path: each for each in files_of(repository.git, revision.id, is_lock_file)},
                )
                for name, revision in ground.sides
            )
            listed = self._listed.get(repository.root)
            if listed is None:
                listed = {each.path: each for each in tracked(repository.git, is_lock_file)}
            self._sides[repository.root] = sides
            self._tracking[root] = Tracking(repository=repository, listed=listed)
        return self._tracking[root]


def emptied(lock_file: LockFile) -> LockFile:
    """The same without anything in it."""
    return replace(lock_file, data=b"", providers=(), warnings=())


def moved_places(standards: Iterable[Standards]) -> frozenset[bytes]:
    """Where the lock files lay at the base that have another place now."""
    return frozenset(os.fsencode(side.renamed_from) for each in standards for side in each.sides if side.renamed_from)


def _is_named_so(path: bytes) -> bool:
    return path.rpartition(b"/")[2] == LOCK_FILE_NAME.encode()


def _inside(path: Path, root: Path) -> bool:
    return path == root or root in path.parents

"""The repositories by whose base a lock file is judged, and the commits that the base stands for in each."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.git.model import Commit
from lockwarden.core.git.places import inside
from lockwarden.core.git.repository import Repository
from lockwarden.core.values.errors import UnknownRevisionError
from lockwarden.core.values.printable import reveal

HEAD: Final = "HEAD"


class Ground(Struct, frozen=True, kw_only=True):
    """A repository by whose base a lock file is judged."""

    repository: Repository
    base: str
    """What the operator calls the base."""
    tip: Commit
    left: Commit
    """Where this branch left the base; the tip where it builds on it."""
    sides: tuple[tuple[str, Commit], ...]
    """What the lock file is compared with, each with its name: both sides of a merge that goes on."""

    @classmethod
    def of(cls, repository: Repository, base: str) -> Ground:
        """The ground that a base gives. Raises UnknownRevisionError and GitError.

        During a merge HEAD stands for both sides of it, and the standards are this side's: the other one comes in.
        """
        merging = repository.sides() if base == HEAD else ()
        if merging:
            ours = merging[0].revision
            sides = tuple((side.label, side.revision) for side in merging)
            return cls(repository=repository, base=base, tip=ours, left=ours, sides=sides)
        tip = repository.commit_at(base)
        left = repository.left_at(tip)
        return cls(repository=repository, base=base, tip=tip, left=left, sides=((base, left),))

    @classmethod
    def pinned(cls, repository: Repository, outer: Ground) -> Ground | None:
        """The ground of a submodule: the commits of it that the outer base has; None where it has none in the place.

        What its own branches are called says nothing: from where they are fetched is for a change of the outer one to
        choose. Raises UnknownRevisionError for a commit that was not fetched, and GitError.
        """
        place = inside(repository.root, outer.repository.root) or b""
        left = outer.submodule_at(outer.left, place, repository)
        if left is None:
            place, left = outer.moved_from(repository)
        if left is None:
            return None
        tip = outer.submodule_at(outer.tip, place, repository) or left
        return cls(repository=repository, base=outer.base, tip=tip, left=left, sides=((outer.base, left),))

    def submodule_at(self, revision: Commit, place: bytes, inner: Repository) -> Commit | None:
        """The commit of a submodule that a revision here has in a place; None when it is none there.

        `inner` is the repository that is there now. Raises UnknownRevisionError when it lacks the commit.
        """
        id_ = self.repository.submodule_at(revision, place)
        if id_ is None:
            return None
        try:
            return replace(inner.commit_at(id_), name=self.base)
        except UnknownRevisionError as error:
            shown = reveal(os.fsdecode(place))
            raise UnknownRevisionError(
                f"{self.called(revision)} has the submodule {shown} at {id_[:12]}, which is not in this clone of it",
                code=error.code,
                hint=f"fetch it first: git -C {shlex.quote(shown)} fetch origin {id_}",
            ) from error

    def moved_from(self, inner: Repository) -> tuple[bytes, Commit | None]:
        """Where a submodule was that has another place now, with its commit there: one that is gone, and known here."""
        for place in self.repository.submodules_gone(self.left):
            with contextlib.suppress(UnknownRevisionError):
                return place, self.submodule_at(self.left, place, inner)
        return b"", None

    @property
    def revisions(self) -> tuple[Commit, ...]:
        """Those whose policies count."""
        return (self.tip,) if self.tip.id == self.left.id else (self.tip, self.left)

    def called(self, revision: Commit) -> str:
        """What people call one of its revisions."""
        return self.base if revision.id == self.tip.id else f"where this branch left {self.base}"


class KnownGrounds(Struct, frozen=True):
    """Grounds that were found, so that each is looked for once, however many lock files are judged by it.

    What a base stands for can change; whoever looks anew has to `forget`.
    """

    _of: dict[tuple[Path, str], Ground | UnknownRevisionError] = msgspec.field(default_factory=dict)
    _pinned: dict[tuple[Path, Path, str], Ground | None] = msgspec.field(default_factory=dict)

    def forget(self) -> None:
        """Find everything anew."""
        self._of.clear()
        self._pinned.clear()

    def of(self, repository: Repository, base: str) -> Ground:
        """The ground that a base gives. Raises as `Ground.of` does."""
        key = (repository.root, base)
        if key not in self._of:
            try:
                self._of[key] = Ground.of(repository, base)
            except UnknownRevisionError as error:
                self._of[key] = error
        found = self._of[key]
        if isinstance(found, UnknownRevisionError):
            raise found
        return found

    def pinned(self, inner: Repository, outer: Ground) -> Ground | None:
        """The ground of a submodule. Raises as `Ground.pinned` does."""
        key = (inner.root, outer.repository.root, outer.base)
        if key not in self._pinned:
            self._pinned[key] = Ground.pinned(inner, outer)
        return self._pinned[key]


def grounds_of(
    repositories: Sequence[Repository], base: str, *, path: Path, directory: Path, known: KnownGrounds
) -> tuple[Ground, ...]:
    """The grounds that a base gives for a file, outermost first, in the repositories around it, innermost first.

    A repository can lie in another one's working tree and be under its version control, as a submodule or as files
    that were there before. Then it is a part of the other, and a change of the outer one decides which repository it
    is. So the outer base comes first. The inner one has a say as the commit that the outer base has of it. Where that
    had no submodule in the place, the inner one has no say. `directory` is where the operator stands: in an inner
    repository they may name a revision that the outer one does not have. Raises GitError.
    """
    chain = [repositories[0]]
    for repository in repositories[1:]:
        inner = chain[-1]
        try:
            revisions = known.of(repository, base).revisions
        except UnknownRevisionError:
            if directory == inner.root or inner.root in directory.parents:
                break
            revisions = ()
        kinds = [repository.kind_at(each, inner.root) for each in (*_heads(repository), *revisions)]
        if not any(kinds) and not _by_link(repository, inner, path):
            break
        chain.append(repository)
    found = [known.of(chain[-1], base)]
    for inner in reversed(chain[:-1]):
        outer = found[-1]
        pinned = None if _by_link(outer.repository, inner, path) else known.pinned(inner, outer)
        if pinned is None:
            break
        found.append(pinned)
    return tuple(found)


def _by_link(outer: Repository, inner: Repository, path: Path) -> bool:
    """Whether a path leads into a repository by way of another place of the one around it."""
    within = inside(inner.root, outer.root) or b""
    return any(not name.startswith(within + b"/") for name in outer.names(path))


def _heads(repository: Repository) -> Iterator[Commit]:
    try:
        yield repository.commit_at(HEAD)
    except UnknownRevisionError:
        return

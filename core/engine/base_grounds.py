"""The repositories by whose base a lock file is judged, and the commits that the base stands for in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.git.model import Kind, Revision
from lockwarden.core.git.places import inside
from lockwarden.core.git.repository import Repository
from lockwarden.core.values.errors import UnknownRevisionError

HEAD: Final = "HEAD"


class Ground(Struct, frozen=True, kw_only=True):
    """A repository by whose base a lock file is judged."""

    repository: Repository
    base: str
    """What the operator calls the base."""
    tip: Revision
    left: Revision
    """Where this branch left the base; the tip where it builds on it."""
    sides: tuple[tuple[str, Revision], ...]
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
        tip = repository.resolve(base)
        left = repository.left_at(tip)
        return cls(repository=repository, base=base, tip=tip, left=left, sides=((base, left),))

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """Those whose policies count."""
        return (self.tip,) if self.tip.id == self.left.id else (self.tip, self.left)

    def called(self, revision: Revision) -> str:
        """What people call one of its revisions."""
        return self.base if revision.id == self.tip.id else f"where this branch left {self.base}"


def grounds_of(repositories: Sequence[Repository], base: str, *, path: Path, directory: Path) -> tuple[Ground, ...]:
    """The grounds that a base gives for a file, outermost first, in the repositories around it, innermost first.

    A repository in another one's working tree that the other has under version control, as a submodule or as files
    that were there before, is a part of it: which one it is, a change of the outer one decides. So the outer base comes
    first, and where that had no submodule in the place, the inner one has no say. `directory` is where the operator
    stands: in an inner repository they may name a revision that the outer one does not have. Raises GitError.
    """
    found: list[Ground] = []
    for place, repository in enumerate(repositories):
        if place == 0:
            try:
                found.append(Ground.of(repository, base))
            except UnknownRevisionError:
                if len(repositories) == 1:
                    raise
            continue
        inner = repositories[place - 1]
        try:
            ground = Ground.of(repository, base)
        except UnknownRevisionError:
            if directory == inner.root or inner.root in directory.parents:
                break
            raise
        kinds = [ground.repository.kind_at(each, inner.root) for each in (*_heads(repository), *ground.revisions)]
        within = inside(inner.root, repository.root) or b""
        by_link = any(not name.startswith(within + b"/") for name in repository.names(path))
        if not any(kinds) and not by_link:
            break
        if by_link or ground.repository.kind_at(ground.left, inner.root) is not Kind.SUBMODULE:
            found.clear()
        found.append(ground)
    if not found:
        Ground.of(repositories[0], base)  # says why there is none
    return tuple(reversed(found))


def _heads(repository: Repository) -> Iterator[Revision]:
    try:
        yield repository.resolve(HEAD)
    except UnknownRevisionError:
        return

"""What stands in the place of a review: while it loads, when there is nothing to review, and when something failed."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.summaries import IN_CONFLICT
from lockwarden.core.values.errors import GitError, LockFileInvalidError, LockwardenError, OwnFileError

_READ_AGAIN: Final = ("⟨ask again⟩", "read it again")
_LEAVE: Final = ("⟨leave⟩", "leave")


class PlaceholderKind(Enum):
    """Why there is no review to see."""

    LOADING = auto()
    EMPTY = auto()
    FAILED = auto()


class Placeholder(Struct, frozen=True, kw_only=True):
    """What happened, the details one by one, and what can be done."""

    kind: PlaceholderKind
    title: str
    rows: tuple[tuple[str, str], ...] = ()
    """Sentences, each with its hint or the empty string."""
    keys: tuple[tuple[str, str], ...] = ()
    """Keys that help, as ⟨ask again⟩, and what they do."""
    in_conflict: bool = False
    """Whether several sides stand in the lock file, which can be resolved."""

    @property
    def harmless(self) -> bool:
        """Whether it stands for no failure, so that the review behind it counts."""
        return self.kind is PlaceholderKind.EMPTY


def loading(path: str) -> Placeholder:
    """The lock file is being read."""
    return Placeholder(kind=PlaceholderKind.LOADING, title=f"Reading {path}")


def unreadable(error: LockwardenError) -> Placeholder:
    """The lock file, or what it is held against, cannot be read; every problem is named, with line and what to do."""
    if isinstance(error, LockFileInvalidError) and any(each.summary in IN_CONFLICT for each in error.diagnostics):
        return Placeholder(
            kind=PlaceholderKind.FAILED,
            title=f"{error.path} is in conflict",
            rows=tuple((str(each), each.hint) for each in error.diagnostics),
            keys=(("⟨resolve⟩", "look at both sides, and resolve it"), _READ_AGAIN, _LEAVE),
            in_conflict=True,
        )
    if isinstance(error, LockFileInvalidError | OwnFileError):
        rows = tuple((str(each), each.hint) for each in error.diagnostics)
        return _failed(f"{error.path} cannot be used", *rows)
    what = "compared" if isinstance(error, GitError) else "read"
    return _failed(f"The lock file cannot be {what}", (error.message, error.hint))


def empty(lock_file: LockFile) -> Placeholder:
    """The lock file holds no provider, so that there is nothing to review."""
    command = lock_file.client.command
    return Placeholder(
        kind=PlaceholderKind.EMPTY,
        title=f"{lock_file.path} locks no provider",
        rows=(("There is nothing to review in it.", f"{command} init or {command} providers lock adds providers"),),
        keys=(_READ_AGAIN, _LEAVE),
    )


def internal_fault(error: BaseException) -> Placeholder:
    """Something failed that should not have: a fault of this program, not of its input."""
    what = f"{type(error).__name__}: {error}"
    return _failed("Lockwarden made a mistake", (what, "nothing was written; please report this"))


def _failed(title: str, *rows: tuple[str, str]) -> Placeholder:
    return Placeholder(kind=PlaceholderKind.FAILED, title=title, rows=rows, keys=(_READ_AGAIN, _LEAVE))

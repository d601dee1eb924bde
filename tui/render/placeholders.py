"""The faces of the app in words: what it shows while it loads, when there is nothing, and when something failed."""

from __future__ import annotations

from typing import Final

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.errors import GitError, LockFileInvalidError, LockwardenError, OwnFileError
from lockwarden.tui.render.styles import Hue, Look
from lockwarden.tui.widgets.face import Face

_BAD: Final = Look("✗", Hue.BAD)
_AGAIN: Final = ("r", "read it again")
_LEAVE: Final = ("q", "leave")


def loading(path: str) -> Face:
    """The lock file is being read."""
    return Face(look=Look("…", Hue.QUIET), title=f"Reading {path}")


def unreadable(error: LockwardenError) -> Face:
    """The lock file, or what it is held against, cannot be read; every problem is named, with line and what to do."""
    keys = (_AGAIN, _LEAVE)
    if isinstance(error, LockFileInvalidError | OwnFileError):
        rows = tuple((str(each), each.hint) for each in error.diagnostics)
        return Face(look=_BAD, title=f"{error.path} cannot be used", rows=rows, keys=keys)
    what = "compared" if isinstance(error, GitError) else "read"
    return Face(look=_BAD, title=f"The lock file cannot be {what}", rows=((error.message, error.hint),), keys=keys)


def empty(lock_file: LockFile) -> Face:
    """The lock file holds no provider, so that there is nothing to review."""
    command = lock_file.client.command
    return Face(
        look=Look("·", Hue.QUIET),
        title=f"{lock_file.path} locks no provider",
        rows=(("There is nothing to review in it.", f"{command} init or {command} providers lock adds providers"),),
        keys=(_AGAIN, _LEAVE),
        harmless=True,
    )


def broken(error: BaseException) -> Face:
    """Something failed that should not have: a fault of this program, not of its input."""
    return Face(
        look=_BAD,
        title="Lockwarden made a mistake",
        rows=((f"{type(error).__name__}: {error}", "nothing was written; please report this"),),
        keys=(_AGAIN, _LEAVE),
    )

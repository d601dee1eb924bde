"""Reads and saves Lockwarden's own files in a repository: the policy and the recorded approvals.

Whoever makes a pull request can put anything at their place: a link out of the repository, a pipe, a folder.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from lockwarden.core.system.atomic_writing import reason_of, sync_folder, written_beside
from lockwarden.core.system.links import link_on_the_way
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import FileChangedError, OwnFileError, PolicyError, SaveError

_AGAIN = "read it again and decide anew"


def read_own_file(
    path: Path,
    *,
    name: str,
    limit: int,
    error: type[OwnFileError],
    follow_links: bool = False,
) -> bytes | None:
    """The bytes of a regular file, `limit + 1` at most; None when there is none. It never waits.

    Raises `error`, which calls the file `name`, when it is anything else, a link that is not to be followed included,
    or cannot be read: then nobody knows what it says.
    """

    def refusal(message: str, hint: str) -> OwnFileError:
        return error(path=name, diagnostics=(Diagnostic(line=0, message=message, hint=hint),))

    try:
        descriptor = open_to_read(path, follow=follow_links)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
                raise refusal(f"it is {what}", "put a plain file there")
            with open(descriptor, "rb", closefd=False) as file:
                return file.read(limit + 1)
        finally:
            os.close(descriptor)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            what = "it is a symbolic link that leads in a circle" if follow_links else "it is a symbolic link"
            raise refusal(what, "put the file itself there; a link could lead anywhere") from problem
        raise refusal(f"it cannot be read: {reason_of(problem)}", "check that you may read it") from problem
    except ValueError as problem:
        raise refusal("its name is not a path", "name a file") from problem


def save_own_file(path: Path, data: bytes, *, expected: bytes | None) -> None:
    """Replace what is at `path`, which must still be `expected`, by `data`; with None there must be nothing yet.

    Links are neither followed nor replaced, in a working tree none on the way either. A crash leaves the old file, or
    none, or the new one whole. Raises FileChangedError when something else is there, SaveError when it cannot be
    written.
    """
    if (link := link_on_the_way(path)) is not None:
        raise SaveError(f"{link} is a symbolic link, and nothing is written through it", hint="make a folder of it")
    _expect(path, expected)
    try:
        like = None if expected is None else path.lstat()
        with written_beside(path, data, like=like) as temporary:
            if expected is None:
                _make(temporary, path)
            else:
                _expect(path, expected)
                temporary.replace(path)
    except FileExistsError as error:
        raise _changed(path, "is there now and was not before") from error
    except OSError as error:
        raise SaveError(
            f"{path} could not be written: {reason_of(error)}",
            hint="check that you may write to its folder and that the disk has room",
        ) from error
    sync_folder(path.parent)


def _make(temporary: Path, path: Path) -> None:
    """Give the file its name unless something has it. Raises FileExistsError, or another OSError."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems know no second name for a file; then there is an instant in which a file can be lost.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        temporary.rename(path)


def _expect(path: Path, expected: bytes | None) -> None:
    try:
        found = read_own_file(path, name=str(path), limit=len(expected or b""), error=PolicyError)
    except PolicyError as error:
        raise _changed(path, f"cannot be read any more: {error.diagnostics[0].message}") from error
    if found == expected:
        return
    if expected is None:
        raise _changed(path, "is there now and was not before")
    raise _changed(path, "was changed since it was read" if found is not None else "is gone")


def _changed(path: Path, what: str) -> FileChangedError:
    return FileChangedError(f"{path} {what}, so nothing was written", hint=_AGAIN)

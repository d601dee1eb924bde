"""Finds the policy that counts for a lock file, and says who can change it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.errors import InputError, PolicyError
from lockwarden.core.hcl.diagnostics import Diagnostic
from lockwarden.core.own_files import read_own_file
from lockwarden.core.policy.model import POLICY_FILE_NAME, Policy
from lockwarden.core.policy.read import MAX_BYTES, read_policy

POLICY_OPTION: Final = "--policy"
POLICY_VARIABLE: Final = "LOCKWARDEN_POLICY"


class FoundPolicy(Struct, frozen=True, kw_only=True):
    """A policy file that is there."""

    path: Path
    """Absolute."""
    name: str
    """As people know it: relative to the repository's root or the lock file's folder, or as the operator named it."""
    data: bytes
    in_reach: bool
    """It lies in the repository or beside the lock file, so that the change under review can change it too."""
    chosen_by: str = ""
    """The option or variable that named it; empty when it was found."""


def find_policy(
    lock_file: Path, *, root: Path | None, option: str | None, environ: Mapping[str, str], directory: Path
) -> FoundPolicy | None:
    """The policy for a lock file; None when there is none.

    A file that `option` or else the variable names wins; relative ones start at `directory`. Without, it is the nearest
    one from the lock file's folder up to the repository's `root`, that included; outside of a repository, and for a
    lock file that a link in it leads out of, only the one beside the lock file. Raises PolicyError when the one that
    counts cannot be read, InputError when a file is named that is not there.
    """
    for text, chosen_by in ((option, POLICY_OPTION), (environ.get(POLICY_VARIABLE), POLICY_VARIABLE)):
        if text is not None:
            return _named(text, chosen_by, root=root, directory=directory)
    start = lock_file.parent.resolve()
    top = start if root is None or root.resolve() not in start.parents else root.resolve()
    for folder in _upwards(start, top):
        path = folder / POLICY_FILE_NAME
        name = path.relative_to(top).as_posix()
        data = read_own_file(path, name=name, limit=MAX_BYTES, error=PolicyError)
        if data is not None:
            return FoundPolicy(path=path, name=name, data=data, in_reach=True)
    return None


def load_policy(found: FoundPolicy, *, known: Iterable[str] = ()) -> Policy:
    """Read a policy that was found. Raises PolicyError as `read_policy` does."""
    return read_policy(found.data, path=found.name, folder=found.path.parent, known=known)


def _upwards(folder: Path, top: Path) -> Iterator[Path]:
    """The folder and those above it up to the top one."""
    yield folder
    while folder != top:
        folder = folder.parent
        yield folder


def _named(text: str, chosen_by: str, *, root: Path | None, directory: Path) -> FoundPolicy:
    if not text.strip() or "\0" in text:
        raise InputError(f"{chosen_by} names no file", hint="name a policy file, or leave it out to have it looked for")
    path = (directory / text).absolute()
    in_reach = root is not None and _lies_in(path, root)
    data = read_own_file(path, name=text, limit=MAX_BYTES, error=PolicyError, follow_links=not in_reach)
    if data is None:
        message = f"there is no such file, and {chosen_by} names it"
        raise PolicyError(path=text, diagnostics=(Diagnostic(line=0, message=message, hint="check its name"),))
    return FoundPolicy(path=path, name=text, data=data, in_reach=in_reach, chosen_by=chosen_by)


def _lies_in(path: Path, folder: Path) -> bool:
    """Whether the file, or the link that leads to it, is somewhere below a folder."""
    below = Path(os.path.realpath(folder))
    named, real = Path(os.path.realpath(path.parent)) / path.name, Path(os.path.realpath(path))
    return below in named.parents or below in real.parents

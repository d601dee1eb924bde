"""Finds the policy that counts for a lock file, and says who can change it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from lockwarden.core.git.places import way_of
from lockwarden.core.policy.model import MAX_BYTES, POLICY_FILE_NAME, Policy
from lockwarden.core.system.links import absolute_folder
from lockwarden.core.system.own_files import is_anothers, read_own_file, upwards
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import InputError, PolicyError

if TYPE_CHECKING:
    from lockwarden.core.policy.other_signers import NamedFile

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


class SearchedPolicy(Struct, frozen=True, kw_only=True):
    """What was found for a lock file, and what was not taken on the way."""

    found: FoundPolicy | None
    anothers: tuple[Path, ...] = ()
    """Nearer ones that do not count, because they belong to another user."""


def named_policy(option: str | None, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """The policy that the operator names, with the option or the variable that does; None when none is named.

    Raises InputError for a name that is none.
    """
    for text, chosen_by in ((option, POLICY_OPTION), (environ.get(POLICY_VARIABLE), POLICY_VARIABLE)):
        if text is not None:
            if not text.strip() or "\0" in text:
                raise InputError(
                    f"{chosen_by} names no file", hint="name a policy file, or leave it out to have it looked for"
                )
            return text, chosen_by
    return None


def named_from(directory: Path, text: str) -> Path:
    """The absolute path of a file that is named from a folder.

    The system knows the folder without links, so the dots that a name begins with lead where they always led. All
    other dots stay, since what is before them could become a link.
    """
    folder, ahead = Path(os.path.realpath(directory)), Path(text)
    while ahead.parts[:1] == (os.pardir,):
        folder, ahead = folder.parent, Path(*ahead.parts[1:])
    return folder / ahead


def find_policy(
    lock_file: Path, *, root: Path | None, option: str | None, environ: Mapping[str, str], directory: Path
) -> FoundPolicy | None:
    """The policy on disk for a lock file; None when there is none.

    A file that `option` or else the variable names wins; relative ones start at `directory`. Without, it is what
    `search_policy` finds. Raises PolicyError when the one that counts cannot be read, InputError when a file is named
    that is not there.
    """
    named = named_policy(option, environ)
    if named is None:
        return search_policy(lock_file, root=root).found
    text, chosen_by = named
    path = named_from(directory, text)
    in_reach = root is not None and way_of(path, root).enters
    found = read_named(path, text, chosen_by, in_reach=in_reach)
    if found is None:
        raise not_there(text, chosen_by)
    return found


def search_policy(lock_file: Path, *, root: Path | None) -> SearchedPolicy:
    """The nearest policy from the lock file's folder up to the repository's `root`, that included.

    Without a repository it is looked for up to the root of the file system, and files of other users do not count. A
    lock file that a link in the repository leads out of it has the policy beside it, else that of its name's place.
    """
    start = lock_file.parent.resolve()
    if root is None:
        return _anywhere(start)
    top = root.resolve()
    named = Path(os.path.abspath(lock_file)).parent  # noqa: PTH100 - no link may be followed
    if start == top or top in start.parents:
        folders = [*upwards(start, top)]
    else:
        folders = [start, *(upwards(named, top) if named == top or top in named.parents else ())]
    for folder in folders:
        name = (
            (folder / POLICY_FILE_NAME).relative_to(top).as_posix() if folder.is_relative_to(top) else POLICY_FILE_NAME
        )
        found = _in(folder, name)
        if found is not None:
            return SearchedPolicy(found=found)
    return SearchedPolicy(found=None)


def _anywhere(start: Path) -> SearchedPolicy:
    anothers: list[Path] = []
    for folder in upwards(start):
        path = folder / POLICY_FILE_NAME
        if is_anothers(path):
            anothers.append(path)
            continue
        found = _in(folder, POLICY_FILE_NAME if folder == start else str(path))
        if found is not None:
            return SearchedPolicy(found=found, anothers=tuple(anothers))
    return SearchedPolicy(found=None, anothers=tuple(anothers))


def _in(folder: Path, name: str) -> FoundPolicy | None:
    path = folder / POLICY_FILE_NAME
    data = read_own_file(path, name=name, limit=MAX_BYTES, error=PolicyError)
    return None if data is None else FoundPolicy(path=path, name=name, data=data, in_reach=True)


def read_named(path: Path, text: str, chosen_by: str, *, in_reach: bool) -> FoundPolicy | None:
    """The file that the operator named; None when it is not there. Raises PolicyError.

    Links that the change could have made are not followed at its end.
    """
    data = read_own_file(path, name=text, limit=MAX_BYTES, error=PolicyError, follow_links=not in_reach)
    return (
        None if data is None else FoundPolicy(path=path, name=text, data=data, in_reach=in_reach, chosen_by=chosen_by)
    )


def not_there(text: str, chosen_by: str, where: str = "") -> PolicyError:
    """The error for a named file that is not there."""
    message = f"there is no such file{where}, and {chosen_by} names it"
    return PolicyError(path=text, diagnostics=(Diagnostic(line=0, message=message, hint="check its name"),))


def load_policy(found: FoundPolicy, *, known: Iterable[str] = ()) -> Policy:
    """Read a policy that was found. Raises PolicyError as `read_policy` does."""
    from lockwarden.core.engine.policy_named_files import on_disk

    folder = found.path.parent
    files = on_disk(folder, follow_links=not found.in_reach)
    return policy_of(found.data, path=found.name, folder=folder, files=files, known=known)


def policy_of(data: bytes, *, path: str, folder: Path, files: NamedFile, known: Iterable[str] = ()) -> Policy:
    """What a policy says that lies in a folder, now or at some revision. Raises PolicyError as `read_policy` does.

    The folders of its mirrors are spelt as those of sources are, so that both name the same mirror.
    """
    from lockwarden.core.policy.read import read_policy  # most folders have no policy

    return read_policy(data, path=path, folder=folder, known=known, named_file=files, folder_of=absolute_folder)

"""The module calls of the configurations that a command was given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lockwarden.core.git.places import folder_with_git
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.reading import LIMITS, list_calls
from lockwarden.core.system.configuration_files import FolderFiles
from lockwarden.core.values.errors import InputError

DATA_FOLDER_VARIABLE: Final = "TF_DATA_DIR"


def list_modules(
    paths: Iterable[str], environ: Mapping[str, str], *, both_clients: bool = False
) -> tuple[ModuleListing, ...]:
    """Read the configuration of each folder, or of the folder that a file lies in; the current one by default.

    With `both_clients` the calls that only the other client than the lock file's would make are there as well: which
    one that is, a change can say. Nothing outside of a folder's repository is read. It blocks. Raises InputError for a
    path that is none.
    """
    return tuple(_listed(path, environ, both_clients=both_clients) for path in dict.fromkeys(paths or (".",)))


def _listed(path: str, environ: Mapping[str, str], *, both_clients: bool) -> ModuleListing:
    folder = _folder(path)
    real = Path(os.path.realpath(folder))
    within = folder_with_git(real) or real
    data_folder = environ.get(DATA_FOLDER_VARIABLE, "")
    listing = list_calls(real, FolderFiles(within, LIMITS), named=str(folder), data_folder=data_folder)
    if not both_clients or not listing.other_files:
        return listing
    files = FolderFiles(within, LIMITS)
    other = list_calls(real, files, named=str(folder), data_folder=data_folder, client=listing.client.other)
    known = {_written(each) for each in listing.calls}
    more = tuple(each for each in other.calls if _written(each) not in known)
    problems = dict.fromkeys((*listing.problems, *other.problems))
    return replace(listing, calls=(*listing.calls, *more), problems=tuple(problems))


def _written(listed: ListedCall) -> object:
    """A call as it stands in a file, by whichever client's rules."""
    call = listed.call
    return listed.key, call.path, call.line, call.source, call.version


def _folder(path: str) -> Path:
    try:
        found = Path(path)
        if path and found.is_dir():
            return found
        if path and found.is_file():
            return found.parent
    except (OSError, ValueError):
        pass  # told below
    raise InputError(f"there is no folder “{path[:200]}”", hint="name the folder of a root module, with its .tf files")

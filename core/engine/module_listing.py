"""The module calls of the configurations that a command was given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.git.repository import folder_with_git
from lockwarden.core.modules.reading import ModuleListing, list_calls
from lockwarden.core.values.errors import InputError

DATA_FOLDER_VARIABLE: Final = "TF_DATA_DIR"


def list_modules(paths: Iterable[str], environ: Mapping[str, str]) -> tuple[ModuleListing, ...]:
    """Read the configuration of each folder, or of the folder that a file lies in; the current one by default.

    Nothing outside of a folder's repository is read. It blocks. Raises InputError for a path that is none.
    """
    return tuple(_listed(path, environ) for path in dict.fromkeys(paths or (".",)))


def _listed(path: str, environ: Mapping[str, str]) -> ModuleListing:
    folder = _folder(path)
    real = Path(os.path.realpath(folder))
    within = folder_with_git(real) or real
    return list_calls(folder, named=str(folder), within=within, data_folder=environ.get(DATA_FOLDER_VARIABLE, ""))


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

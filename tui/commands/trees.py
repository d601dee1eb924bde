"""The lock files of whole trees, without those that git ignores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lockwarden.core.errors import LockFileError, LockwardenError
from lockwarden.core.git.repository import find_repository
from lockwarden.core.lockfile.tree import FoundFile, UnreadableFolder, files_below


def files_in(paths: Iterable[str], environ: Mapping[str, str]) -> Iterator[str | LockFileError]:
    """Every lock file in the folders and below them, each once; a path that is no folder stays as it is.

    What git ignores is left out, unless it is tracked: a change cannot hide a lock file by ignoring it. Where git
    cannot be asked, nothing is left out. A folder that cannot be looked into, or that holds no lock file, is an error
    of its own, and the others go on.
    """
    seen: set[str] = set()
    for path in paths:
        for each in _files_in(Path(path), environ) if _is_folder(path) else (path,):
            if str(each) not in seen:
                seen.add(str(each))
                yield each


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False  # what is wrong with it is told where it is read


def _files_in(top: Path, environ: Mapping[str, str]) -> Iterator[str | LockFileError]:
    found = list(files_below(top))
    ignored = _ignored((each for each in found if isinstance(each, FoundFile)), top, environ)
    for each in found:
        match each:
            case UnreadableFolder(path=path, reason=reason):
                yield LockFileError(
                    f"{path} cannot be looked into: {reason}", path=str(path), hint="check what you may read there"
                )
            case FoundFile(path=path) if path not in ignored:
                yield str(path)
            case FoundFile():
                pass
    if all(isinstance(each, FoundFile) and each.path in ignored for each in found):
        where = f"in {top} or below it"
        message = f"all lock files {where} are ignored by git" if found else f"there is no lock file {where}"
        yield LockFileError(message, path=str(top), hint="run tofu init or terraform init to make one")


def _ignored(found: Iterable[FoundFile], top: Path, environ: Mapping[str, str]) -> frozenset[Path]:
    by_repository: defaultdict[Path, list[Path]] = defaultdict(list)
    for each in found:
        by_repository[each.repository or top].append(each.path)
    ignored: set[Path] = set()
    for folder, paths in by_repository.items():
        try:
            repository = find_repository(folder, environ)
            ignored |= repository.ignored(paths) if repository is not None else set()
        except LockwardenError:
            continue
    return frozenset(ignored)

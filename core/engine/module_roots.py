"""The root modules of a run: the folders whose configurations are looked at, also those that have no lock file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.configuration.names import is_configuration, is_test
from lockwarden.core.engine.lock_file_reading import is_folder
from lockwarden.core.engine.module_listing import list_modules
from lockwarden.core.git.places import folder_with_git
from lockwarden.core.git.repository import Repository
from lockwarden.core.modules.listing import ModuleListing
from lockwarden.core.modules.module_lock import MODULE_LOCK
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.system.walking import walked
from lockwarden.core.values.errors import InputError, LockwardenError

MAX_FOLDERS: Final = 5_000
"""Folders that are looked into in search of root modules."""
_CACHES: Final = frozenset({".git", ".terraform", ".terragrunt-cache"})


class NamedPaths(Struct, frozen=True, kw_only=True):
    """What a command with `--modules` was given."""

    lock_files: tuple[str, ...] | None
    """Lock files, and folders that may have one; None where all that was named is something else."""
    configurations: tuple[str, ...] = ()
    """Folders of configuration files that were named."""
    module_locks: tuple[str, ...] = ()
    """Folders in whose `.lockwarden` a module lock was named."""


def named_paths(paths: Iterable[str]) -> NamedPaths:
    """What each path stands for: a hook names the files of a commit, and those of a configuration stand for its folder.

    A module lock stands for itself.
    """
    lock_files: list[str] = []
    configurations: list[str] = []
    module_locks: list[str] = []
    everything = tuple(paths)
    for path in everything:
        folder, name = os.path.split(path)
        if is_configuration(name) and not is_folder(path):
            configurations.append(folder or ".")
        elif os.path.normpath(path).endswith(MODULE_LOCK):
            module_locks.append(os.path.normpath(path).removesuffix(MODULE_LOCK) or ".")
        else:
            lock_files.append(path)
    return NamedPaths(
        lock_files=tuple(lock_files) if lock_files or not everything else None,
        configurations=tuple(dict.fromkeys(configurations)),
        module_locks=tuple(dict.fromkeys(module_locks)),
    )


def root_modules(
    lock_files: Iterable[str],
    folders: Iterable[str],
    tops: Iterable[str],
    environ: Mapping[str, str],
    open_repository: Callable[[Path], Repository],
) -> tuple[ModuleListing, ...]:
    """The module calls of the configurations beside lock files, of other folders, and of all below some `tops`.

    Below a top every folder that has a configuration counts, but for what git ignores, and for modules that another
    one calls as its own. A folder without a configuration, or that is gone, has no calls. It blocks. Raises InputError
    for more folders than the limit.
    """
    sure = dict.fromkeys(_folder_of(each) for each in lock_files)
    sure |= dict.fromkeys(os.path.normpath(each) for each in folders)
    found = {folder: _listed(folder, environ) for folder in sure if _has_configuration(folder)}
    more = [each for each in _all_below(tops, open_repository) if each not in found]
    listings = {folder: _listed(folder, environ) for folder in more}
    called = {place for folder, listing in listings.items() for place in _called(listing) if place != _place(folder)}
    found |= {folder: listing for folder, listing in listings.items() if _place(folder) not in called | _reached(found)}
    for folder, listing in listings.items():  # those that call each other in a circle
        if _place(folder) not in _reached(found):
            found[folder] = listing
    return tuple(found.values())


def _folder_of(lock_file: str) -> str:
    return os.path.normpath(os.path.dirname(lock_file) or ".")  # noqa: PTH120 - a text


def _listed(folder: str, environ: Mapping[str, str]) -> ModuleListing:
    (listing,) = list_modules([folder], environ, both_clients=True)
    return listing


def _has_configuration(folder: str) -> bool:
    try:
        return any(map(is_configuration, os.listdir(folder)))  # noqa: PTH208 - names alone
    except (OSError, ValueError):
        return False


def _place(folder: str) -> str:
    return os.path.realpath(folder)


def _called(listing: ModuleListing) -> Iterator[str]:
    for each in listing.calls:
        if each.classified.pinning is Pinning.LOCAL and each.folder:
            yield _place(each.folder)


def _reached(found: Mapping[str, ModuleListing]) -> set[str]:
    return {_place(folder) for folder in found} | {place for listing in found.values() for place in _called(listing)}


def _all_below(tops: Iterable[str], open_repository: Callable[[Path], Repository]) -> Iterator[str]:
    count = 0
    for top in tops:
        if not is_folder(top):
            continue
        for folder in _kept(list(_below(top)), top, open_repository):
            count += 1
            if count > MAX_FOLDERS:
                raise InputError(
                    f"there are more than {MAX_FOLDERS} folders with configurations below {top}",
                    hint="name fewer of them at a time",
                )
            yield folder


def _below(top: str) -> Iterator[tuple[str, str]]:
    """Every folder with a configuration, not only of tests, and the first of its files. Links are not followed."""
    for folder, folders, names in walked(top):
        folders[:] = sorted(each for each in folders if each not in _CACHES)
        first = next((each for each in sorted(names) if is_configuration(each) and not is_test(each)), "")
        if first:
            yield os.path.normpath(folder), first


def _kept(found: Sequence[tuple[str, str]], top: str, open_repository: Callable[[Path], Repository]) -> Sequence[str]:
    """The folders without those that git ignores; all, where git cannot be asked."""
    around = folder_with_git(Path(top))
    ignored: frozenset[Path] = frozenset()
    if around is not None:
        try:
            repository = open_repository(around)
            inside = [Path(folder) / name for folder, name in found if folder_with_git(Path(folder)) == around]
            ignored = repository.ignored(inside)
        except LockwardenError:
            pass  # what cannot be asked leaves nothing out
    return [folder for folder, name in found if Path(folder) / name not in ignored]

"""What lies in the folder of a package store: how much of what, and how it is removed. Everything here blocks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from lockwarden.core.store.known_facts import fact_files
from lockwarden.core.store.known_releases import release_files
from lockwarden.core.store.package_files import FACTS, PACKAGES, RELEASES, package_files


class Kept(Struct, frozen=True, kw_only=True):
    """Files of one sort."""

    files: int
    size: int
    """Bytes of all of them together."""


def kept_packages(folder: Path) -> Kept:
    """The packages in a store's folder, also those that are arriving."""
    return _counted(package_files(folder / PACKAGES))


def kept_facts(folder: Path) -> Kept:
    """The facts in a store's folder; whether they are sound is seen when they are used."""
    return _counted(fact_files(folder / FACTS))


def kept_releases(folder: Path) -> Kept:
    """What is known of releases in a store's folder, a file for each provider."""
    return _counted(release_files(folder / RELEASES))


def clear_packages(folder: Path) -> None:
    """Remove all packages; what is known of them stays. What cannot be removed stays, too."""
    _remove(package_files(folder / PACKAGES))


def clear_facts(folder: Path) -> None:
    """Remove all that is known of packages and of releases. What cannot be removed stays."""
    _remove((*fact_files(folder / FACTS), *release_files(folder / RELEASES)))


def _counted(paths: Iterable[Path]) -> Kept:
    sizes = list(_sizes(paths))
    return Kept(files=len(sizes), size=sum(sizes))


def _sizes(paths: Iterable[Path]) -> Iterator[int]:
    for path in paths:
        with contextlib.suppress(OSError):  # another process may have removed it
            yield path.lstat().st_size


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()

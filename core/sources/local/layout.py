"""Finds the packages of one provider in a folder, by the rules of the clients' search for local packages.

Two layouts exist below the base folder: `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH` is a folder (unpacked), and
`HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip` is a file (packed). Names are normalised as in
addresses. Links are followed for the base folder and for the package itself, nowhere between. Unlike the clients,
which walk the whole tree, only the provider's own folders are entered. Nothing is ever written.

Rules: OpenTofu, `internal/getproviders/filesystem_search.go`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from enum import Enum, auto
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.errors import (
    InvalidAddressError,
    InvalidPlatformError,
    InvalidVersionError,
    NoAnswerError,
    NotThereError,
    Stage,
)
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.versions import Version

MAX_ENTRIES: Final = 100_000
"""Names that are read in search of one provider. The largest mirrors hold some thousand packages of one provider."""

_SUFFIX: Final = ".zip"
_LINK: Final = "it is a link, which the clients do not follow there"
_NAME: Final = "its name has no version or no platform that could be used"


class _Kind(Enum):
    """What a name in a folder stands for."""

    FOLDER = auto()
    LINK_TO_FOLDER = auto()
    FILE = auto()
    """Anything else that exists, links followed."""
    NOTHING = auto()
    """A link that leads nowhere, or something that may not be looked at."""


def _kind(path: Path) -> _Kind:
    try:
        if stat.S_ISDIR(path.stat().st_mode):
            return _Kind.LINK_TO_FOLDER if path.is_symlink() else _Kind.FOLDER
    except OSError:
        return _Kind.NOTHING
    return _Kind.FILE


class LocalPackage(Struct, frozen=True, kw_only=True):
    """One package in a folder, by its name; nothing of it was read."""

    version: Version
    platform: Platform
    path: Path
    packed: bool
    """An archive; otherwise a folder."""


class LocalProvider(Struct, frozen=True, kw_only=True):
    """What a folder holds of one provider."""

    packages: tuple[LocalPackage, ...]
    """In the order in which the clients come across them; the first of a version and platform is the one they use."""
    folders: tuple[Path, ...]
    """The folders that stand for the provider: one, unless names differ in case or Unicode form only."""
    ignored: tuple[str, ...]
    """Paths below the base that look like part of the provider and that the clients pass over, each with the reason."""

    def of_version(self, version: Version) -> tuple[LocalPackage, ...]:
        """The packages of one version, metadata included, in the clients' order."""
        return tuple(package for package in self.packages if package.version == version)


def find_provider(
    base: Path, address: ProviderAddress, *, packed: bool = True, limit: int = MAX_ENTRIES
) -> LocalProvider:
    """Search `base` for the packages of one provider, archives among them only if `packed`. It blocks.

    Raises NotThereError when something else is in the folder's place, which the clients take for an empty one, and
    NoAnswerError when nothing is there, or it cannot be read, or holds more than `limit` names on the way.
    """
    if _is_no_folder(base):
        raise _no_folder(base)
    search = _Search(address, packed, limit)
    found: list[LocalPackage] = []
    folders: list[Path] = []
    for host in search.folders(base, search.is_host):
        for namespace in search.folders(host, search.is_namespace):
            for folder in search.folders(namespace, search.is_type):
                folders.append(folder)
                found += search.packages(folder)
    ignored = tuple(f"{below(base, path)}: {why}" for path, why in search.ignored)
    return LocalProvider(packages=tuple(found), folders=tuple(folders), ignored=ignored)


def _is_no_folder(base: Path) -> bool:
    """Whether something else is in a folder's place: a file, or a link that leads to no folder."""
    try:
        return base.is_symlink() if _kind(base) is _Kind.NOTHING else _kind(base) is _Kind.FILE
    except (OSError, ValueError):
        return False


class _Search:
    """One search for one provider, which counts the names that it reads."""

    def __init__(self, address: ProviderAddress, packed: bool, limit: int) -> None:
        self.address = address
        self.packed = packed
        self.limit = limit
        self.seen = 0
        self.ignored: list[tuple[Path, str]] = []

    def is_host(self, name: str) -> bool:
        try:
            return Hostname.parse(name) == self.address.hostname
        except InvalidAddressError:
            return False

    def is_namespace(self, name: str) -> bool:
        host = self.address.hostname.display
        return self._same(f"{host}/{name}/{self.address.type}")

    def is_type(self, name: str) -> bool:
        host = self.address.hostname.display
        return self._same(f"{host}/{self.address.namespace}/{name}")

    def _same(self, text: str) -> bool:
        try:
            return ProviderAddress.parse(text) == self.address
        except InvalidAddressError:
            return False

    def folders(self, parent: Path, wanted: Callable[[str], bool]) -> Iterator[Path]:
        for path in self._entries(parent):
            if not wanted(path.name):
                continue
            match _kind(path):
                case _Kind.FOLDER:
                    yield path
                case _Kind.LINK_TO_FOLDER:
                    self.ignored.append((path, _LINK))
                case _:
                    pass

    def packages(self, folder: Path) -> Iterator[LocalPackage]:
        for path in self._entries(folder):
            match _kind(path):
                case _Kind.FOLDER:
                    yield from self._unpacked(path)
                case _Kind.LINK_TO_FOLDER if _version(path.name) is not None:
                    self.ignored.append((path, _LINK))
                case _Kind.FILE if self.packed and self._names_an_archive(path.name):
                    yield from self._packed(path)
                case _:
                    pass

    def _unpacked(self, folder: Path) -> Iterator[LocalPackage]:
        version = _version(folder.name)
        for path in self._entries(folder):
            if _kind(path) not in {_Kind.FOLDER, _Kind.LINK_TO_FOLDER}:
                continue
            platform = _platform(path.name)
            if version is None or platform is None:
                self.ignored.append((path, _NAME))
            else:
                yield LocalPackage(version=version, platform=platform, path=path, packed=False)

    def _names_an_archive(self, name: str) -> bool:
        lowered = _lowered(name)
        return lowered.startswith(self._prefix) and lowered.endswith(_SUFFIX)

    def _packed(self, path: Path) -> Iterator[LocalPackage]:
        parts = _lowered(path.name)[len(self._prefix) : -len(_SUFFIX)].split("_")
        version = _version(parts[0])
        platform = _platform("_".join(parts[1:3])) if len(parts) >= 3 else None
        if version is None or platform is None:
            self.ignored.append((path, _NAME))
        else:
            yield LocalPackage(version=version, platform=platform, path=path, packed=True)

    @property
    def _prefix(self) -> str:
        return f"terraform-provider-{self.address.type}_"

    def _entries(self, folder: Path) -> list[Path]:
        """What the folder holds, in the order of the clients' walk: by the bytes of the names."""
        names: list[str] = []
        try:
            with os.scandir(folder) as scan:
                for entry in scan:
                    self.seen += 1
                    if self.seen > self.limit:
                        raise _too_many(folder, self.limit)
                    names.append(entry.name)
        except (OSError, ValueError) as error:
            raise _unreadable(folder, error) from error
        return [folder / name for name in sorted(names, key=os.fsencode)]


def _version(text: str) -> Version | None:
    try:
        return Version.parse(text)
    except InvalidVersionError:
        return None


def _platform(text: str) -> Platform | None:
    # A name that is not text cannot be a platform that anyone asks for, and cannot be written to a report either.
    if not text.isprintable():
        return None
    try:
        return Platform.parse(text)
    except InvalidPlatformError:
        return None


def below(base: Path, path: Path) -> str:
    """The path from `base` on, with bytes that are not text spelled out."""
    return str(path.relative_to(base)).encode("utf-8", "backslashreplace").decode()


def _lowered(name: str) -> str:
    """Lower case letter by letter, as Go does it: no letter becomes two, and none depends on its neighbours."""
    return "".join(char.lower()[0] for char in name)


def _unreadable(folder: Path, error: OSError | ValueError) -> NoAnswerError:
    reason = error.strerror if isinstance(error, OSError) else "it is no path"
    return NoAnswerError(
        f"the folder {folder} cannot be searched: {reason or error}",
        stage=Stage.FOLDER,
        code=ProblemCode.FOLDER_UNREADABLE,
        hint="check that the folder exists and that you may read it",
    )


def _no_folder(base: Path) -> NotThereError:
    what = "a link that leads to no folder" if base.is_symlink() else "a file and no folder"
    return NotThereError(
        f"{base} is {what}, and the clients find nothing in it",
        stage=Stage.FOLDER,
        code=ProblemCode.FOLDER_UNREADABLE,
        hint="name the folder that directly holds the registries' host names",
    )


def _too_many(folder: Path, limit: int) -> NoAnswerError:
    return NoAnswerError(
        f"the search for one provider came across more than {limit} names and was given up in {folder}",
        stage=Stage.FOLDER,
        code=ProblemCode.FOLDER_TOO_LARGE,
        hint="point at the folder that directly holds the registries' host names",
    )

"""How a folder of packages is read: on disk, or as somebody else is to tell."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from lockwarden.core.sources.local.layout import LocalPackage, LocalProvider, find_provider
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.unpacked_folders import FolderFacts, inspect_folder
from lockwarden.core.system.blocking import stoppable
from lockwarden.core.values.addresses import ProviderAddress


class FolderReading(Protocol):
    """Finds the packages of a folder, and says what they are."""

    @property
    def base(self) -> Path:
        """What the places of packages are below."""
        ...

    def search(self, address: ProviderAddress, *, packed: bool) -> LocalProvider:
        """As `find_provider` does; it may block. Raises NotThereError and NoAnswerError."""
        ...

    async def archive(self, package: LocalPackage) -> KnownPackage:
        """What a packed package is. Raises NoAnswerError and BadAnswerError as `PackageStore.adopt` does."""
        ...

    async def unpacked(self, package: LocalPackage) -> FolderFacts:
        """What an unpacked package holds. Raises ArchiveError as `inspect_folder` does."""
        ...


class OnDisk:
    """The folder itself. `store` has to be there where packed packages are looked for."""

    def __init__(self, folder: Path, store: PackageStore | None = None) -> None:
        self.base = folder
        self._store = store

    def search(self, address: ProviderAddress, *, packed: bool) -> LocalProvider:
        """Look into the folder."""
        return find_provider(self.base, address, packed=packed)

    async def archive(self, package: LocalPackage) -> KnownPackage:
        """Hash a package that is an archive."""
        if self._store is None:
            raise RuntimeError("an archive is to be read where only folders are packages")
        return await self._store.adopt(package.path)

    async def unpacked(self, package: LocalPackage) -> FolderFacts:
        """Hash a package that is a folder."""
        return await stoppable(lambda stop: inspect_folder(package.path, stop=stop))

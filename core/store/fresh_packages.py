"""A package store that takes packages in and gives none from earlier runs out, so that all is computed anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.package_files import ArrivingFile
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage, StoreLimits
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.values.hashes import Hash


class FreshPackageStore(PackageStore):
    """What arrives is kept for later runs as ever; within this one it is found again."""

    def __init__(
        self,
        folder: Path | None,
        *,
        now: Callable[[], float],
        key: UserKey | None = None,
        limits: StoreLimits | None = None,
    ) -> None:
        super().__init__(folder, key=key, limits=limits, now=now)
        self._arrived: set[tuple[str, Hash]] = set()

    async def find(self, zh: Hash) -> KnownPackage | None:
        """What has arrived in this run, and nothing else that is there."""
        return await super().find(zh) if (self._giver, zh) in self._arrived else None

    async def keep(
        self, arriving: ArrivingFile, size: int, *, promised: Callable[[Hash], bool] = lambda _: True
    ) -> StoredPackage:
        """Take a package that has arrived whole."""
        stored = await super().keep(arriving, size, promised=promised)
        self._has_arrived(stored)
        return stored

    async def learn(self, package: KnownPackage, *, promised: bool, lasting: bool) -> None:
        """Take in what somebody else has computed in this run."""
        await super().learn(package, promised=promised, lasting=lasting)
        self._has_arrived(package)

    def _has_arrived(self, package: KnownPackage) -> None:
        self._arrived |= {("", package.zh), (self._giver, package.zh)}

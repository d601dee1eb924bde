"""A package store that takes packages in and never gives an earlier one out, so that everything is fetched anew."""

from __future__ import annotations

from lockwarden.core.hashes import Hash
from lockwarden.core.packages import PackageStore, StoredPackage


class FreshPackageStore(PackageStore):
    """What arrives is kept for later runs as ever."""

    async def find(self, zh: Hash) -> StoredPackage | None:  # noqa: ARG002 - the store's
        """Nothing, whatever is there."""
        return None

"""Packages that a client has unpacked already: its plugin cache, and what is installed under `.terraform/providers`.

Both have the unpacked layout of a filesystem mirror; archives in them are nothing to the clients. What lies there may
have been changed since it was installed, and only an `h1` can be computed from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import SourceKind, SourceRef
from lockwarden.core.sources.local.folder import LocalFolder
from lockwarden.core.sources.local.reading import FolderReading, OnDisk
from lockwarden.core.sources.local.release import examine_folder
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version


class UnpackedProvidersSource:
    """The unpacked packages in `folder`; `kind` is PLUGIN_CACHE or INSTALLED."""

    def __init__(
        self,
        folder: Path,
        *,
        kind: SourceKind = SourceKind.PLUGIN_CACHE,
        id: str = "",  # noqa: A002 - the port's word
        reading: FolderReading | None = None,
    ) -> None:
        """Without an `id` the source is called by the folder's name, with its parent's for installed providers.

        Without a `reading` the folder itself is read.
        """
        location = str(folder)
        name = "/".join(folder.parts[-2:]) if kind is SourceKind.INSTALLED else folder.name
        self.ref = SourceRef(id=id or name or location, kind=kind, location=location)
        self._reading = reading or OnDisk(folder)
        self._folder = LocalFolder(self._reading, self.ref, packed=False)

    async def open(
        self,
        address: ProviderAddress,
        version: Version,
        *,
        platforms: Sequence[Platform],  # noqa: ARG002 - one look at the names shows every platform
        report: Report,
    ) -> OpenRelease:
        """Search the folder for the provider and pick the unpacked packages of one version."""
        examine = partial(examine_folder, reading=self._reading, source=self.ref, provider_type=address.type)
        return await self._folder.open(address, version, examine=examine, report=report)

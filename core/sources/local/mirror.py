"""A filesystem mirror: a folder of packages, packed or unpacked, that clients install from without asking anybody.

The folder is read and hashed in place, and never written to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem, SourceKind, SourceRef
from lockwarden.core.sources.local.folder import LocalFolder
from lockwarden.core.sources.local.layout import LocalPackage
from lockwarden.core.sources.local.reading import FolderReading, OnDisk
from lockwarden.core.sources.local.release import ExaminedFolder, examine_folder
from lockwarden.core.sources.package_content import archive_observations, stored_problems, stored_refusal, unhashable
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import NoAnswerError, SourceError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version


class FilesystemMirrorSource:
    """The packages in `folder`, in both layouts."""

    def __init__(
        self,
        folder: Path,
        store: PackageStore,
        *,
        id: str = "",  # noqa: A002 - the port's word
        reading: FolderReading | None = None,
    ) -> None:
        """Without an `id` the source is called by the folder's name; without a `reading` the folder itself is read."""
        location = str(folder)
        self.ref = SourceRef(id=id or folder.name or location, kind=SourceKind.FILESYSTEM_MIRROR, location=location)
        self._reading = reading or OnDisk(folder, store)
        self._folder = LocalFolder(self._reading, self.ref, packed=True)

    async def open(
        self,
        address: ProviderAddress,
        version: Version,
        *,
        platforms: Sequence[Platform],  # noqa: ARG002 - one look at the names shows every platform
        report: Report,
    ) -> OpenRelease:
        """Search the folder for the provider and pick the packages of one version."""
        examine = partial(self._examine, provider_type=address.type)
        return await self._folder.open(address, version, examine=examine, report=report)

    async def _examine(self, package: LocalPackage, *, provider_type: str) -> ExaminedFolder:
        if not package.packed:
            return await examine_folder(package, self._reading, source=self.ref, provider_type=provider_type)
        try:
            stored = await self._reading.archive(package)
        except SourceError as error:
            return _unread(package, error, self.ref)
        return _examined(package, stored, source=self.ref, provider_type=provider_type)


def _examined(package: LocalPackage, stored: KnownPackage, *, source: SourceRef, provider_type: str) -> ExaminedFolder:
    facts, location, platform = stored.facts, str(package.path), package.platform
    return ExaminedFolder(
        package=PackageFacts(
            platform=platform,
            outcome=Outcome.ANSWERED,
            location=location,
            size=stored.size,
            zh=stored.zh,
            h1_archive=None if facts is None else facts.h1_archive,
            h1_directory=None if facts is None else facts.h1_directory,
            client_refusal=stored_refusal(stored, provider_type),
            detail=unhashable(stored),
        ),
        observations=tuple(
            archive_observations(
                stored.zh,
                facts,
                source=source.id,
                platform=platform,
                location=location,
                computed_on=stored.computed_on,
            )
        ),
        problems=tuple(stored_problems(stored, provider_type, platform=platform, source=source.id)),
    )


def _unread(package: LocalPackage, error: SourceError, source: SourceRef) -> ExaminedFolder:
    unread = isinstance(error, NoAnswerError)
    return ExaminedFolder(
        package=PackageFacts(
            platform=package.platform,
            outcome=Outcome.NO_ANSWER if unread else Outcome.ANSWERED,
            location=str(package.path),
            detail=error.message,
        ),
        problems=(
            Problem(
                code=error.code or ProblemCode.PACKAGE_FAILED,
                severity=Severity.WARNING,
                message=f"the {package.platform} package in {source.id} cannot be used: {error.message}",
                hint=error.hint,
                source=source.id,
            ),
        ),
    )

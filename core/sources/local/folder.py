"""A folder of packages on this machine as a source: what filesystem mirrors and unpacked providers have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from lockwarden.core.evidence.events import LookupStarted, Report
from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceRef
from lockwarden.core.sources.absent_release import AbsentRelease
from lockwarden.core.sources.local.layout import LocalPackage, LocalProvider
from lockwarden.core.sources.local.reading import FolderReading
from lockwarden.core.sources.local.release import ExaminedFolder, LocalRelease, first_of_each, layout_problems
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.port import OpenRelease
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import NotThereError, SourceError
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version


class LocalFolder:
    """A folder in which each provider is searched for once, however many of its versions are asked for."""

    def __init__(self, reading: FolderReading, source: SourceRef, *, packed: bool) -> None:
        self._reading = reading
        self._source = source
        self._packed = packed
        self._found: Once[ProviderAddress, LocalProvider] = Once()

    async def open(
        self,
        address: ProviderAddress,
        version: Version,
        *,
        examine: Callable[[LocalPackage], Awaitable[ExaminedFolder]],
        report: Report,
    ) -> OpenRelease:
        """Find the packages of one version; `examine` hashes one of them when it is asked for."""
        report(LookupStarted(address=address, version=version, source=self._source.id))
        try:
            found = await self._found.get(address, lambda: asyncio.to_thread(self._search, address))
        except SourceError as error:
            return AbsentRelease.of_error(self._source, error, self._in_its_place(error))
        problems = layout_problems(found, version, self._reading.base, self._source)
        packages = found.of_version(version)
        if not packages:
            return AbsentRelease(self._source, Outcome.NOT_THERE, self._absent(address, version, found), problems)
        return LocalRelease(
            source=self._source,
            address=address,
            version=version,
            found=first_of_each(packages),
            examine=examine,
            report=report,
            problems=problems,
        )

    def _search(self, address: ProviderAddress) -> LocalProvider:
        return self._reading.search(address, packed=self._packed)

    def _in_its_place(self, error: SourceError) -> tuple[Problem, ...]:
        """That something else is where the folder should be, which is told although it answers the question."""
        if not isinstance(error, NotThereError) or error.code is None:
            return ()
        problem = Problem(
            code=error.code,
            severity=Severity.WARNING,
            message=f"{self._source.id}: {error.message}",
            hint=error.hint,
            source=self._source.id,
        )
        return (problem,)

    def _absent(self, address: ProviderAddress, version: Version, found: LocalProvider) -> str:
        if not found.packages:
            return f"{self._source.id} holds no package of {address}"
        return f"{self._source.id} holds packages of {address}, but none of version {version}"

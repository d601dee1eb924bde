"""One provider version at its origin registry: documents first, packages one by one, each fetched once.

The documents are those of the platforms that are asked for. Some registries have one list of checksums for each
platform. Where the lists do not name every platform of the release, the others' documents are read too, without the
packages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.sources.checked_packages import PackageReports
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.package_work import PackageEvidence
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.client import RegistryClient
from lockwarden.core.sources.registry.documents import DocumentReader
from lockwarden.core.sources.registry.fetched_release import FetchedRelease
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.platforms import POPULARITY, Platform, by_popularity

MAX_MORE_DOCUMENTS: Final = 64
"""Platforms beyond those asked for whose documents are read so that the lists of checksums cover the release."""


class RegistryRelease:
    """A release that the registry lists. `read` gets its documents; after that it is an open release of the port."""

    def __init__(
        self, known: FetchedRelease, *, client: RegistryClient, reader: DocumentReader, report: Report
    ) -> None:
        self._known = known
        self._client = client
        self._reader = reader
        self._reports = PackageReports(address=known.address, version=known.version, source=known.ref.id, report=report)
        self._documents: Once[Platform, None] = Once()
        self._packages: Once[Platform, None] = Once()

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """Every platform of the release that the registry names; None when it names none."""
        return self._known.platforms

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """Every hash that the registry claims for each platform, believed or not."""
        return self._known.reports.claimed

    async def read(self, platforms: Sequence[Platform]) -> SourceError | None:
        """Get the documents for `platforms`, and what else it takes to cover the release.

        Returns why there is not one list of checksums to be had although some package is there; None otherwise.
        """
        first = platforms or sorted(self._known.announced or (), key=by_popularity)[:1]
        await self._read_all(first)
        if self._known.announced is None:
            await self._read_some()
        missing = sorted(self._known.uncovered - set(self._known.answers), key=by_popularity)
        await self._read_all(missing[:MAX_MORE_DOCUMENTS])
        return None if self._known.documents else self._known.first_failure

    async def _read_some(self) -> None:
        """Where nothing says which platforms there are: the documents of the likeliest one that has a package."""
        for platform in map(Platform.parse, POPULARITY):
            if self._known.lists or self._known.first_failure is not None:
                return
            await self._documents_for(platform)

    async def _read_all(self, platforms: Iterable[Platform]) -> None:
        async with asyncio.TaskGroup() as group:
            for platform in platforms:
                group.create_task(self._documents_for(platform))

    async def check(self, platform: Platform) -> None:
        """Get and hash the package of one platform; asking twice does it once. Failures become facts."""
        await self._packages.get(platform, lambda: self._check(platform))

    async def _check(self, platform: Platform) -> None:
        await self._documents_for(platform)
        answer, listed = self._known.answers[platform], self._known.lists.get(platform)
        if isinstance(answer, PlatformAnswer) and answer.usable and isinstance(listed, SignedSums):
            self._known.downloads[platform] = await self._download(answer, listed)
        self._known.checked[platform] = None
        self._reports.checked(self._known.package_facts(platform))

    async def _download(self, answer: PlatformAnswer, listed: SignedSums) -> PackageEvidence | SourceError:
        claim = answer.metadata.packages.claim(answer.platform)
        total = claim.size if claim is not None and claim.size > 0 else None

        def progress(received: int) -> None:
            self._reports.progress(answer.platform, received, total)

        promised = not listed.refused and Hash(f"{ZH}:{answer.digest}") in listed.hashes
        try:
            return await self._client.package(self._known.address, answer, promised=promised, on_bytes=progress)
        except SourceError as error:
            return error

    async def _documents_for(self, platform: Platform) -> None:
        await self._documents.get(platform, lambda: self._get_documents(platform))

    async def _get_documents(self, platform: Platform) -> None:
        """Put the answer for a platform, and the list of checksums that it names, where the answer sees them."""
        known = self._known
        try:
            answer = await self._client.metadata(known.address, known.version, platform)
        except SourceError as error:
            known.answers[platform] = error
            return
        if not answer.astray:
            known.lists[platform] = await self._reader.read(answer)
        known.answers[platform] = answer

    def source_answer(self) -> SourceAnswer:
        """All that is known so far."""
        return self._known.source_answer()

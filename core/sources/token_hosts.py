"""A source whose answers say which hosts were sent a token, as far as it went until then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import SourceAnswer, SourceRef
from lockwarden.core.sources.port import OpenRelease, Source
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

HostsTold = Callable[[ProviderAddress], Sequence[str]]
"""The hosts that were sent the token that a provider is asked for with."""


class TellsTokens:
    """The same source; its answers name the hosts that were sent a token."""

    def __init__(self, source: Source, hosts: HostsTold) -> None:
        self._source = source
        self._hosts = hosts

    @property
    def ref(self) -> SourceRef:
        """Which source this is."""
        return self._source.ref

    async def open(
        self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
    ) -> OpenRelease:
        """Read the documents of a release, as the source does."""
        opened = await self._source.open(address, version, platforms=platforms, report=report)
        return _NamingHosts(opened, lambda: self._hosts(address))


class _NamingHosts:
    def __init__(self, release: OpenRelease, hosts: Callable[[], Sequence[str]]) -> None:
        self._release = release
        self._hosts = hosts

    @property
    def platforms(self) -> frozenset[Platform] | None:
        return self._release.platforms

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        return self._release.claimed

    async def check(self, platform: Platform) -> None:
        await self._release.check(platform)

    def source_answer(self) -> SourceAnswer:
        return replace(self._release.source_answer(), token_hosts=tuple(self._hosts()))

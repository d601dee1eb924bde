"""Runs the source “direct” against the tests' HTTPS server: real TLS through the proxy, real gpg, its own store."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.request import getproxies

from servers.https import HttpsServer, Respond
from servers.played import Played, transport_of
from servers.proxy import Proxy

from builders.remembering import RememberingVerifier
from lockwarden.core.evidence.events import AuditEvent
from lockwarden.core.evidence.source_answers import Audit, SourceAnswer
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.sources.port import SignatureVerifierPort
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import SignatureReport
from lockwarden.core.values.versions import Version

RECORDED_AT = datetime(2026, 11, 27, 23, 59, tzinfo=UTC)
"""The day on which the clients ran over the recorded world."""
LINUX = Platform("linux", "amd64")
DARWIN = Platform("darwin", "arm64")
WINDOWS = Platform("windows", "amd64")


@cache
def _real_verifier(clock: datetime) -> SignatureVerifierPort:
    return RememberingVerifier(SignatureVerifier(find_gpg(os.environ), clock=lambda: clock))


class CountingVerifier:
    """The real verifier, and how often it was asked."""

    def __init__(self, clock: datetime) -> None:
        self.calls = 0
        self._verifier = _real_verifier(clock)

    async def prepare(self, *, offered: Sequence[str]) -> None:
        await self._verifier.prepare(offered=offered)

    async def verify(self, *, document: bytes, signature: bytes, offered: Sequence[str]) -> SignatureReport:
        self.calls += 1
        return await self._verifier.verify(document=document, signature=signature, offered=offered)


async def _no_wait(seconds: float) -> None:
    await asyncio.sleep(0)


@dataclass(kw_only=True)
class Registry:
    """The server, with connections to it or without, and a way to ask it as the source does."""

    server: HttpsServer | Played
    proxy: Proxy | None = None
    ca_file: str = ""
    clock: datetime = RECORDED_AT
    tokens: Mapping[str, str] = field(default_factory=dict)
    services: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    events: list[AuditEvent] = field(default_factory=list)
    verifier: SignatureVerifierPort | None = None
    """Another verifier than the real one."""
    verifications: int = 0

    def serve(self, respond: Respond) -> None:
        """Serve something else from now on."""
        self.server.serve(respond)

    def ask(
        self,
        address: str,
        *,
        version: str = "1.2.3",
        platforms: Sequence[Platform] = (LINUX,),
        more: Sequence[Platform] = (),
        check: bool = True,
        settings: ClientSettings | None = None,
    ) -> SourceAnswer:
        """Open a release for `platforms`, check them and then `more`, all side by side; what is found."""
        (answer,) = self.ask_all(
            (address,), version=version, platforms=platforms, more=more, check=check, settings=settings
        )
        return answer

    def ask_all(
        self,
        addresses: Sequence[str],
        *,
        version: str = "1.2.3",
        platforms: Sequence[Platform] = (LINUX,),
        more: Sequence[Platform] = (),
        check: bool = True,
        settings: ClientSettings | None = None,
    ) -> list[SourceAnswer]:
        """The same for several providers side by side, at one source."""

        async def one(source: RegistrySource, address: str) -> SourceAnswer:
            release = await source.open(
                ProviderAddress.parse(address),
                Version.parse(version),
                platforms=platforms,
                report=self.events.append,
            )
            if check:
                await asyncio.gather(*(release.check(platform) for platform in (*platforms, *more, *platforms)))
            return release.source_answer()

        async def all_of_them() -> list[SourceAnswer]:
            async with self.opened(settings or ClientSettings()) as source:
                return list(await asyncio.gather(*(one(source, address) for address in addresses)))

        return asyncio.run(all_of_them())

    @asynccontextmanager
    async def opened(self, settings: ClientSettings | None = None) -> AsyncIterator[RegistrySource]:
        """A source with its own client, store and verifier, until the block ends."""
        self.events.clear()
        verifier = self.verifier or CountingVerifier(self.clock)
        http = HttpClient(
            HttpSettings(proxies=getproxies(), ca_file=self.ca_file, metadata_timeout=60.0),
            credentials=self.tokens.get,
            sleep=_no_wait,
            report=self.events.append,
            now=time.time,
            transport=transport_of(self.server),
        )
        async with http, PackageStore(None, now=time.time) as store:
            yield RegistrySource(http, store, verifier, settings or ClientSettings(), services=self.services)
        if isinstance(verifier, CountingVerifier):
            self.verifications = verifier.calls

    def audit(self, address: str, **options: Any) -> Audit:
        """The finding alone as an audit."""
        return Audit(
            address=ProviderAddress.parse(address),
            version=Version(1, 2, 3),
            source_answers=(self.ask(address, **options),),
        )

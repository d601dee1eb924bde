"""Asks network mirrors on the tests' server as an audit would, and names what the recorded world holds."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.request import getproxies

from servers.golden import WORLD, GoldenWorld
from servers.https import HttpsServer
from servers.played import Played, transport_of

from lockwarden.core.evidence.events import AuditEvent, ignore
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer
from lockwarden.core.http.client import HttpClient, no_credentials
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version
from lockwarden.demo.responses import Response

PLAIN = ProviderAddress.parse("example.test/acme/plain")
VERSION = Version(1, 2, 3)
LINUX, DARWIN, WINDOWS = Platform("linux", "amd64"), Platform("darwin", "arm64"), Platform("windows", "amd64")
HOST = "mirror.example.test"
FACTS: dict[str, Any] = json.loads((WORLD / "cases.json").read_bytes())["registry"]["plain"]["facts"]
FOLDER = "/mirror/both/example.test/acme/plain"


def zh(platform: Platform) -> Hash:
    return Hash(FACTS[str(platform)]["zh"])


def h1(platform: Platform) -> Hash:
    return Hash(FACTS[str(platform)]["h1_archive"])


@dataclass(frozen=True, kw_only=True)
class Mirrors:
    """Asks mirrors on the tests' server, or without a connection, as an audit would."""

    server: HttpsServer | Played
    ca_file: str = ""
    delays: list[float] = field(default_factory=list)
    """Seconds that were waited before a retry, without any waiting."""

    def serve(self, documents: Mapping[str, Response]) -> None:
        """Give these answers under these paths, and those of the recorded world elsewhere."""
        world = GoldenWorld()

        def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
            return documents.get(path) or world.respond(host, path, headers)

        self.server.serve(respond)

    def ask(
        self,
        base: str = f"https://{HOST}/mirror/both/",
        *,
        address: ProviderAddress = PLAIN,
        version: Version = VERSION,
        platforms: Sequence[Platform] = (LINUX,),
        settings: ClientSettings | None = None,
        trusted: bool = False,
        credentials: Callable[[str], str | None] = no_credentials,
        report: Callable[[AuditEvent], None] = ignore,
        http: HttpSettings | None = None,
    ) -> SourceAnswer:
        """Open the release, check the platforms side by side, and return the finding."""

        async def waited(seconds: float) -> None:
            self.delays.append(seconds)

        async def run() -> SourceAnswer:
            made = http or HttpSettings(proxies=getproxies(), ca_file=self.ca_file, metadata_timeout=60.0)
            transport = transport_of(self.server)
            async with (
                HttpClient(made, credentials=credentials, sleep=waited, now=time.time, transport=transport) as client,
                PackageStore(None, now=time.time) as store,
            ):
                source = NetworkMirrorSource(client, store, base, settings or ClientSettings(), trusted=trusted)
                release = await source.open(address, version, platforms=platforms, report=report)
                async with asyncio.TaskGroup() as group:
                    for platform in platforms:
                        group.create_task(release.check(platform))
                return release.source_answer()

        return asyncio.run(run())

    def asked(self, pattern: str = "") -> list[str]:
        """The paths that were asked for and hold the text."""
        return [request.path for request in self.server.journal.requests if pattern in request.path]


def package_of(answer: SourceAnswer, platform: Platform = LINUX) -> PackageFacts:
    package = answer.package(platform)
    assert package is not None
    return package


def installable(answer: SourceAnswer) -> bool:
    package = answer.package(LINUX)
    return package is not None and package.outcome is Outcome.ANSWERED and not package.client_refusal


def codes(answer: SourceAnswer) -> list[str]:
    return [problem.code for problem in answer.problems]


def archives(entries: Mapping[str, Any]) -> Response:
    return Response.of_json({"archives": entries})


def entry(platform: Platform, *hashes: str, **more: Any) -> dict[str, Any]:
    url = f"/releases/plain/terraform-provider-plain_1.2.3_{platform}.zip"
    return {"url": url, "hashes": list(hashes)} | more

"""Asks OCI mirrors as an audit would, and scripts registries that misbehave."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.request import getproxies

from builders.mirrors import LINUX, PLAIN, VERSION
from contract.oci.kinds import Shelf
from servers.https import HttpsServer
from servers.oci_registry import PASSWORD, USER, digest_of
from servers.played import Played, transport_of

from lockwarden.core.evidence.events import AuditEvent, ignore
from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.oci.credentials import OciCredential
from lockwarden.core.oci.registry import Registries, RegistryRules
from lockwarden.core.sources.oci_mirror.source import OciMirrorSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoreLimits
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.oci_templates import UriTemplate
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version
from lockwarden.demo.world import JSON_TYPE, Response

HOST = "registry.example.test"
"""Where the tests' proxy leads to the tests' HTTPS server."""
ELSEWHERE = "elsewhere.example.test"
ORIGIN = "the tests' configuration"
_T = TypeVar("_T")


@dataclass
class Known:
    """Credentials for domains, and which were looked up."""

    credentials: Mapping[str, OciCredential]
    asked: list[tuple[str, str]] = field(default_factory=list)

    def lookup(self, domain: str, repository: str) -> OciCredential | None:
        self.asked.append((domain, repository))
        return self.credentials.get(domain)


def password(user: str = USER, secret: str = PASSWORD) -> OciCredential:
    return OciCredential(origin=ORIGIN, username=user, password=secret)


def known(domain: str = HOST, credential: OciCredential | None = None) -> Known:
    return Known({domain: credential or password()})


@dataclass(kw_only=True)
class Asking:
    """Asks registries over the tests' HTTPS server, or without a connection."""

    server: HttpsServer | Played
    ca_file: str = ""
    clock: list[float] = field(default_factory=lambda: [0.0])

    def run(
        self,
        work: Callable[[Registries], Awaitable[_T]],
        *,
        credentials: Known | None = None,
        rules: RegistryRules | None = None,
        http: Mapping[str, Any] | None = None,
    ) -> _T:
        async def waited(seconds: float) -> None:
            await asyncio.sleep(0)

        async def main() -> _T:
            settings = HttpSettings(
                proxies=getproxies(), ca_file=self.ca_file, **{"metadata_timeout": 60.0, **(http or {})}
            )
            transport = transport_of(self.server)
            async with HttpClient(settings, sleep=waited, now=time.time, transport=transport) as client:
                return await work(Registries(client, credentials, rules=rules, now=lambda: self.clock[0]))

        return asyncio.run(main())

    def ask(
        self,
        template: str = f"{HOST}/mirror/{{type}}",
        *,
        address: ProviderAddress = PLAIN,
        version: Version = VERSION,
        platforms: Sequence[Platform] = (LINUX,),
        check: bool = True,
        settings: ClientSettings | None = None,
        credentials: Known | None = None,
        rules: RegistryRules | None = None,
        report: Callable[[AuditEvent], None] = ignore,
        limits: StoreLimits | None = None,
    ) -> SourceAnswer:
        """Open the release, check the platforms side by side (or none), and return the finding."""

        async def work(registries: Registries) -> SourceAnswer:
            async with PackageStore(None, limits=limits, now=time.time) as store:
                names = UriTemplate.parse(template)
                source = OciMirrorSource(registries, store, names, settings or ClientSettings())
                release = await source.open(address, version, platforms=platforms, report=report)
                async with asyncio.TaskGroup() as group:
                    for platform in platforms if check else ():
                        group.create_task(release.check(platform))
                return release.source_answer()

        return self.run(work, credentials=credentials, rules=rules)

    def secrets_at(self) -> dict[str, set[str]]:
        """Host → the Authorization headers that it saw."""
        seen: dict[str, set[str]] = {}
        for request in self.server.journal.requests:
            seen.setdefault(request.host, set())
            if request.authorization is not None:
                seen[request.host].add(request.authorization)
        return seen

    def asked(self, pattern: str = "") -> list[str]:
        """Method and path of what was asked for and holds the text."""
        told = (f"{request.method} {request.path}" for request in self.server.journal.requests)
        return [each for each in told if pattern in each]


@dataclass
class Scripted:
    """A registry that serves shelves, and where a test says so, something else."""

    shelves: dict[str, Shelf] = field(default_factory=dict)
    special: dict[str, Callable[[Mapping[str, str]], Response] | Response] = field(default_factory=dict)
    """Path → what is answered there."""

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        bare = path.partition("?")[0]
        chosen = self.special.get(path, self.special.get(bare))
        if chosen is not None:
            return chosen if isinstance(chosen, Response) else chosen(headers)
        return self.plain(bare)

    def plain(self, path: str) -> Response:
        """The right answer."""
        match = re.fullmatch(r"/v2/(?P<name>.+)/(?P<kind>tags|manifests|blobs)/(?P<reference>[^/]+)", path)
        shelf = self.shelves.get(match["name"]) if match else None
        if match is None or shelf is None:
            return refused(404, "NAME_UNKNOWN")
        reference = match["reference"]
        if match["kind"] == "tags":
            return Response.of_json({"name": match["name"], "tags": list(shelf.tags)})
        if match["kind"] == "blobs":
            blob = shelf.blobs.get(reference)
            return refused(404, "BLOB_UNKNOWN") if blob is None else Response.of_bytes(blob)
        found = shelf.manifests.get(shelf.tags.get(reference, reference))
        return refused(404, "MANIFEST_UNKNOWN") if found is None else manifest_response(*found)


def manifest_response(media_type: str, body: bytes, **headers: str) -> Response:
    """A manifest as a registry answers with it; `digest` is what it says of it."""
    digest = headers.get("digest", digest_of(body))
    named = (("Docker-Content-Digest", digest),) if digest else ()
    return Response(headers=(("Content-Type", media_type), *named), body=body)


def without_connection() -> Asking:
    """For tests of what answers mean; until something is served, nothing is there."""
    return Asking(server=Played(lambda host, path, headers: Response.of_status(404, text="not found\n")))


def refused(status: int, *codes: str, **headers: str) -> Response:
    """A refusal with a list of errors."""
    body = json.dumps({"errors": [{"code": code, "message": f"says {code.lower()}"} for code in codes]})
    given = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(status=status, headers=(("Content-Type", JSON_TYPE), *given), body=body.encode())


def redirect(url: str, status: int = 307) -> Response:
    return Response(status=status, headers=(("Location", url),))

"""The requests to origin registries: discovery, versions, metadata, documents, packages; every refusal a typed error.

Credentials are those of the address's host. They go with discovery, versions and metadata, and with nothing else. That
holds where the host's discovery document, or the operator's configuration, puts the registry on another host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct

from lockwarden.core.evidence.observations import Document
from lockwarden.core.http.access_hints import if_hidden, if_refused
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.server_words import beyond_not_found, quoted
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.package_work import PackageEvidence, PackageWork, package_evidence
from lockwarden.core.sources.protocols.discovery import (
    configured_service,
    discovery_url,
    mirror_instead,
    providers_service,
)
from lockwarden.core.sources.protocols.probing import Probes
from lockwarden.core.sources.protocols.registry_documents import (
    VersionsAnswer,
    read_package_metadata,
    read_services,
    read_versions,
)
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.system.allowance import current_allowance
from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.clients import DEFAULT_REGISTRIES, Client
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError, BodyLimitError
from lockwarden.core.values.hashes import zh_of_digest
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, joined, readable, redacted
from lockwarden.core.values.versions import Version

DISCOVERY_LIMIT: Final = 1024 * 1024
VERSIONS_LIMIT: Final = 8 * 1024 * 1024
"""Bytes of a list of versions; the largest known one has one MiB."""
METADATA_LIMIT: Final = 2 * 1024 * 1024
"""Bytes of each kind of JSON answer."""
VERSION_HEADER: Final = "X-Terraform-Version"
CLIENT_VERSIONS: Final = MappingProxyType({Client.OPENTOFU: "1.12.6", Client.TERRAFORM: "1.11.4"})
"""The versions whose behaviour is followed; registries may answer older ones differently."""

_OK: Final = 200
_NOT_FOUND: Final = 404
_NO_ACCESS: Final = frozenset({401, 403})
_WHOLE: Final = "read the address letter by letter; the provider's author knows whether it is published there"
_ASK: Final = "ask who runs the registry, or the provider's author"
_JSON: Final = frozenset({"application/json"})
_ANYTHING: Final = "x"
_UNESCAPED: Final = "$&+,:;=@"
"""What Go leaves as it is in a path, beside letters, digits and -._~"""


class _Services(Struct, frozen=True, kw_only=True):
    """A host's services, and the URL that theirs are relative to."""

    services: Mapping[str, Any]
    base: str
    said: str = ""
    """By the host, where it has no such document."""


class _Base(Struct, frozen=True, kw_only=True):
    """Where a host has its provider registry."""

    folder: str
    """The URL that everything it gives out begins with, up to the last slash."""
    hosts: frozenset[str]
    """The URL's own, in comparison form."""


class RegistryClient:
    """Asks origin registries. One for an audit: what a host's discovery document says is asked once."""

    def __init__(
        self,
        http: HttpClient,
        store: PackageStore,
        *,
        client: Client,
        services: Mapping[str, Mapping[str, str | None]],
        probes: Probes | None = None,
    ) -> None:
        """`services` gives the services of hosts (in comparison form) that are not asked for them.

        The sources of one audit share `probes`, so that no host is probed twice.
        """
        self._http = http
        self._probes = probes or Probes(http)
        self._store = store
        self._headers = {VERSION_HEADER: CLIENT_VERSIONS[client]}
        self._known_services = services
        self._services: Once[Hostname, _Services] = Once()
        self._bases: dict[Hostname, _Base] = {}
        """Where the provider registry of each host is that has one."""

    async def versions(self, address: ProviderAddress) -> VersionsAnswer:
        """The provider's releases. Raises NotThereError when the registry does not know the provider, or is none."""
        document = await self._ask(address, (address.namespace, address.type, "versions"), Stage.VERSIONS)
        if document.status == _NOT_FOUND:
            raise NotThereError(
                f"{address.hostname.display} does not have a provider named {address}"
                + quoted(beyond_not_found(document.said)),
                stage=Stage.VERSIONS,
                code=ProblemCode.PROVIDER_UNKNOWN,
                hint=if_hidden(document, address.hostname, _WHOLE),
            )
        self._require_ok(document, address.hostname, Stage.VERSIONS)
        try:
            return read_versions(document.body)
        except BodyError as error:
            raise _malformed(f"the list of versions of {address}", error, Stage.VERSIONS) from error

    async def metadata(self, address: ProviderAddress, version: Version, platform: Platform) -> PlatformAnswer:
        """What the registry says of one package. Raises NotThereError when it has none for the platform."""
        path = (address.namespace, address.type, str(version), "download", platform.os, platform.arch)
        document = await self._ask(address, path, Stage.METADATA)
        if document.status == _NOT_FOUND:
            raise NotThereError(
                f"{address} {version} is not available for {platform}{quoted(beyond_not_found(document.said))}",
                stage=Stage.METADATA,
                code=ProblemCode.PLATFORM_UNKNOWN,
                hint=if_hidden(document, address.hostname, _ASK),
            )
        self._require_ok(document, address.hostname, Stage.METADATA)
        try:
            metadata = read_package_metadata(document.body)
        except BodyError as error:
            raise _malformed(f"the metadata of {address} {version} for {platform}", error, Stage.METADATA) from error
        current_allowance().charge_hashes(metadata.reported, stage=Stage.METADATA)
        return PlatformAnswer(
            type_name=address.type,
            version=version,
            platform=platform,
            document=Document(name="package metadata", url=redacted(document.url), sha256=document.sha256),
            url=document.url,
            metadata=metadata,
        )

    async def document(self, url: str, *, stage: Stage, limit: int) -> bytes:
        """The bytes of a list of checksums or of a signature, which are fetched without credentials."""
        document = await self._http.get_document(url, stage=stage, limit=limit)
        if document.status != _OK:
            raise _status(document, stage)
        return document.body

    async def package(
        self, address: ProviderAddress, answer: PlatformAnswer, *, promised: bool, on_bytes: Callable[[int], None]
    ) -> PackageEvidence:
        """The package of an answer, hashed. Where a signed list has `promised` its digest, what the store knows of it
        will do: the clients install bytes with this digest or none.

        What the registry gave for another platform or release says nothing of this one, though their bytes be equal.
        """
        url = answer.resolved(answer.metadata.download_url, stage=Stage.PACKAGE)
        place = f"registry {host_of(readable(answer.url))}"
        store = self._store.of_giver(f"{place} as {address} {answer.version} for {answer.platform}")
        claim = answer.metadata.packages.claim(answer.platform)
        size = claim.size if claim is not None and claim.size > 0 else None
        work = PackageWork(url=url, zh=zh_of_digest(bytes.fromhex(answer.digest)), size=size)
        return await package_evidence(self._http, store, work, known=promised, on_bytes=on_bytes)

    async def _ask(self, address: ProviderAddress, path: tuple[str, ...], stage: Stage) -> HttpDocument:
        base = await self._base(address)
        return await self._http.get_document(
            base.folder + "/".join(quote(part, safe=_UNESCAPED) for part in path),
            stage=stage,
            limit=VERSIONS_LIMIT if stage is Stage.VERSIONS else METADATA_LIMIT,
            credentials_for=address.hostname.ascii,
            credentials_also_at=base.hosts,
            headers=self._headers,
        )

    async def _base(self, address: ProviderAddress) -> _Base:
        """Where the provider registry of the address's host is."""
        host = address.hostname
        if (base := self._bases.get(host)) is None:
            url = readable(await self._find_base(host, address))
            folder = str(joined(url, _ANYTHING)).removesuffix(_ANYTHING)
            self._bases[host] = base = _Base(folder=folder, hosts=frozenset({host_of(url)}))
        return base

    async def _find_base(self, host: Hostname, address: ProviderAddress) -> str:
        if (known := self._known_services.get(host.ascii)) is not None:
            return configured_service(known, host)
        found = await self._services.get(host, lambda: self._discover(host))
        try:
            return providers_service(found.services, base=found.base, host=host, said=found.said)
        except NotThereError as error:
            mirror = await self._probes.mirror_at(host, address)
            if not mirror:
                raise
            raise mirror_instead(error, mirror) from error

    async def _discover(self, host: Hostname) -> _Services:
        url = discovery_url(host)
        document = await self._http.get_document(
            url,
            stage=Stage.DISCOVERY,
            limit=DISCOVERY_LIMIT,
            credentials_for=host.ascii,
            content_types=_JSON,
            headers={"Accept": "application/json"},
        )
        if document.status == _NOT_FOUND:
            return _Services(services=MappingProxyType({}), base=url, said=beyond_not_found(document.said))
        self._require_ok(document, host, Stage.DISCOVERY)
        try:
            return _Services(services=read_services(document.body), base=document.url)
        except BodyError as error:
            raise _malformed(f"the discovery document of {host.display}", error, Stage.DISCOVERY) from error

    def _require_ok(self, document: HttpDocument, host: Hostname, stage: Stage) -> None:
        if document.status == _OK:
            return
        if document.status not in _NO_ACCESS:
            raise _status(document, stage)
        if document.credentials_sent:
            raise NoAnswerError(
                f"{host.display} rejected the given credentials ({_said(document)})",
                stage=stage,
                code=ProblemCode.CREDENTIALS_REJECTED,
                hint=if_refused(document, host),
            )
        if host.ascii in DEFAULT_REGISTRIES:
            raise NoAnswerError(
                f"{host.display} refused the request ({_said(document)})",
                stage=stage,
                code=ProblemCode.ACCESS_REFUSED,
                hint=if_refused(document, host),
            )
        raise NoAnswerError(
            f"{host.display} requires authentication credentials ({_said(document)})",
            stage=stage,
            code=ProblemCode.CREDENTIALS_REQUIRED,
            hint=if_refused(document, host),
        )


def _said(document: HttpDocument) -> str:
    """The status, and what the server says of it."""
    from lockwarden.core.http.busy_servers import phrase

    return f"{document.status} {phrase(document.status)}".rstrip() + quoted(document.said)


def _status(document: HttpDocument, stage: Stage) -> SourceError:
    # What is asked again and again was asked already; any other answer stays as it is until somebody changes it.
    return NoAnswerError(
        f"{redacted(document.url)} answered {_said(document)}",
        stage=stage,
        code=ProblemCode.HTTP_STATUS,
        hint="ask who runs the registry, and whether a proxy or a filter on the way answers in its place",
    )


def _malformed(what: str, error: BodyError, stage: Stage) -> SourceError:
    if isinstance(error, BodyLimitError):
        return BadAnswerError(f"{what} {error}", stage=stage, code=ProblemCode.TOO_LARGE, hint=_ASK)
    return BadAnswerError(
        f"{what} {error}",
        stage=stage,
        code=ProblemCode.ANSWER_MALFORMED,
        hint="a proxy or a log-in page may answer in its place",
    )

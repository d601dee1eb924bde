"""Puts everything together: from options and the process's surroundings to sources, and audits over them.

The app and the commands run their audits through the same `AuditRunner`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import assert_never

import httpx
import platformdirs

from lockwarden.core.audit import AuditPlan, PlatformChoice, ReleasePlan, run_audit
from lockwarden.core.cli_config.settings import Direct, Method, NetworkMirror, OciMirror
from lockwarden.core.clients import ClientSettings
from lockwarden.core.events import Report
from lockwarden.core.findings import Audit, SourceKind, SourceRef
from lockwarden.core.fresh_packages import FreshPackageStore
from lockwarden.core.http.client import CredentialsLookup, HttpClient, no_credentials
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.oci.catalog import fitting_repositories
from lockwarden.core.oci.credentials import OciCredentialsLookup
from lockwarden.core.oci.references import Repository
from lockwarden.core.oci.registry import Registries, RegistryRules
from lockwarden.core.oci.templates import RepositoryNames, UriTemplate
from lockwarden.core.packages import PackageStore
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.sources.choose import SourceSpec, name_sources
from lockwarden.core.sources.configured import ORIGINS, overridden, with_sources
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.oci_mirror.source import OciMirrorSource
from lockwarden.core.sources.offline import OfflineSource
from lockwarden.core.sources.port import Source
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.tui.commands.options import AuditOptions
from lockwarden.tui.configured import Configured, ConfiguredOciCredentials, within

_NAME = "lockwarden"


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What surrounds an audit: the process's, or one that the demo made up."""

    environ: Mapping[str, str]
    cache_folder: Path
    now: Callable[[], datetime] = _now
    transport: httpx.AsyncBaseTransport | None = None
    """Answers instead of the network, when given."""
    oci_credentials: OciCredentialsLookup | None = None
    """Knows the credentials for OCI registries; without it they are asked anonymously."""
    configured: Configured | None = None
    """The operator's CLI configuration; without it there are no tokens, and the origin registries are asked."""

    @classmethod
    def of_process(cls, environ: Mapping[str, str], configured: Configured) -> Place:
        """This process's own surroundings."""
        return cls(
            environ=environ,
            cache_folder=platformdirs.user_cache_path(_NAME),
            oci_credentials=ConfiguredOciCredentials(configured.oci_credentials),
            configured=configured,
        )

    def sources_for(self, options: AuditOptions) -> tuple[SourceSpec, ...]:
        """The sources that were named, or else those that the CLI configuration names."""
        configured = (ORIGINS,) if self.configured is None else self.configured.sources
        return options.sources or configured

    def settings_of(self, lock_file: LockFile) -> ClientSettings:
        """By whose rules a lock file is judged here."""
        return ClientSettings.from_environment(self.environ, client=lock_file.client)


class AuditRunner:
    """Runs audits with one HTTP client and one package store, so that nothing is fetched twice while it is open."""

    def __init__(
        self, *, options: AuditOptions, place: Place, http: HttpClient, store: PackageStore, report: Report
    ) -> None:
        self._options = options
        self._place = place
        self._report = report
        self._http = http
        self._store = store

    async def audit(
        self,
        releases: Sequence[ReleasePlan],
        *,
        specs: Sequence[SourceSpec],
        platforms: PlatformChoice,
        settings: ClientSettings,
    ) -> tuple[Audit, ...]:
        """Audit some releases against some sources; the audits come back in the order of the releases.

        Raises ToolError when gpg is missing and some source needs it.
        """
        refs = name_sources(specs)
        chosen = {ref.id: spec for ref, spec in zip(refs, specs, strict=True)}
        plan = AuditPlan(
            releases=await asyncio.to_thread(self._served, releases, chosen),
            sources=tuple(self._source(ref, chosen[ref.id].method, settings) for ref in refs),
            platforms=platforms,
            jobs=self._options.jobs,
        )
        return await run_audit(plan, self._report)

    async def repositories(self, names: RepositoryNames) -> tuple[Repository, ...]:
        """The repositories of an OCI mirror's registry that its template could lead to.

        Raises NotThereError when there is no such list, NoAnswerError and BadAnswerError when it could not be had.
        """
        return await fitting_repositories(self._registries, names)

    def _served(self, releases: Sequence[ReleasePlan], specs: Mapping[str, SourceSpec]) -> tuple[ReleasePlan, ...]:
        """The releases with the sources that serve them. It blocks."""
        planned = (with_sources(release, specs) for release in releases)
        configured = self._place.configured
        if configured is None or self._options.sources:
            return tuple(planned)
        return tuple(overridden(release, configured.installation) for release in planned)

    def _source(self, ref: SourceRef, method: Method | None, settings: ClientSettings) -> Source:
        match ref.kind:
            case SourceKind.DIRECT | SourceKind.NETWORK_MIRROR | SourceKind.OCI_MIRROR if self._options.offline:
                return OfflineSource(ref)
            case SourceKind.DIRECT:
                http, services = self._http_for(method), self._services
                return RegistrySource(http, self._store, self._verifier, settings, id=ref.id, services=services)
            case SourceKind.NETWORK_MIRROR:
                return self._network_mirror(ref, method, settings)
            case SourceKind.FILESYSTEM_MIRROR:
                return FilesystemMirrorSource(Path(ref.location), self._store, id=ref.id)
            case SourceKind.PLUGIN_CACHE | SourceKind.INSTALLED:
                return UnpackedProvidersSource(Path(ref.location), kind=ref.kind, id=ref.id)
            case SourceKind.OCI_MIRROR:
                names = method.template if isinstance(method, OciMirror) else UriTemplate.parse(ref.location)
                return OciMirrorSource(self._registries, self._store, names, settings, id=ref.id)
            case _:
                assert_never(ref.kind)

    def _network_mirror(self, ref: SourceRef, method: Method | None, settings: ClientSettings) -> Source:
        mirror = method if isinstance(method, NetworkMirror) else None
        url = ref.location if mirror is None else mirror.base_url
        trusted = mirror is not None and mirror.trust_all_hashes
        http = self._http_for(method)
        try:
            return NetworkMirrorSource(http, self._store, url, settings, id=ref.id, trusted=trusted)
        except httpx.InvalidURL:
            return OfflineSource(ref, why="its URL cannot be used")

    def _http_for(self, method: Method | None) -> HttpClient:
        retries = method.download_retry_count if isinstance(method, Direct | NetworkMirror) else None
        return self._http if retries is None else self._http.with_package_retries(within(retries))

    @property
    def _services(self) -> Mapping[str, Mapping[str, str | None]]:
        configured = self._place.configured
        return {} if configured is None else configured.services

    @cached_property
    def _registries(self) -> Registries:
        """All OCI registries of this runner, so that a token is asked for once."""
        rules = RegistryRules(plain_http_hosts=self._options.insecure_hosts)
        return Registries(self._http, self._place.oci_credentials, rules=rules)

    @cached_property
    def _verifier(self) -> SignatureVerifier:
        return SignatureVerifier(find_gpg(self._place.environ), clock=self._place.now)


@asynccontextmanager
async def audit_runner(options: AuditOptions, place: Place, report: Report) -> AsyncIterator[AuditRunner]:
    """A runner that is open until the block ends, and leaves no connection and no temporary file behind."""
    settings = HttpSettings.from_environment(
        place.environ,
        user_agent=f"{_NAME}/{version(_NAME)}",
        insecure_http_hosts=options.insecure_hosts,
        offline=options.offline,
    )
    tokens: CredentialsLookup = no_credentials
    if place.configured is not None:
        settings, tokens = place.configured.http(settings), place.configured.tokens
    client = HttpClient(settings, report=report, credentials=tokens, transport=place.transport)
    store_type = FreshPackageStore if options.fresh else PackageStore
    folder = place.cache_folder if options.keep_cache else None
    async with client as http, store_type(folder) as store:
        yield AuditRunner(options=options, place=place, http=http, store=store, report=report)

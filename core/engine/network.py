"""The sources that are asked over the network, through one HTTP client, so that nothing is asked twice.

Each kind of source is imported only where there is one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

import httpx

from lockwarden.core import __version__
from lockwarden.core.cli_config.settings import Direct, Method, NetworkMirror
from lockwarden.core.engine.operator_configuration import within
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import SourceRef
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.host_tokens import CredentialsLookup, no_credentials
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tape import LIVE, Tape
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.sources.port import Source
from lockwarden.core.sources.protocols.probing import Probes
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.sources.token_hosts import TellsTokens
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.urls import host_of

if TYPE_CHECKING:
    from lockwarden.core.engine.runtime import Runtime
    from lockwarden.core.module_packages.git_remotes import GitRemotes
    from lockwarden.core.module_packages.meanings import ModuleMeanings
    from lockwarden.core.module_packages.oci_packages import OciPackages
    from lockwarden.core.modules.resolution import ArchiveUrl
    from lockwarden.core.oci.registry import Registries
    from lockwarden.core.values.hashes import Hash
    from lockwarden.core.values.oci_references import OciRepository
    from lockwarden.core.values.oci_templates import RepositoryNames

_NAME: Final = "lockwarden"


class Network:
    """Makes the sources that ask servers; they share connections, tokens, and what is known of hosts."""

    def __init__(self, *, options: AuditOptions, runtime: Runtime, http: HttpClient, store: PackageStore) -> None:
        self._options = options
        self._place = runtime
        self._http = http
        self._store = store
        self._verifiers: dict[Client, SignatureVerifier] = {}

    def registry(self, ref: SourceRef, method: Method | None, settings: ClientSettings) -> Source:
        """The providers' origin registries. Raises ToolError when gpg is missing."""
        source = RegistrySource(
            self._http_for(method),
            self._store,
            self._verifier_for(settings.client),
            settings,
            id=ref.id,
            services=self._services,
            probes=self._probes,
        )
        return TellsTokens(source, lambda address: self._http.token_hosts(address.hostname.ascii))

    def network_mirror(self, ref: SourceRef, method: Method | None, settings: ClientSettings) -> Source:
        """A network mirror."""
        from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource

        mirror = method if isinstance(method, NetworkMirror) else None
        url = ref.location if mirror is None else mirror.base_url
        trusted = mirror is not None and mirror.trust_all_hashes
        if self._place.evidence is not None:
            trusted = any(each.id == ref.id and each.trusted for each in self._place.evidence.replayer.plan.sources)
        try:
            source = NetworkMirrorSource(
                self._http_for(method),
                self._store,
                url,
                settings,
                id=ref.id,
                trusted=trusted,
                probes=self._probes,
                refusal="" if mirror is None else mirror.host_refusal,
            )
        except httpx.InvalidURL:
            from lockwarden.core.sources.offline import OfflineSource

            return OfflineSource(ref, why="its URL cannot be used", hint="correct the URL in the configuration")
        host = host_of(httpx.URL(url))
        return TellsTokens(source, lambda _: self._http.token_hosts(host))

    def oci_mirror(self, ref: SourceRef, names: RepositoryNames, settings: ClientSettings) -> Source:
        """A mirror in an OCI registry."""
        from lockwarden.core.sources.oci_mirror.source import OciMirrorSource

        return OciMirrorSource(self._registries, self._store, names, settings, id=ref.id)

    def module_meanings(self, remotes: GitRemotes) -> ModuleMeanings:
        """What knows what the sources of modules mean today."""
        from lockwarden.core.module_packages.meanings import ModuleMeanings
        from lockwarden.core.module_packages.module_registries import ModuleRegistries

        registries = ModuleRegistries(self._http, self._services)
        packages, offline = self.module_packages(), self._options.offline
        return ModuleMeanings(self._http, self._store, packages, registries, None if offline else remotes)

    async def digest_of_archive(self, archive: ArchiveUrl, *, wanted: Hash | None = None) -> str:
        """What the archive of a module is today; the one that is `wanted` stays in the store.

        Raises as `module_packages.archives` does.
        """
        from lockwarden.core.module_packages.meanings import digest_of_archive

        return await digest_of_archive(self._http, self._store, archive, wanted=wanted)

    def module_packages(self) -> OciPackages:
        """The module packages in OCI registries."""
        from lockwarden.core.module_packages.oci_packages import OciPackages

        return OciPackages(self._registries, self._store)

    async def repositories(self, names: RepositoryNames) -> tuple[OciRepository, ...]:
        """The repositories that a template could lead to. Raises as `fitting_repositories` does."""
        from lockwarden.core.oci.catalog import fitting_repositories

        return await fitting_repositories(self._registries, names)

    def _http_for(self, method: Method | None) -> HttpClient:
        retries = method.download_retry_count if isinstance(method, Direct | NetworkMirror) else None
        return self._http if retries is None else self._http.with_package_retries(within(retries))

    @property
    def _services(self) -> Mapping[str, Mapping[str, str | None]]:
        if self._place.evidence is not None:
            return self._place.evidence.replayer.plan.services
        configured = self._place.configured
        return {} if configured is None else configured.services

    @cached_property
    def _registries(self) -> Registries:
        """All OCI registries of this runner, so that a token is asked for once."""
        from lockwarden.core.oci.registry import Registries, RegistryRules

        options = self._options
        rules = RegistryRules(plain_http_hosts=options.insecure_hosts, token_hosts=options.token_hosts)
        return Registries(self._http, self._place.oci_credentials, rules=rules)

    @cached_property
    def _probes(self) -> Probes:
        """What is asked to tell one protocol from the other, so that no host is asked twice."""
        return Probes(self._http)

    def _verifier_for(self, client: Client) -> SignatureVerifier:
        if client not in self._verifiers:
            gpg, lax = find_gpg(self._place.environ), client is Client.OPENTOFU
            self._verifiers[client] = SignatureVerifier(gpg, clock=self._place.now, lax_armor=lax)
        return self._verifiers[client]


class _Nobody(httpx.AsyncBaseTransport):
    """Stands for the network where nobody is to be asked."""


def _tape(runtime: Runtime) -> Tape:
    return (
        (LIVE if runtime.recorder is None else runtime.recorder)
        if runtime.evidence is None
        else runtime.evidence.replayer
    )


@asynccontextmanager
async def opened_network(
    options: AuditOptions, runtime: Runtime, store: PackageStore, report: Report
) -> AsyncIterator[Network]:
    """The network until the block ends; no connection is left behind."""
    settings = HttpSettings.from_environment(
        runtime.environ,
        user_agent=f"{_NAME}/{__version__}",
        insecure_http_hosts=options.insecure_hosts,
        offline=options.offline or runtime.evidence is not None,
        proxies={} if runtime.evidence is not None else runtime.proxies(),
    )
    tokens: CredentialsLookup = no_credentials
    if runtime.configured is not None:
        settings, tokens = runtime.configured.http(settings), runtime.configured.tokens
    async with AsyncExitStack() as stack:
        client = HttpClient(
            settings,
            now=lambda: runtime.now().timestamp(),
            report=report,
            credentials=tokens,
            transport=runtime.transport if runtime.evidence is None else _Nobody(),
            tape=_tape(runtime),
            elsewhere=None if runtime.workers is None else await stack.enter_async_context(runtime.workers(settings)),
        )
        http = await stack.enter_async_context(client)
        yield Network(options=options, runtime=runtime, http=http, store=store)

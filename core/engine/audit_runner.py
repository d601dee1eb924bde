"""Runs audits: makes sources of what the operator chose, over one HTTP client and one store of packages.

The app and the commands run their audits through the same `AuditRunner`. What asks servers is in `network`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from lockwarden.core.cli_config.settings import Method
from lockwarden.core.engine.audit import AuditPlan, PlatformChoice, ReleasePlan, run_audit
from lockwarden.core.engine.configured_sources import are_the_clients, overridden, repository_names, with_sources
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.engine.source_spelling import SourceSpec, name_sources
from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.source_answers import Audit, SourceKind, SourceRef
from lockwarden.core.sources.port import Source
from lockwarden.core.store.known_releases import KnownReleases
from lockwarden.core.store.package_files import RELEASES
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.system.allowance import AuditLimits
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

if TYPE_CHECKING:
    from lockwarden.core.engine.evidence_recording import RecordedPlan
    from lockwarden.core.engine.network import Network
    from lockwarden.core.sources.local.reading import FolderReading
    from lockwarden.core.values.oci_references import OciRepository
    from lockwarden.core.values.oci_templates import RepositoryNames


class AuditRunner:
    """Runs audits with one HTTP client and one package store, so that nothing is fetched twice while it is open."""

    def __init__(
        self,
        *,
        options: AuditOptions,
        runtime: Runtime,
        network: Network | None,
        store: PackageStore,
        report: Report,
        seen: SeenReleases | None = None,
    ) -> None:
        """`network` is None where nothing may be asked over it, `seen` where nothing is kept."""
        self._seen = seen
        self._options = options
        self._place = runtime
        self._report = report
        self._asked = network
        self._store = store
        self._recorded: RecordedPlan | None = None
        if runtime.recorder is not None:
            from lockwarden.core.engine.evidence_recording import RecordedPlan

            self._recorded = RecordedPlan(runtime.recorder)

    async def audit(
        self,
        releases: Sequence[ReleasePlan],
        *,
        specs: Sequence[SourceSpec],
        platforms: PlatformChoice,
        settings: ClientSettings,
        report: Report | None = None,
    ) -> tuple[Audit, ...]:
        """Audit some releases against some sources; the audits come back in the order of the releases.

        `report` hears of it instead of whoever hears of everything else. Raises ToolError when gpg is missing and some
        source needs it.
        """
        refs = name_sources(specs)
        chosen = {ref.id: spec for ref, spec in zip(refs, specs, strict=True)}
        served = await asyncio.to_thread(self._served, releases, chosen, settings)
        if self._recorded is not None:
            self._recorded.sources(refs, chosen)
            self._recorded.releases(served, refs, chosen, settings.client)
        plan = AuditPlan(
            releases=served,
            sources=tuple(self._source(ref, chosen[ref.id].method, settings) for ref in refs),
            platforms=platforms,
            jobs=self._options.jobs,
            limits=AuditLimits(seconds=self._options.timeout),
            bundles=self._options.attestations,
        )
        evidence = self._place.evidence
        if evidence is not None:
            from lockwarden.core.engine.opened_evidence import run_recorded

            return await run_recorded(plan, report or self._report, evidence.recorded)
        audits = await run_audit(plan, report or self._report)
        if self._seen is not None:
            await asyncio.to_thread(self._seen.keep, audits, now=self._place.now().timestamp())
        return audits

    async def repositories(self, names: RepositoryNames) -> tuple[OciRepository, ...]:
        """The repositories of an OCI mirror's registry that its template could lead to.

        Raises NotThereError when there is no such list, NoAnswerError and BadAnswerError when it could not be had.
        """
        return await self._network.repositories(names)

    def _served(
        self, releases: Sequence[ReleasePlan], specs: Mapping[str, SourceSpec], settings: ClientSettings
    ) -> tuple[ReleasePlan, ...]:
        """The releases with the sources that serve them. It blocks."""
        if self._place.evidence is not None:
            then = self._place.evidence.replayer.plan.served
            from lockwarden.core.engine.opened_evidence import as_planned

            return tuple(as_planned(each, then.get((settings.client, each.address, each.version))) for each in releases)
        configured = self._place.configured
        chained = (
            configured is not None
            and not configured.passed_over
            and tuple(specs.values()) == configured.sources
            and are_the_clients(configured.installation, configured.surroundings)
        )
        planned = (with_sources(release, specs, chained=chained, reader=settings.reader) for release in releases)
        if configured is None or self._options.sources:
            return tuple(planned)
        return tuple(overridden(release, configured.installation) for release in planned)

    @property
    def _network(self) -> Network:
        if self._asked is None:
            raise NoAnswerError(
                "the network was not asked, because of --offline", stage=Stage.DISCOVERY, code=ProblemCode.OFFLINE
            )
        return self._asked

    def _source(self, ref: SourceRef, method: Method | None, settings: ClientSettings) -> Source:
        evidence = self._place.evidence
        match ref.kind:
            case SourceKind.DIRECT | SourceKind.NETWORK_MIRROR | SourceKind.OCI_MIRROR if self._options.offline:
                from lockwarden.core.sources.offline import OfflineSource

                return OfflineSource(ref)
            case SourceKind.DIRECT:
                return self._network.registry(ref, method, settings)
            case SourceKind.NETWORK_MIRROR:
                return self._network.network_mirror(ref, method, settings)
            case SourceKind.FILESYSTEM_MIRROR:
                from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
                from lockwarden.core.sources.local.reading import OnDisk

                reading = self._reading(ref, OnDisk(Path(ref.location), self._store))
                return FilesystemMirrorSource(Path(ref.location), self._store, id=ref.id, reading=reading)
            case SourceKind.PLUGIN_CACHE | SourceKind.INSTALLED:
                from lockwarden.core.sources.local.reading import OnDisk
                from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource

                reading = self._reading(ref, OnDisk(Path(ref.location)))
                return UnpackedProvidersSource(Path(ref.location), kind=ref.kind, id=ref.id, reading=reading)
            case SourceKind.OCI_MIRROR:
                names = repository_names(ref.location, method) if evidence is None else evidence.names(ref)
                return self._network.oci_mirror(ref, names, settings)
            case _:
                assert_never(ref.kind)

    def _reading(self, ref: SourceRef, folder: FolderReading) -> FolderReading:
        """The folder of a source, as it is to be read here."""
        if self._place.evidence is not None:
            return self._place.evidence.folder(ref)
        return folder if self._recorded is None else self._recorded.reading(ref, folder)


@asynccontextmanager
async def audit_runner(options: AuditOptions, runtime: Runtime, report: Report) -> AsyncIterator[AuditRunner]:
    """A runner that is open until the block ends, and leaves no connection and no temporary file behind."""
    store_type = PackageStore
    if options.fresh:
        from lockwarden.core.store.fresh_packages import FreshPackageStore

        store_type = FreshPackageStore
    folder = runtime.cache_folder if options.keep_cache else None
    key = None if folder is None or runtime.state_folder is None else UserKey.at(runtime.state_folder / KEY_FILE)
    async with store_type(folder, key=key, now=lambda: runtime.now().timestamp()) as store:
        if options.offline:
            yield AuditRunner(options=options, runtime=runtime, network=None, store=store, report=report)
            return
        # What speaks to servers is imported only by those who do.
        from lockwarden.core.engine.network import opened_network

        seen = None if key is None or folder is None else SeenReleases(KnownReleases(folder / RELEASES, key))
        async with opened_network(options, runtime, store, report) as network:
            yield AuditRunner(options=options, runtime=runtime, network=network, store=store, report=report, seen=seen)

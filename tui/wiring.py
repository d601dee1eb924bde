"""Puts everything together: from options and the process's surroundings to sources, and audits over them.

The app and the commands run their audits through the same `AuditRunner`.
"""

from __future__ import annotations

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
from lockwarden.core.clients import ClientSettings
from lockwarden.core.errors import InputError
from lockwarden.core.events import Report
from lockwarden.core.findings import Audit, SourceKind, SourceRef
from lockwarden.core.fresh_packages import FreshPackageStore
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.packages import PackageStore
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.sources.choose import SourceSpec, name_sources
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.offline import OfflineSource
from lockwarden.core.sources.port import Source
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.tui.commands.options import AuditOptions

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

    @classmethod
    def of_process(cls, environ: Mapping[str, str]) -> Place:
        """This process's own surroundings."""
        return cls(environ=environ, cache_folder=platformdirs.user_cache_path(_NAME))

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
        plan = AuditPlan(
            releases=tuple(releases),
            sources=self._sources(specs, settings),
            platforms=platforms,
            jobs=self._options.jobs,
        )
        return await run_audit(plan, self._report)

    def _sources(self, specs: Sequence[SourceSpec], settings: ClientSettings) -> tuple[Source, ...]:
        refs = name_sources(specs)
        return tuple(self._source(ref, settings) for ref in refs)

    def _source(self, ref: SourceRef, settings: ClientSettings) -> Source:
        match ref.kind:
            case SourceKind.DIRECT | SourceKind.NETWORK_MIRROR if self._options.offline:
                return OfflineSource(ref)
            case SourceKind.DIRECT:
                return RegistrySource(self._http, self._store, self._verifier, settings)
            case SourceKind.NETWORK_MIRROR:
                return NetworkMirrorSource(self._http, self._store, ref.location, settings, id=ref.id)
            case SourceKind.FILESYSTEM_MIRROR:
                return FilesystemMirrorSource(Path(ref.location), self._store, id=ref.id)
            case SourceKind.PLUGIN_CACHE | SourceKind.INSTALLED:
                return UnpackedProvidersSource(Path(ref.location), kind=ref.kind, id=ref.id)
            case SourceKind.OCI_MIRROR:
                raise InputError("OCI mirrors cannot be audited yet in this version")
            case _:
                assert_never(ref.kind)

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
    store_type = FreshPackageStore if options.fresh else PackageStore
    folder = place.cache_folder if options.keep_cache else None
    async with HttpClient(settings, report=report, transport=place.transport) as http, store_type(folder) as store:
        yield AuditRunner(options=options, place=place, http=http, store=store, report=report)

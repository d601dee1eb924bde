"""What surrounds an audit: the process's environment, clock and folders, or those that a demo or a test made up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.configured_sources import ORIGINS
from lockwarden.core.engine.operator_configuration import Configured
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import Report, ignore
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import client_named_in
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.reports.result import UsedConfiguration
from lockwarden.core.values.clients import Client, ClientSettings

if TYPE_CHECKING:
    import httpx

    from lockwarden.core.bundles.recording import Recorder
    from lockwarden.core.engine.opened_evidence import OpenedEvidence
    from lockwarden.core.http.elsewhere import PackagesElsewhere
    from lockwarden.core.http.settings import HttpSettings
    from lockwarden.core.oci.credentials import OciCredentialsLookup


class Runtime(Struct, frozen=True, kw_only=True):
    """What surrounds an audit: the process's, or one that the demo made up."""

    environ: Mapping[str, str]
    now: Callable[[], datetime]
    """The time, in UTC."""
    cache_folder: Path | None
    """Where packages and facts are kept; None to keep none."""
    state_folder: Path | None = None
    """Where the user's own key lies; without one, no facts outlive an audit."""
    proxies: Callable[[], Mapping[str, str]] = dict
    """Gives the proxies to go through, by scheme, and by `no` the hosts that are asked without one."""
    second_reader: SecondReader = msgspec.field(default_factory=SecondReader)
    """Confirms what lock files say that are not in the form that the clients write."""
    transport: httpx.AsyncBaseTransport | None = None
    """Answers instead of the network, when given."""
    oci_credentials: OciCredentialsLookup | None = None
    """Knows the credentials for OCI registries; without it they are asked anonymously."""
    configured: Configured | None = None
    """The operator's CLI configuration; without it there are no tokens, and the origin registries are asked."""
    recorder: Recorder | None = None
    """Hears of all that is asked and answered, when given."""
    evidence: OpenedEvidence | None = None
    """Answers instead of everybody, when given."""
    workers: Callable[[HttpSettings], AbstractAsyncContextManager[PackagesElsewhere]] | None = None
    """Opens the way to workers that fetch and hash packages in this process's place, when given."""
    reach: Reach = NO_REACH
    """What the change under review can write."""
    report: Report = ignore
    """Hears which servers are asked about modules; of providers each audit tells who runs it."""
    notes: tuple[str, ...] = ()
    """What of the configuration does not count for being in its reach, in sentences without a full stop."""

    def answered_by(self, evidence: OpenedEvidence) -> Runtime:
        """The same over evidence: nothing of the CLI configuration counts there, and no secret is looked up."""
        return replace(
            self, evidence=evidence, configured=None, oci_credentials=None, notes=(*self.notes, evidence.note)
        )

    def sources_for(self, options: AuditOptions) -> tuple[SourceSpec, ...]:
        """The sources that were named, or else those that the CLI configuration names."""
        configured = (ORIGINS,) if self.configured is None else self.configured.sources
        return options.sources or configured

    def used_configuration(self, options: AuditOptions) -> UsedConfiguration | None:
        """What of configuration and settings a run goes by; None where no configuration was looked for."""
        used = None if self.configured is None else self.configured.used
        if options.settings is None:
            return used
        return replace(used or UsedConfiguration(), settings=options.settings)

    def settings_of(self, lock_file: LockFile) -> ClientSettings:
        """By whose rules a lock file is judged here."""
        # Terraform is never a guess: without a header it is so by the operator's word.
        named = lock_file.client is Client.TERRAFORM or client_named_in(lock_file.data) is not None
        return ClientSettings.from_environment(self.environ, client=lock_file.client, named=named)

"""What surrounds an audit: the process's environment, clock and folders, or those that a demo or a test made up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from msgspec import Struct

from lockwarden.core.engine.configured_sources import ORIGINS
from lockwarden.core.engine.operator_configuration import Configured, ConfiguredOciCredentials
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.oci.credentials import OciCredentialsLookup
from lockwarden.core.values.clients import ClientSettings

if TYPE_CHECKING:
    import httpx

_NAME = "lockwarden"


def _now() -> datetime:
    return datetime.now(UTC)


class Runtime(Struct, frozen=True, kw_only=True):
    """What surrounds an audit: the process's, or one that the demo made up."""

    environ: Mapping[str, str]
    cache_folder: Path | None
    """Where packages and facts are kept; None to keep none."""
    state_folder: Path | None = None
    """Where the user's own key lies; without one, no facts outlive an audit."""
    now: Callable[[], datetime] = _now
    transport: httpx.AsyncBaseTransport | None = None
    """Answers instead of the network, when given."""
    oci_credentials: OciCredentialsLookup | None = None
    """Knows the credentials for OCI registries; without it they are asked anonymously."""
    configured: Configured | None = None
    """The operator's CLI configuration; without it there are no tokens, and the origin registries are asked."""
    reach: Reach = NO_REACH
    """What the change under review can write."""
    notes: tuple[str, ...] = ()
    """What of the configuration does not count for being in its reach, in sentences without a full stop."""

    @classmethod
    def of_process(cls, environ: Mapping[str, str], configured: Configured) -> Runtime:
        """This process's own surroundings."""
        return cls(
            environ=environ,
            cache_folder=platformdirs.user_cache_path(_NAME),
            state_folder=platformdirs.user_state_path(_NAME),
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

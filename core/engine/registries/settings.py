"""How a backfill is to be done, as small values for other machines, and what surrounds the work there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from lockwarden.core import __version__
from lockwarden.core.archives.facts import ArchiveLimits
from lockwarden.core.http.politeness import HostLimits
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.store.packages_on_disk import StoreLimits

if TYPE_CHECKING:
    import httpx

GIB: Final = 1024 * 1024 * 1024


class WorkSettings(Struct, frozen=True, kw_only=True):
    """The same for every package of a run. It holds no secret."""

    run_id: str
    hosts: HostLimits = msgspec.field(default_factory=HostLimits)
    allowed_hosts: frozenset[str] = frozenset()
    """Hosts in comparison form that may be asked, also by way of a redirect; empty for every host."""
    jobs: int = 16
    """Packages at the same time, whatever their hosts."""
    retries: int = 3
    """How often a package is asked for again after a fault that may pass."""
    max_package: int = 4 * GIB
    """Bytes of the largest package."""
    max_unpacked: int = ArchiveLimits().unpacked_size
    """Bytes of what is in it."""

    def share(self, parts: int) -> WorkSettings:
        """The settings of one of `parts` equal workers, which together ask a host no more than one process would."""
        return msgspec.structs.replace(self, hosts=self.hosts.share(parts))

    @property
    def store_limits(self) -> StoreLimits:
        """The limits of a store that only packages of this run pass through."""
        return StoreLimits(package=self.max_package, archive=ArchiveLimits(unpacked_size=self.max_unpacked))


class WorkRuntime(Struct, frozen=True, kw_only=True):
    """What surrounds the work in the process that does it."""

    environ: Mapping[str, str]
    now: Callable[[], float]
    """Seconds since 1970."""
    worker: str
    """What the process is called in the journal."""
    scratch: Path | None = None
    """Where packages lie until they are hashed; None for a temporary folder that goes with the work."""
    proxies: Callable[[], Mapping[str, str]] = dict
    transport: httpx.AsyncBaseTransport | None = None
    """Answers instead of the network, when given."""

    def http(self, settings: WorkSettings) -> HttpSettings:
        """How to speak to servers; without credentials, whatever the clients' configuration has."""
        found = HttpSettings.from_environment(
            self.environ, user_agent=f"lockwarden/{__version__} (registry backfill)", proxies=self.proxies()
        )
        return msgspec.structs.replace(found, package_retries=settings.retries, jitter=0.5)

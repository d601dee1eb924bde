"""What an audit tells while it runs, as frozen values passed to one `report` callable.

`AuditPlanned` comes first and names every provider, so that a screen can lay out its rows; observers cannot steer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

if TYPE_CHECKING:
    from lockwarden.core.evidence.source_answers import Audit


class AuditPlanned(Struct, frozen=True, kw_only=True):
    """The audit is about to start on these provider versions, in this order."""

    releases: tuple[tuple[ProviderAddress, Version], ...]


class LookupStarted(Struct, frozen=True, kw_only=True):
    """A source is being asked for the documents of a release."""

    address: ProviderAddress
    version: Version
    source: str


class PackageProgress(Struct, frozen=True, kw_only=True):
    """Bytes of one package have arrived; `total` is None where the server does not say."""

    address: ProviderAddress
    version: Version
    source: str
    platform: Platform
    received: int
    total: int | None


class PackageChecked(Struct, frozen=True, kw_only=True):
    """One package was hashed, or could not be; `outcome` is a word for the screen."""

    address: ProviderAddress
    version: Version
    source: str
    platform: Platform
    outcome: str


class RequestSent(Struct, frozen=True, kw_only=True):
    """A server is asked, and has not answered yet."""

    number: int
    """Of this run; what else is told of the request has it, too."""
    host: str
    """In comparison form, with its port where that is not the usual one."""
    stage: Stage


class BytesArrived(Struct, frozen=True, kw_only=True):
    """Bytes of a package have come in answer to a request; `total` is None where the server does not say."""

    number: int
    received: int
    total: int | None


class RequestEnded(Struct, frozen=True, kw_only=True):
    """A request was answered, failed, or was given up."""

    number: int


class RetryScheduled(Struct, frozen=True, kw_only=True):
    """A request failed in a way that may pass; it is asked again after `delay` seconds."""

    url: str
    stage: Stage
    attempt: int
    delay: float
    reason: str
    host: str = ""
    """As in `RequestSent`."""


class ProviderAudited(Struct, frozen=True, kw_only=True):
    """The audit of one release is complete; its place in the plan tells which."""

    audit: Audit


class EarlierAudited(Struct, frozen=True, kw_only=True):
    """The versions that were locked before are audited, too: documents and signatures, no packages."""

    audits: tuple[Audit, ...]


class AuditFinished(Struct, frozen=True, kw_only=True):
    """Nothing more comes."""


AuditEvent = (
    AuditPlanned
    | LookupStarted
    | PackageProgress
    | PackageChecked
    | RequestSent
    | BytesArrived
    | RequestEnded
    | RetryScheduled
    | ProviderAudited
    | EarlierAudited
    | AuditFinished
)
Report = Callable[[AuditEvent], None]


def ignore(event: AuditEvent) -> None:
    """Report to nobody."""

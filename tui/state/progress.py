"""How far an audit is: the fold of its events into one frozen value. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditFinished,
    AuditPlanned,
    BytesArrived,
    EarlierAudited,
    LookupStarted,
    PackageChecked,
    PackageProgress,
    ProviderAudited,
    RequestEnded,
    RequestSent,
    RetryScheduled,
)
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.amounts import counted, in_bytes
from lockwarden.core.values.versions import Version


class Phase(StrEnum):
    """Where the audit as a whole is."""

    IDLE = "idle"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


class ProviderProgress(Struct, frozen=True, kw_only=True):
    """What is being done for one provider."""

    doing: str = "waiting"
    received: int = 0
    total: int | None = None
    packages: int = 0
    """Packages that were hashed or could not be."""
    done: bool = False

    @property
    def summary(self) -> str:
        """What it is doing and how far it is, short."""
        if self.total:
            return f"{self.doing} {min(100, self.received * 100 // self.total)}%"
        if self.received:
            return f"{self.doing} {in_bytes(self.received)}"
        return self.doing


WAITING = ProviderProgress()
_States = Mapping[Any, ProviderProgress]
"""By provider; in a run over several lock files by whatever is audited once there."""
_NONE: _States = MappingProxyType({})
ReleaseEvent = LookupStarted | PackageProgress | PackageChecked | ProviderAudited


class Progress(Struct, frozen=True, kw_only=True):
    """How far an audit is."""

    phase: Phase = Phase.IDLE
    states: _States = msgspec.field(default_factory=lambda: _NONE)
    total: int = 0
    retries: int = 0
    """Requests that failed in a way that may pass, and were or will be sent again."""

    @property
    def running(self) -> bool:
        """Whether results still arrive."""
        return self.phase is Phase.RUNNING

    @property
    def done(self) -> int:
        """Providers whose audit has ended."""
        return sum(state.done for state in self.states.values())

    def of(self, address: ProviderAddress) -> ProviderProgress:
        """What is being done for one provider."""
        return self.states.get(address, WAITING)

    @property
    def summary(self) -> str:
        """The whole in a few words."""
        providers = f"{self.done}/{self.total} providers" if self.total else "no providers"
        return f"{providers} · {counted(self.retries, 'retry', 'retries')}" if self.retries else providers


def release_of(event: ReleaseEvent) -> tuple[ProviderAddress, Version]:
    """The provider and version that the event is about."""
    about = event.audit if isinstance(event, ProviderAudited) else event
    return about.address, about.version


def stepped(before: ProviderProgress, event: ReleaseEvent) -> ProviderProgress:
    """What is being done for one provider, after one event about it."""
    match event:
        case LookupStarted():
            return replace(before, doing=f"asking {event.source}")
        case PackageProgress():
            return replace(before, doing=f"{event.platform}", received=event.received, total=event.total)
        case PackageChecked():
            doing = f"{counted(before.packages + 1, 'package')} looked at"
            return ProviderProgress(doing=doing, packages=before.packages + 1)
        case ProviderAudited():
            return ProviderProgress(doing="", packages=before.packages, done=True)
        case _:
            assert_never(event)


def fold_events(progress: Progress, events: Iterable[AuditEvent], key: Callable[[ReleaseEvent], Hashable]) -> Progress:
    """The progress after these events, in their order; `key` says under what a release is counted.

    When an audit begins and ends, the app itself says: one run may be audits of several clients' files.
    """
    states = dict(progress.states)
    retries = progress.retries
    for event in events:
        match event:
            case LookupStarted() | PackageProgress() | PackageChecked() | ProviderAudited():
                states[key(event)] = stepped(states.get(key(event), WAITING), event)
            case RetryScheduled():
                retries += 1
            case AuditPlanned() | EarlierAudited() | AuditFinished():
                pass
            case RequestSent() | BytesArrived() | RequestEnded():
                pass  # told by the pulse
            case _:
                assert_never(event)
    return replace(progress, states=MappingProxyType(states), retries=retries)

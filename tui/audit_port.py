"""Running an audit beneath the app: what the app is given for it, how its events arrive, how it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from textual.message import Message
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import AuditEvent
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockwardenError
from lockwarden.core.values.oci_references import Repository


class AuditGroup(Struct, frozen=True, kw_only=True):
    """Lock files that are judged by the rules of one client, so that each of their releases is audited once."""

    settings: ClientSettings
    files: tuple[tuple[LockFile, Standards], ...]
    """Each with what it is held against."""


GroupReport = Callable[[ClientSettings, AuditEvent], None]
"""Hears what an audit tells, and of which group it tells."""


class AuditRunner(Protocol):
    """Audits lock files. It returns when every release is audited, and cleans up when it is cancelled."""

    async def __call__(
        self,
        groups: Sequence[AuditGroup],
        sources: tuple[SourceSpec, ...],
        platforms: PlatformChoice,
        report: GroupReport,
    ) -> None:
        """Run one audit; everything that happens is reported."""
        ...


class ListRepositories(Protocol):
    """Asks the registry of an OCI mirror what it holds."""

    async def __call__(self, source: SourceSpec) -> tuple[Repository, ...]:
        """The repositories that the mirror's template could lead to.

        Raises NotThereError when the registry offers no such list, SourceError when it could not be had.
        """
        ...


class Save(Protocol):
    """Writes a lock file, never half of it."""

    def __call__(self, path: Path, data: bytes, *, expected: bytes) -> None:
        """Write `data`; raises LockFileChangedError when `expected` is no longer what is there."""
        ...


class EventsArrived(Message):
    """An audit told something. Only the newest of these waits in the queue, and its handler takes all there is."""

    def can_replace(self, message: Message) -> bool:
        """Whether this one makes an older one superfluous."""
        return isinstance(message, EventsArrived)


async def end_of(worker: Worker[None] | None) -> None:
    """Wait until a worker has ended, however it ends."""
    if worker is not None and not worker.is_finished:
        with contextlib.suppress(WorkerCancelled, WorkerFailed):
            await worker.wait()


def expected(error: BaseException) -> LockwardenError | None:
    """The first error of the tree in `error`; None when something else is in it, which is a fault of our own."""
    if isinstance(error, LockwardenError):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = [expected(each) for each in error.exceptions]
        return found[0] if all(found) else None
    return None

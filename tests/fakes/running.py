"""A runner of audits that tells prepared results when it is let, and an app around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from builders.reading import SECOND_READER, parse

from fakes.keeping import MemoryKeeper
from fakes.lock_files import World
from fakes.releases import DIRECT, MIRROR
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditFinished,
    AuditPlanned,
    EarlierAudited,
    LookupStarted,
    ProviderAudited,
    Report,
)
from lockwarden.core.evidence.source_answers import Audit, SourceKind
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import InputError, LockwardenError, NotThereError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.ports import Appearance, AuditGroup, GroupReport, ListRepositories, ReviewSetup

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
LINUX = Platform("linux", "amd64")
SOURCES = (
    SourceSpec(kind=DIRECT.kind, location=DIRECT.location),
    SourceSpec(kind=MIRROR.kind, location=MIRROR.location),
)
AUTO = PlatformChoice(wanted=frozenset({LINUX}), explain=True)


@dataclass
class PreparedAudit:
    """Runs as `lockwarden.core.engine.audit` does: plan, lookups, a result for each provider, the end."""

    audits: tuple[Audit, ...]
    earlier: tuple[Audit, ...] = ()
    """Of the versions that the base has instead."""
    held: bool = False
    """Wait, once the lookups have started, until `gate` is set."""
    held_after: int = 0
    """With `held`: how many results come before the wait."""
    failure: LockwardenError | None = None
    runs: list[tuple[tuple[SourceSpec, ...], PlatformChoice]] = field(default_factory=list)
    audited: list[tuple[str, str]] = field(default_factory=list)
    """Each release that was audited, as often as it was."""
    cleaned_up: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    also: tuple[AuditEvent, ...] = ()
    """What servers are told to do while the run waits at the gate."""
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    """Is set while a run waits at the gate."""

    async def __call__(
        self,
        groups: Sequence[AuditGroup],
        sources: tuple[SourceSpec, ...],
        platforms: PlatformChoice,
        report: GroupReport,
    ) -> None:
        """One run."""
        self.runs.append((sources, platforms))
        try:
            for group in groups:
                await self._group(group, partial(report, group.settings))
        finally:
            self.cleaned_up += 1

    async def _group(self, group: AuditGroup, report: Report) -> None:
        held = [(lock_file.provider(each.address), each) for each in self.audits for lock_file, _ in group.files]
        matching = [audit for entry, audit in held if entry is not None and entry.version == audit.version]
        audits = list({id(each): each for each in matching}.values())
        self.audited += [(str(each.address), str(each.version)) for each in audits]
        report(AuditPlanned(releases=tuple((each.address, each.version) for each in audits)))
        for each in audits:
            report(LookupStarted(address=each.address, version=each.version, source=DIRECT.id))
        if self.earlier and any(standards.has_base for _, standards in group.files):
            report(EarlierAudited(audits=self.earlier))
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure
        for number, each in enumerate(audits):
            if self.held and number == self.held_after:
                for event in self.also:
                    report(event)
                self.waiting.set()
                await self.gate.wait()
            report(ProviderAudited(audit=each))
        report(AuditFinished())


@dataclass
class Disk:
    """A file that is read and saved without a disk; `data` may be changed behind the app's back."""

    data: bytes
    path: str = "infra/prod/.terraform.lock.hcl"
    saved: list[bytes] = field(default_factory=list)
    refusal: LockwardenError | None = None
    unreadable: LockwardenError | None = None

    def load(self, path: Path) -> LockFile:
        """Read it."""
        if self.unreadable is not None:
            raise self.unreadable
        return parse(self.data, path=self.path)

    def save(self, path: Path, data: bytes, *, expected: bytes) -> None:
        """Write it."""
        if self.refusal is not None:
            raise self.refusal
        self.data = data
        self.saved.append(data)


def parse_source(text: str) -> SourceSpec:
    """Read a source without looking at a disk."""
    if text == "direct":
        return SOURCES[0]
    if text.startswith("oci://"):
        return SourceSpec(kind=SourceKind.OCI_MIRROR, location=text)
    if not text.startswith("https://"):
        raise InputError(f"“{text}” is not a source", hint="write direct, or an https:// URL")
    return SourceSpec(kind=SourceKind.NETWORK_MIRROR, location=text)


async def no_list(source: SourceSpec) -> tuple[OciRepository, ...]:
    """A registry that does not offer a list of its repositories."""
    raise NotThereError("registry.example.test does not offer a list of its repositories", stage=Stage.DISCOVERY)


def app_of(
    world: World,
    *,
    audit: PreparedAudit | None = None,
    disk: Disk | None = None,
    sources: tuple[SourceSpec, ...] = SOURCES,
    platforms: PlatformChoice = AUTO,
    settings_for: Callable[[LockFile], ClientSettings] = lambda lock_file: ClientSettings(client=lock_file.client),
    list_repositories: ListRepositories = no_list,
    keeper: MemoryKeeper | None = None,
    base: str = "",
    clock: Callable[[], float] = lambda: 0.0,
    look: Appearance = Appearance(theme="lockwarden-dark"),  # noqa: B008 - frozen
) -> LockwardenApp:
    """The app on a prepared world."""
    disk = disk or Disk(world.data)
    setup = ReviewSetup(
        paths=(Path(disk.path),),
        load=disk.load,
        save=disk.save,
        audit=audit or PreparedAudit(world.audits),
        sources=sources,
        platforms=platforms,
        settings_for=settings_for,
        parse_source=parse_source,
        list_repositories=list_repositories,
        store=keeper or MemoryKeeper(),
        base=base,
        title=disk.path,
        current_platform=LINUX,
        now=lambda: NOW,
        reaction=0,
        second_reader=SECOND_READER,
        clock=clock,
        look=look,
    )
    app = LockwardenApp(setup)
    app.animation_level = "none"
    app.theme = look.theme
    return app

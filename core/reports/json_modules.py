"""The module calls of configurations as JSON, `lockwarden.modules/1`. No secret of an address is in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType

from lockwarden.core.modules.comparison import CopyComparison, CopyState
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import DiffedCall, ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.modules.lock_changes import LockChange, LockChangeKind
from lockwarden.core.modules.module_lock import LockedModule
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.reports.bounds import Room, shortened
from lockwarden.core.reports.json_package_diff import PackageDiffJson
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import Time, time_json
from lockwarden.core.reports.module_report import call_name
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.module_findings import ModuleFinding, findings_of
from lockwarden.core.values.clients import Client
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.source_redaction import redacted_source

MAX_SIZE: Final = 16_000_000
"""Bytes of the calls before the text is indented."""
_LONGEST: Final = 200


class ModuleProblemJson(Struct, frozen=True, kw_only=True):
    """What speaks against a call. An error leads to exit code 1, a warning to 3."""

    code: ProblemCode
    """A stable word."""
    severity: Severity
    message: str
    hint: str

    @classmethod
    def of(cls, finding: ModuleFinding) -> Self:
        """One finding."""
        return cls(code=finding.code, severity=finding.severity, message=finding.message, hint=finding.hint)


class LockedModuleJson(Struct, frozen=True, kw_only=True):
    """What the module lock has of a source."""

    revision: str | None
    """The commit or digest that it meant; null where that was not known."""
    h1: str | None
    """Of the files that were installed; null where none were."""
    by: str
    """Who locked it, by git's settings: a claim."""
    at: Time

    @classmethod
    def of(cls, entry: LockedModule) -> Self:
        """One entry."""
        return cls(
            revision=entry.revision or None,
            h1=entry.h1 if entry.files else None,
            by=shortened(entry.by, _LONGEST),
            at=time_json(entry.at),
        )


class ResolvedJson(Struct, frozen=True, kw_only=True):
    """What a source means today."""

    revision: str
    """The commit's ID, or the digest of the manifest or archive."""
    package: str | None
    """The digest of the package, where there is one beside."""
    how: str
    pinned: str | None
    """The same source so that it cannot mean anything else, without what may be a secret; null where it is so
    already."""

    @classmethod
    def of(cls, resolved: Resolved) -> Self:
        """One answer."""
        return cls(
            revision=resolved.revision,
            package=resolved.package or None,
            how=shortened(resolved.how, _LONGEST),
            pinned=redacted_source(resolved.pinned) if resolved.pinned else None,
        )


class ComparisonJson(Struct, frozen=True, kw_only=True):
    """An installed copy beside the package that its source means today."""

    state: CopyState
    differences: list[str]
    """The first of them."""
    reason: str | None
    """Why it is not known, or of which other revision it is."""
    installed: str | None
    """The h1 of what is installed."""
    package: str | None
    """The h1 of as much of the package as such a copy has."""

    @classmethod
    def of(cls, found: CopyComparison) -> Self:
        """One comparison."""
        return cls(
            state=found.state,
            differences=[shortened(each, _LONGEST) for each in found.differences],
            reason=found.reason or None,
            installed=found.installed or None,
            package=found.package or None,
        )


class LockChangeJson(Struct, frozen=True, kw_only=True):
    """What a change does to one entry of the module lock."""

    kind: LockChangeKind
    source: str
    """The address without what may be a secret."""
    before: LockedModuleJson | None
    """What the base has, maybe in another spelling of the source; null where it has nothing."""
    after: LockedModuleJson | None
    """What the change has; null where it removes the entry."""
    counts: bool
    """Whether the base's policy lets it count."""

    @classmethod
    def of(cls, change: LockChange) -> Self:
        """One change."""
        return cls(
            kind=change.kind,
            source=redacted_source(change.entry.source),
            before=None if change.before is None else LockedModuleJson.of(change.before),
            after=None if change.after is None else LockedModuleJson.of(change.after),
            counts=change.counts,
        )


class ModuleCallJson(Struct, frozen=True, kw_only=True):
    """One module call."""

    key: str
    """The names of the calls that lead there, as network.subnets."""
    path: str
    line: int
    source: str | None
    """The address without what may be a secret; null where it is no constant."""
    version: str | None
    """The constraint of the call."""
    kind: str | None
    """local, registry, git, hg, http, s3, gcs, oci or file; null where it is not known."""
    pinning: Pinning = msgspec.field(name="class")
    """How far the source pins what is installed."""
    reason: str
    unverifiable_transport: str | None
    """Why anybody on the way could change it; null where nobody could."""
    secrets: list[str]
    """What in the address may be a secret, without its value."""
    installed: InstalledState | None
    """What a client has of it; null for local modules."""
    folder: str | None
    installed_version: str | None
    locked: LockedModuleJson | None
    """What the module lock has of the source; null where it has nothing, or there is none."""
    resolved: ResolvedJson | None
    """What the source means today; null where it is not known, or nobody was to ask."""
    comparison: ComparisonJson | None
    """How the installed copy stands to the package of its source; null where they were not compared."""
    lock_change: LockChangeJson | None
    """What the change under review does to its entry in the module lock; null for nothing, and without a base."""
    problems: list[ModuleProblemJson]

    @classmethod
    def of(cls, listed: ListedCall) -> Self:
        """One call."""
        call, found, held = listed.call, listed.classified, listed.held_against
        return cls(
            key=call_name(listed),
            path=call.path,
            line=call.line,
            source=redacted_source(call.source) if call.source else None,
            version=shortened(call.version, _LONGEST) if call.version else None,
            kind=found.kind or None,
            pinning=found.pinning,
            reason=found.reason,
            unverifiable_transport=found.unverifiable_transport or None,
            secrets=list(found.secrets),
            installed=listed.installed,
            folder=listed.folder or None,
            installed_version=listed.version or None,
            locked=None if held is None or held.entry is None else LockedModuleJson.of(held.entry),
            resolved=ResolvedJson.of(listed.resolution) if isinstance(listed.resolution, Resolved) else None,
            comparison=None if listed.comparison is None else ComparisonJson.of(listed.comparison),
            lock_change=None if listed.lock_change is None else LockChangeJson.of(listed.lock_change),
            problems=list(map(ModuleProblemJson.of, findings_of(listed))),
        )


class UnreadJson(Struct, frozen=True, kw_only=True):
    """What could not be read of a configuration."""

    path: str
    line: int | None
    message: str

    @classmethod
    def of(cls, problem: ReadingProblem) -> Self:
        """One problem."""
        return cls(path=problem.path, line=problem.line or None, message=problem.message)


class RootModuleJson(Struct, frozen=True, kw_only=True):
    """One root module."""

    path: str
    client: Client
    """By whose rules it was read."""
    calls: list[ModuleCallJson]
    problems: list[UnreadJson]

    @classmethod
    def of(cls, listing: ModuleListing, room: Room) -> Self:
        """One configuration, with as many calls as there is room for."""
        return cls(
            path=listing.path,
            client=listing.client,
            calls=room.taken("calls", map(ModuleCallJson.of, listing.calls)),
            problems=list(map(UnreadJson.of, listing.problems)),
        )


class ModulesJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden modules --format json` writes. Members may be added; none is removed or changes its meaning
    within version 1. No secret of an address is in it."""

    schema: Literal["lockwarden.modules/1"] = "lockwarden.modules/1"
    exit_code: ExitCode
    """0 nothing to object to, 1 something speaks against a call, 2 something cannot be read, 3 something is not
    known."""
    configurations: list[RootModuleJson]
    diffs: list[PackageDiffJson] | UnsetType = UNSET
    """What is new in the packages of sources that moved; absent without --diff."""
    omitted: int | UnsetType = UNSET
    """How many calls are left out because the report would be too large; absent when none is."""


def modules_json(
    listings: Iterable[ModuleListing],
    exit_code: ExitCode,
    *,
    diffs: Iterable[DiffedCall] | None = None,
    limit: int = MAX_SIZE,
) -> str:
    """The listings as one JSON object. Calls that have no room in some `limit` bytes are counted."""
    room = Room(limit)
    configurations = [RootModuleJson.of(each, room) for each in listings]
    told = UNSET if diffs is None else room.taken("diffs", map(PackageDiffJson.of, diffs))
    omitted = sum(room.omitted.values())
    return json_text(
        ModulesJson(exit_code=exit_code, configurations=configurations, diffs=told, omitted=omitted or UNSET)
    )

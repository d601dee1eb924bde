"""What the app needs of the world around it, as one value: ports to files, audits and git, and what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.engine.user_settings import COLUMNS
from lockwarden.core.evidence.events import AuditEvent, Report
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.reports.result import UsedConfiguration
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.terminals import Signs

if TYPE_CHECKING:
    from lockwarden.core.approvals.model import Approvals
    from lockwarden.core.engine.module_accepting import Acceptance
    from lockwarden.core.engine.module_files import FoundModules
    from lockwarden.core.engine.module_pinning import Pinnings
    from lockwarden.core.engine.module_resolving import OnAnswered
    from lockwarden.core.git.model import PastRevision, Suggestion
    from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
    from lockwarden.core.modules.listing import DiffedCall, ListedCall, ModuleListing
    from lockwarden.core.modules.pins import PinnedFile
    from lockwarden.core.policy.model import Policy
    from lockwarden.core.review.rereleases import Rerelease
    from lockwarden.core.review.resolution import ResolvedFile
    from lockwarden.core.review.resolving import Choices

REACTION: Final = 0.3
"""Seconds that a person takes from seeing something to pressing a key because of it."""


class AuditGroup(Struct, frozen=True, kw_only=True):
    """Lock files that are judged by the rules of one client, so that each of their releases is audited once."""

    settings: ClientSettings
    files: tuple[tuple[LockFile, Standards], ...]
    """Each with what it is held against."""


GroupReport = Callable[[ClientSettings, AuditEvent], None]
"""Hears what an audit tells, and of which group it tells."""


class RunAudit(Protocol):
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

    async def __call__(self, source: SourceSpec) -> tuple[OciRepository, ...]:
        """The repositories that the mirror's template could lead to.

        Raises NotThereError when the registry offers no such list, SourceError when it could not be had.
        """
        ...


class Save(Protocol):
    """Writes a lock file, never half of it."""

    def __call__(self, path: Path, data: bytes, *, expected: bytes) -> None:
        """Write `data`; raises LockFileChangedError when `expected` is no longer what is there."""
        ...


class StandardsStore(Protocol):
    """Finds and keeps what a lock file is held against. Everything blocks and raises LockwardenError."""

    def standards(self, lock_file: LockFile, *, base: str) -> Standards:
        """Its policy, its approvals, and its state at the revision `base`, if one is named."""
        ...

    def as_judged(self, lock_file: LockFile, *, base: str) -> LockFile:
        """The same as the client reads it by whose rules it is judged: with a base, the one that is named there."""
        ...

    def look_anew(self) -> None:
        """From now on a base is what it stands for now."""
        ...

    def policy_path(self, lock_file: LockFile) -> Path:
        """Where its policy is, or would be."""
        ...

    def save_policy(self, lock_file: LockFile, data: bytes, *, before: Policy) -> None:
        """Write the policy, unless the file on disk is no longer the one that was read."""
        ...

    def approvals_path(self, lock_file: LockFile) -> Path:
        """Where its approvals are, or would be."""
        ...

    def save_approvals(self, lock_file: LockFile, data: bytes, *, before: Approvals) -> None:
        """Write the approvals, unless the file on disk is no longer the one that was read."""
        ...

    def save_new(self, path: Path, data: bytes) -> None:
        """Write a file that must not be there yet."""
        ...

    def identity(self, lock_file: LockFile) -> str:
        """Who the operator is by git's settings; empty when they do not say."""
        ...

    def revisions(self, lock_file: LockFile) -> tuple[tuple[Suggestion, ...], tuple[PastRevision, ...]]:
        """Branches worth comparing with, and the revisions that changed the lock file, newest first."""
        ...


class KeptPackages(Protocol):
    """Looks among what earlier runs kept for packages that nobody gives out now."""

    async def __call__(self, provider: ProviderReview) -> Sequence[Rerelease]:
        """Those of which hashes are locked that something speaks against. Nobody is asked.

        Raises LockwardenError for what was kept and cannot be used.
        """
        ...


class ModuleAccess(Protocol):
    """Reads the module calls beside a lock file, asks what they mean, and edits module lock and configuration.

    Everything but `resolved` and `diffed` blocks, and raises LockwardenError.
    """

    report: Report
    """Hears which servers are asked."""

    def read(self, folder: Path, *, base: str) -> FoundModules:
        """The calls of the root module in a folder, held against the module lock that counts with a base."""
        ...

    async def resolved(self, listing: ModuleListing, told: OnAnswered) -> ModuleListing:
        """The same calls with what they mean today, or why that is not known."""
        ...

    async def diffed(self, listing: ModuleListing, listed: ListedCall) -> DiffedCall:
        """The package that was accepted for a call beside today's, or why that cannot be told."""
        ...

    def accept(self, listing: ModuleListing, calls: Sequence[ListedCall]) -> Acceptance:
        """The module lock as it would be with these calls as they are today."""
        ...

    def save_acceptance(self, acceptance: Acceptance) -> None:
        """Write it, unless the file on disk is no longer the one that was read."""
        ...

    def pin(self, calls: Sequence[ListedCall]) -> Pinnings:
        """The files of the configuration as they would be with these calls pinned."""
        ...

    def save_pins(self, pinned: PinnedFile) -> None:
        """Write one file, unless it is no longer the one that was read."""
        ...


class ConflictFiles(Protocol):
    """Reads a lock file in conflict, audits its sides, and writes what they are resolved to.

    Everything but `audited` blocks, and raises LockwardenError.
    """

    def find(self, path: Path) -> ConflictedLockFile | None:
        """The sides that stand in a lock file; None where only one does."""
        ...

    async def audited(
        self, conflict: ConflictedLockFile, sources: tuple[SourceSpec, ...], platforms: PlatformChoice
    ) -> tuple[Review, ...]:
        """The reviews of the sides, in their order."""
        ...

    def resolved(self, conflict: ConflictedLockFile, reviews: tuple[Review, ...], choices: Choices) -> ResolvedFile:
        """What becomes of the file."""
        ...

    def save(self, made: ResolvedFile) -> None:
        """Write it, unless the file on disk is no longer the one that was read."""
        ...


class OutsidePrograms(Protocol):
    """The operator's own programs that the review is left for. Everything blocks and raises LockwardenError."""

    def editor(self, path: Path, line: int) -> Sequence[str]:
        """The command that opens a file at a line."""
        ...

    def run(self, command: Sequence[str]) -> int:
        """Let a program have the terminal until it ends, and return its exit code."""
        ...

    def browse(self, address: str) -> None:
        """Open an address of the web."""
        ...


class HoldTo(Protocol):
    """Begins the run anew as it would be with another base, in whose change's reach nothing configures it."""

    def __call__(self, base: str, typed: Sequence[SourceSpec], /) -> ReviewSetup:
        """What such a run is given; `typed` are sources that stay. It blocks.

        Raises LockwardenError for what lies in the change's reach and cannot be had from the base.
        """
        ...


class Appearance(Struct, frozen=True, kw_only=True):
    """How the app looks on the terminal that it runs on."""

    theme: str = ""
    """The theme that was chosen; empty for what fits the terminal."""
    light: bool = False
    """Whether the terminal's background is light, as far as anybody knows."""
    signs: Signs = Signs.UNICODE
    keymap: Mapping[str, str] = MappingProxyType({})
    """Other keys than the usual ones, by the name of what they do."""
    columns: tuple[str, ...] = COLUMNS
    """Those of the table of hashes that may be left out and are not."""
    typed_ahead: bytes = b""
    """What was typed before the app could read it."""


class ReviewSetup(Struct, frozen=True, kw_only=True):
    """What one run of the app is given."""

    paths: tuple[Path, ...]
    load: Callable[[Path], LockFile]
    save: Save
    audit: RunAudit
    sources: tuple[SourceSpec, ...]
    platforms: PlatformChoice
    settings_for: Callable[[LockFile], ClientSettings]
    parse_source: Callable[[str], SourceSpec]
    list_repositories: ListRepositories
    store: StandardsStore
    now: Callable[[], datetime]
    """The time in UTC, for what is recorded."""
    second_reader: SecondReader
    """Confirms what is about to be written."""
    current_platform: Platform
    base: str = ""
    """The revision that the lock files are compared with; none when it is empty."""
    title: str = ""
    """What the screen calls the file, if there is only one; its path if empty."""
    configuration: UsedConfiguration | None = None
    """The CLI configuration that sources and credentials are from; None where none was looked for."""
    notes: tuple[str, ...] = ()
    """What of it does not count, since the change under review can write it."""
    held_to: HoldTo | None = None
    """None where nothing of the working tree configures the run."""
    programs: OutsidePrograms | None = None
    """None where no other program can be had."""
    differs: Callable[[Path, bytes], bool] | None = None
    """Whether a lock file on disk is no longer these bytes; it blocks. None where there is no disk to look at."""
    kept: KeptPackages | None = None
    """None where no earlier run can have kept a package."""
    modules: ModuleAccess | None = None
    """None where there is no configuration to look at."""
    conflicts: ConflictFiles | None = None
    """None where no lock file can be in conflict."""
    clock: Callable[[], float] = monotonic
    """Seconds that never go back, for how long something takes."""
    look: Appearance = Appearance()
    keep_theme: Callable[[str], str] | None = None
    """Keeps a theme for the next time, and gives what to tell of it; None where nothing is kept."""
    reaction: float = REACTION
    """Seconds until what has changed counts as seen; 0 for as soon as it was drawn."""

    def with_base(self, base: str, asked: tuple[SourceSpec, ...]) -> tuple[ReviewSetup, tuple[SourceSpec, ...]]:
        """What the run goes by with a base, and which sources it asks: the change must not choose the judge.

        Of the sources that were asked so far, those stay that somebody typed, or that the configuration still names. It
        blocks, and raises LockwardenError.
        """
        if self.held_to is None:
            return self, asked
        typed = [each for each in asked if each not in self.sources]
        now = self.held_to(base, typed)
        if asked == self.sources:
            return now, now.sources
        return now, tuple(each for each in asked if each in typed or each in now.sources) or now.sources

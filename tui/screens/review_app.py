"""What screens know of the app that they belong to: what it shows, and what they may ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, cast

from textual.screen import Screen

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.pulse import Pulse
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.key_use import KeyUse
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.resolving import ResolvedProvider
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.writing import LastWrite
from lockwarden.core.values.signing_keys import KeySeen
from lockwarden.tui.state.files import Changed, Files
from lockwarden.tui.state.modules import ModulesState
from lockwarden.tui.state.ports import ReviewSetup
from lockwarden.tui.state.resolving import ResolvingState
from lockwarden.tui.state.session import Session


class Audits(Protocol):
    """Reads the lock files, and audits all of them in one run."""

    begun_at: datetime | None
    """When the audit began that runs, or ran last, by the clock of the run."""

    def moment(self) -> Pulse | None:
        """What the running audit is doing at this moment; None while none runs."""
        ...

    def open_selected(self) -> None:
        """Read the selected lock file, and audit anew. Decisions that were made stay where they fit."""
        ...

    def open(self, paths: Sequence[Path]) -> None:
        """Read several lock files, and audit anew."""
        ...

    def start(self, sources: tuple[SourceSpec, ...] | None = None, platforms: PlatformChoice | None = None) -> None:
        """Audit all files anew, with other sources or platforms where some are given; a running audit is given up."""
        ...

    def cancel(self) -> None:
        """Give the running audit up; what is known stays."""
        ...


class Writing(Protocol):
    """Writes lock files, each only while it is the one that was read."""

    def write(self, before: LockFile, data: bytes) -> None:
        """Write what was looked at, unless the file on disk is no longer `before`, which it was compared with."""
        ...

    def write_all(self, changed: Sequence[Changed]) -> None:
        """Write what was looked at, each file on its own: one that cannot be written does not stop the others."""
        ...

    def take_back(self, before: LockFile, last: LastWrite) -> None:
        """Write what stood there before the last write, unless the file on disk is no longer what that has written."""
        ...


class StandardsChanges(Protocol):
    """Changes what lock files are held against; each change is looked at before it is written."""

    def compare_with(self, base: str) -> None:
        """Hold the lock file against its state at another revision, none when it is empty, and audit again."""
        ...

    def trust_key(self, use: KeyUse) -> None:
        """Write into the policy that a key counts."""
        ...

    def trust_mirror(self, spec: SourceSpec) -> None:
        """Write into the policy that a mirror vouches in the origin's place."""
        ...

    def record_approval(self, provider: ProviderReview, rows: tuple[HashRow, ...]) -> None:
        """Record that a person accepts these hashes."""
        ...

    def save_armor(self, key: KeySeen, path: Path) -> None:
        """Save a key's armor as it was offered."""
        ...


class ModuleWork(Protocol):
    """Reads module calls, asks what they mean, and accepts and pins them; each change is looked at before."""

    begun_at: datetime | None
    """When what runs, or ran last, began, by the clock of the run."""

    def open(self) -> None:
        """Read the calls beside the selected lock file."""
        ...

    def moment(self) -> Pulse | None:
        """How the asking or fetching is now; None while there is none."""
        ...

    def read_again(self) -> None:
        """Read them anew; what was known of the same calls stays."""
        ...

    def ask(self) -> None:
        """Ask what all sources mean today."""
        ...

    def cancel(self) -> None:
        """Give up reading or asking; what is known stays."""
        ...

    def diff(self, listed: ListedCall) -> None:
        """Show what is new in the package of a call since it was accepted."""
        ...

    def accept(self, calls: Sequence[ListedCall]) -> None:
        """Accept calls as they are today into the module lock."""
        ...

    def pin(self, calls: Sequence[ListedCall]) -> None:
        """Write into the configuration what calls mean today."""
        ...


class ResolvingWork(Protocol):
    """Reads a lock file in conflict, and resolves it; what it writes is looked at before."""

    def open(self) -> None:
        """Read the selected lock file, and audit its sides."""
        ...

    def cancel(self) -> None:
        """Give reading and auditing up."""
        ...

    def take_next(self, provider: ResolvedProvider) -> None:
        """Take another version of one provider."""
        ...

    def take_all(self, which: str) -> None:
        """Take the version of a side, or the higher one, of every provider."""
        ...

    def look(self, *, writing: bool) -> None:
        """Show the difference, and write it when a person agrees."""
        ...


class OutsideWork(Protocol):
    """Leaves for other programs of the operator, and writes files to hand on."""

    def edit(self, path: Path, line: int) -> None:
        """Open a lock file in the operator's editor, and review what was saved."""
        ...

    def browse(self, address: str) -> None:
        """Open an address in the operator's browser."""
        ...

    def export(self, path: Path, files: Iterable[Path]) -> None:
        """Write the review of some lock files, with its decisions, to a file that is not there yet."""
        ...


class ReviewApp(Protocol):
    """The app, as far as its screens know it."""

    files: Files
    session: Session
    """Of the file that is selected or open."""
    modules: ModulesState
    """The module calls that the screen of modules shows."""
    resolving: ResolvingState
    """The lock file in conflict that the screen of one shows."""
    setup: ReviewSetup
    """What this run goes by; another one where a base is chosen."""
    reaction: float
    """Seconds until what has changed counts as seen; 0 for as soon as it was drawn."""

    @property
    def lock_file_title(self) -> str:
        """What the screen calls the selected file."""
        ...

    @property
    def audits(self) -> Audits:
        """Reads and audits."""
        ...

    @property
    def writing(self) -> Writing:
        """Writes lock files."""
        ...

    @property
    def standards(self) -> StandardsChanges:
        """Changes policy, approvals and base."""
        ...

    @property
    def module_work(self) -> ModuleWork:
        """Reads, asks, accepts and pins modules."""
        ...

    @property
    def resolving_work(self) -> ResolvingWork:
        """Resolves a lock file in conflict."""
        ...

    @property
    def outside(self) -> OutsideWork:
        """Edits, browses and exports."""
        ...

    def show(self, files: Files) -> None:
        """Take over another state of the files. Every screen shows it at once."""
        ...

    def decide(self, decisions: Decisions) -> int:
        """Take over other decisions, and return in how many other files they follow: those with the same entry."""
        ...

    def say(self, sentence: str) -> None:
        """Tell a person something short, in our own words, on the uppermost screen that can."""
        ...

    def show_fault(self, error: BaseException) -> None:
        """Show a fault of our own as what it is."""
        ...


def app_of(screen: Screen[Any]) -> ReviewApp:
    """The app of a screen, by its type."""
    return cast("ReviewApp", screen.app)

"""A lock file in conflict in memory, with what prepared audits say of its sides, and an app on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from builders.reading import SECOND_READER
from msgspec.structs import replace

from fakes.keeping import MemoryKeeper
from fakes.lock_files import HEADER, HOST, World, block, signed
from fakes.releases import DIRECT, audit, h1, origin, release, silent
from fakes.running import LINUX, Disk, PreparedAudit, app_of
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.conflict_markers import BrokenMarkersError
from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile, broken_markers, conflicted
from lockwarden.core.lockfile.read import parse
from lockwarden.core.review.resolution import ResolvedFile, resolution
from lockwarden.core.review.resolving import Choices
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings
from lockwarden.tui.app import LockwardenApp

AMD, ARM = "linux_amd64", "darwin_arm64"
KILN = release(f"{HOST}/acme/kiln", "2.2.0", platforms=(AMD, ARM))
KILN_UP = release(f"{HOST}/acme/kiln", "2.3.0", platforms=(AMD, ARM))
GAUGE = release(f"{HOST}/acme/gauge", "0.3.7", platforms=(AMD, ARM))
NULL = release(f"{HOST}/acme/null", "3.2.1", platforms=(AMD,))
NOBODYS = h1("a package that nobody released")
AUDITS = tuple(
    audit(made, origin(made, downloaded=[str(each) for each in made.platforms]))
    for made in (KILN, KILN_UP, GAUGE, NULL)
)


def _between(ours: str, theirs: str) -> str:
    return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> bump-kiln\n"


_SAME = block(str(NULL.address), "3.2.1", [*signed(NULL), NULL.h1(AMD)])
CONFLICT = (
    HEADER
    + _between(
        block(str(GAUGE.address), "0.3.7", [*signed(GAUGE), GAUGE.h1(AMD), NOBODYS])
        + block(str(KILN.address), "2.2.0", [*signed(KILN), KILN.h1(AMD)]),
        block(str(GAUGE.address), "0.3.7", [*signed(GAUGE), GAUGE.h1(ARM)])
        + block(str(KILN.address), "2.3.0", [*signed(KILN_UP), KILN_UP.h1(AMD)], constraints="~> 2.3"),
    )
    + _SAME
).encode()
PLAIN = (
    HEADER
    + block(str(GAUGE.address), "0.3.7", [*signed(GAUGE), GAUGE.h1(AMD), GAUGE.h1(ARM)]).replace("     =", " =")
    + block(str(KILN.address), "2.3.0", [*signed(KILN_UP), KILN_UP.h1(AMD)], constraints="~> 2.3")
    + _SAME
).encode()


@dataclass
class ConflictsInMemory:
    """The sides of what a disk in memory holds; nobody answers of them when it is `silent`."""

    disk: Disk
    silent: bool = False

    def find(self, path: Path) -> ConflictedLockFile | None:
        """The sides that stand in the file."""
        try:
            return conflicted(self.disk.data, path=self.disk.path, second_reader=SECOND_READER)
        except BrokenMarkersError as error:
            raise broken_markers(error, self.disk.path) from error

    async def audited(
        self, conflict: ConflictedLockFile, sources: tuple[SourceSpec, ...], platforms: PlatformChoice
    ) -> tuple[Review, ...]:
        """The reviews of the sides."""
        made = {(each.address, each.version): self._said(each) for each in AUDITS}
        reviews = []
        for side in conflict.sides:
            review = Review.start(side.lock_file, settings=ClientSettings(), platforms=[LINUX])
            for entry in side.lock_file.providers:
                review = review.with_audit(made[entry.address, entry.version])
            reviews.append(review)
        return tuple(reviews)

    def _said(self, made: Audit) -> Audit:
        return replace(made, source_answers=(silent(DIRECT, "connection refused"),)) if self.silent else made

    def resolved(self, conflict: ConflictedLockFile, reviews: tuple[Review, ...], choices: Choices) -> ResolvedFile:
        """What becomes of the file."""
        made = resolution(conflict, reviews, choices)
        after = None if made.unresolved else made.next_lock_file(SECOND_READER)
        return ResolvedFile(resolution=made, after=after, review=None)

    def save(self, made: ResolvedFile) -> None:
        """Write it."""
        assert made.after is not None
        self.disk.save(Path(self.disk.path), made.after, expected=made.resolution.conflict.data)


def conflict_app(*, files: ConflictsInMemory | None = None) -> tuple[LockwardenApp, Disk]:
    """The app on the conflict, and its disk."""
    found = files or ConflictsInMemory(Disk(CONFLICT))
    world = World(PLAIN, AUDITS)
    app = app_of(world, audit=PreparedAudit(AUDITS), disk=found.disk, keeper=MemoryKeeper())
    app.setup = replace(app.setup, conflicts=found)
    assert parse(PLAIN, path="", second_reader=SECOND_READER).providers
    return app, found.disk

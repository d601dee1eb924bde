"""Many lock files in memory: alike, drifting, unreadable, and a disk that somebody else writes to."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builders.reading import SECOND_READER, parse

from fakes.driving import Driver
from fakes.keeping import MemoryKeeper
from fakes.lock_files import EDGE, HEADER, HOST, MADE_UP, NULL, PLANTED, RELAY, TIME, block, signed
from fakes.releases import audit, origin, release
from fakes.running import AUTO, LINUX, NOW, SOURCES, PreparedAudit, no_list, parse_source
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import LockFileChangedError, LockFileError
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.ports import ReviewSetup

AMD = "linux_amd64"
SUSPECT = HashKey.of(EDGE.address, PLANTED)
TIME_OLD = release(f"{HOST}/acme/time", "0.11.0")
NULL_ENTRY = block(str(NULL.address), "3.2.1", [NULL.zh(AMD), NULL.h1(AMD)], constraints="~> 3.2")
EDGE_ENTRY = block(str(EDGE.address), "2.0.0", [PLANTED, EDGE.zh(AMD), EDGE.h1(AMD)])
RELAY_ENTRY = block(str(RELAY.address), "0.9.1", [*signed(RELAY), RELAY.h1(AMD), MADE_UP])
TIME_ENTRY = block(str(TIME.address), "0.12.1", [*signed(TIME), TIME.h1(AMD)])
TIME_OLD_ENTRY = block(str(TIME.address), "0.11.0", [*signed(TIME_OLD), TIME_OLD.h1(AMD)])
TIME_SHORT_ENTRY = block(str(TIME.address), "0.12.1", [*signed(TIME)])
AUDITS: tuple[Audit, ...] = (
    audit(NULL, origin(NULL, downloaded=[AMD])),
    audit(EDGE, origin(EDGE, downloaded=[AMD])),
    audit(TIME, origin(TIME, downloaded=[AMD])),
    audit(TIME_OLD, origin(TIME_OLD, downloaded=[AMD])),
    audit(RELAY, origin(RELAY, downloaded=[AMD, "darwin_arm64"])),
)
PROD, STAGE, TEST, OLD, BROKEN, LONE = (
    Path(f"infra/{name}/.terraform.lock.hcl") for name in ("prod", "stage", "test", "old", "broken", "lone")
)


def of(*entries: str) -> bytes:
    """A lock file of these entries."""
    return (HEADER + "".join(entries)).encode()


def repository() -> dict[Path, bytes]:
    """Three files with the same planted hash, one of them with fewer hashes elsewhere, an old one, a broken one."""
    return {
        PROD: of(NULL_ENTRY, EDGE_ENTRY, TIME_ENTRY),
        STAGE: of(EDGE_ENTRY, NULL_ENTRY, TIME_SHORT_ENTRY),
        TEST: of(EDGE_ENTRY),
        OLD: of(TIME_OLD_ENTRY),
        BROKEN: b'provider "registry.opentofu.org/a/b" {\n  version = "1.0.0"\n  odd = 1\n  hashes = [ "x" ]\n}\n',
        LONE: of(NULL_ENTRY.replace('"~> 3.2"', '"~> 3.0"')),
    }


def alike(count: int) -> dict[Path, bytes]:
    """So many files, all alike."""
    data = of(NULL_ENTRY, EDGE_ENTRY, TIME_ENTRY)
    return {
        Path(f"stacks/team-{number % 40:02}/stack-{number:04}/.terraform.lock.hcl"): data for number in range(count)
    }


@dataclass
class FilesOnDisk:
    """Files that are read and saved without a disk; `data` may be changed behind the app's back."""

    data: dict[Path, bytes]
    saved: list[Path] = field(default_factory=list)
    reads: int = 0
    slow: threading.Event | None = None
    """Set once what is read is there, if that takes long."""

    def load(self, path: Path) -> LockFile:
        """Read one."""
        self.reads += 1
        if self.slow is not None:
            self.slow.wait(60)
        if path not in self.data:
            raise LockFileError(f"there is no lock file at {path}", path=str(path), hint="name another")
        return parse(self.data[path], path=str(path))

    def save(self, path: Path, data: bytes, *, expected: bytes) -> None:
        """Write one, unless it is another by now."""
        if self.data[path] != expected:
            raise LockFileChangedError(f"{path} has changed since it was read", hint="read it again")
        self.data[path] = data
        self.saved.append(path)


def files_app(
    files: Mapping[Path, bytes] | FilesOnDisk,
    *,
    audit: PreparedAudit | None = None,
    keeper: MemoryKeeper | None = None,
    missing: tuple[Path, ...] = (),
    base: str = "",
) -> LockwardenApp:
    """The app on several files; `missing` are named and not there."""
    disk = files if isinstance(files, FilesOnDisk) else FilesOnDisk(dict(files))
    setup = ReviewSetup(
        paths=(*disk.data, *missing),
        load=disk.load,
        save=disk.save,
        audit=audit or PreparedAudit(AUDITS),
        sources=SOURCES,
        platforms=AUTO,
        settings_for=lambda lock_file: ClientSettings(client=lock_file.client),
        parse_source=parse_source,
        list_repositories=no_list,
        store=keeper or MemoryKeeper(),
        current_platform=LINUX,
        now=lambda: NOW,
        reaction=0,
        base=base,
        second_reader=SECOND_READER,
    )
    app = LockwardenApp(setup)
    app.animation_level = "none"
    app.theme = "lockwarden-dark"
    return app


class PathKeeper(MemoryKeeper):
    """Knows of each file what it was at the base `main`, by its path."""

    def __init__(self, before: Mapping[Path, bytes]) -> None:
        super().__init__()
        self.before = before

    def standards(self, lock_file: LockFile, *, base: str) -> Standards:
        data = self.before.get(Path(lock_file.path))
        earlier = None if data is None else parse(data, path=lock_file.path)
        self.bases = {"main": earlier}
        return super().standards(lock_file, base=base)


def line_with(d: Driver, text: str) -> str:
    """The first line of the list that holds a text."""
    return next(line for line in d.lines if text in line)


async def drop_the_planted_hash(d: Driver) -> None:
    """In the review that is open, with the cursor wherever it is."""
    await d.press("n")
    assert d.state.hash == SUSPECT
    await d.press("space")

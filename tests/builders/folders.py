"""Asks folders of packages as an audit would, and makes such folders."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from servers.golden import WORLD

from builders.zips import plain
from lockwarden.core.evidence.events import AuditEvent, ignore
from lockwarden.core.evidence.source_answers import PackageFacts, SourceAnswer, SourceKind
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource
from lockwarden.core.sources.port import Source
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoreLimits
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

DEMO = ProviderAddress.parse("example.test/acme/demo")
PLAIN = ProviderAddress.parse("example.test/acme/plain")
VERSION = Version(1, 2, 3)
LINUX, DARWIN, WINDOWS = Platform("linux", "amd64"), Platform("darwin", "arm64"), Platform("windows", "amd64")
EXAMPLE_H1 = Hash("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=")
"""Of a folder with the two files of `plain`."""
EXAMPLE_H1_WITH_FOLDER = Hash("h1:O8d2ciR7AMTVRiBzDLdW0AwdgPbDtuXBL2sOg7HKqvQ=")
"""Of an archive with the two files of `plain` and an entry `docs/`."""
FACTS: dict[str, Any] = json.loads((WORLD / "cases.json").read_bytes())["registry"]["plain"]["facts"]


MakeSource = Callable[[Path, PackageStore], Source]


def mirror(folder: Path, store: PackageStore) -> Source:
    return FilesystemMirrorSource(folder, store)


def cache(folder: Path, store: PackageStore) -> Source:
    return UnpackedProvidersSource(folder)


def installed(folder: Path, store: PackageStore) -> Source:
    return UnpackedProvidersSource(folder, kind=SourceKind.INSTALLED)


def ask(
    folder: Path,
    address: ProviderAddress = DEMO,
    *,
    version: Version = VERSION,
    platforms: Sequence[Platform] = (LINUX,),
    make: MakeSource = mirror,
    report: Callable[[AuditEvent], None] = ignore,
    limits: StoreLimits | None = None,
) -> SourceAnswer:
    """Open the release, check the platforms side by side, and return the finding."""

    async def run() -> SourceAnswer:
        async with PackageStore(None, limits=limits, now=time.time) as store:
            release = await make(folder, store).open(address, version, platforms=platforms, report=report)
            async with asyncio.TaskGroup() as group:
                for platform in platforms:
                    group.create_task(release.check(platform))
            return release.source_answer()

    return asyncio.run(run())


def package_of(answer: SourceAnswer, platform: Platform = LINUX) -> PackageFacts:
    package = answer.package(platform)
    assert package is not None
    return package


def archive_path(folder: Path, address: ProviderAddress = DEMO, platform: Platform = LINUX) -> Path:
    place = folder / str(address)
    place.mkdir(parents=True, exist_ok=True)
    return place / f"terraform-provider-{address.type}_{VERSION}_{platform}.zip"


def unpacked(folder: Path, files: dict[str, bytes], platform: Platform = LINUX) -> Path:
    place = folder / str(DEMO) / str(VERSION) / str(platform)
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    return place


def plain_files() -> dict[str, bytes]:
    return {str(entry.name): entry.content for entry in plain()}


def codes(answer: SourceAnswer) -> list[str]:
    return [problem.code for problem in answer.problems]


def everything_in(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Name → mode, time of the last change, content, of all that lies below the folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (status.st_mode, status.st_mtime_ns, content)
    return found

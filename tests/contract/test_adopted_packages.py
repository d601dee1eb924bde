"""Packages that lie on a disk already: what is looked into is what was hashed; what cannot be taken over is told."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from builders.stored_packages import EXAMPLE_H1, PACKAGE, files, pieces, receive, run, stored, zh
from builders.zips import Entry, Zip, plain

from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.package_files import OpenFile
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import PackagesOnDisk, StoredPackage, StoreLimits
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, InputError, NoAnswerError, Stage

HOSTILE = Zip(entries=plain(Entry(name="planted", content=b"A" * 4096))).bytes()
FRIENDLY = Zip(entries=plain(Entry(name="planted", content=b"B" * 4096))).bytes()
"""The same length, so that one can be written over the other in place."""


@contextmanager
def swapping(path: Path, content: bytes) -> Iterator[None]:
    """Have somebody else write to the file at the moment between hashing and looking into it."""
    described = PackagesOnDisk.described

    def swapped(self: PackagesOnDisk, *given: Any) -> StoredPackage:
        status = path.stat()
        with path.open("r+b") as other:
            other.write(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        return described(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PackagesOnDisk, "described", swapped)
        yield


def test_what_is_looked_into_is_what_was_hashed_whatever_others_write_meanwhile(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror.zip"
    mirror.write_bytes(FRIENDLY)

    async def adopt() -> StoredPackage:
        async with PackageStore(tmp_path / "cache", now=time.time) as store:
            with swapping(mirror, HOSTILE):
                return await store.adopt(mirror)

    async def plainly(path: Path) -> StoredPackage:
        async with PackageStore(None, now=time.time) as store:
            return await store.adopt(path)

    (tmp_path / "friendly.zip").write_bytes(FRIENDLY)
    package, expected = run(adopt()), run(plainly(tmp_path / "friendly.zip"))
    assert mirror.read_bytes() == HOSTILE
    assert (package.zh, package.facts) == (zh(FRIENDLY), expected.facts)


def test_a_cached_file_is_looked_into_as_it_was_hashed(tmp_path: Path) -> None:
    (kept,) = run(stored(tmp_path, FRIENDLY))

    async def find() -> KnownPackage | None:
        async with PackageStore(tmp_path, now=time.time) as store:
            with swapping(kept.path, HOSTILE):
                return await store.find(zh(FRIENDLY))

    found = run(find())
    assert found is not None
    assert found.facts == kept.facts
    assert kept.path.read_bytes() == HOSTILE


def test_a_file_that_changes_while_it_is_read_is_refused_also_when_its_time_is_set_back(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(FRIENDLY)
    before = path.stat()
    asked: list[int] = []

    def meanwhile() -> bool:
        asked.append(1)
        while path.stat().st_ctime_ns == before.st_ctime_ns:  # a clock that ticks in steps of milliseconds
            path.write_bytes(HOSTILE)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        return False

    with OpenFile(path, follow=True) as file, pytest.raises(ArchiveError, match="changed while it was read") as caught:
        file.copied(tmp_path, 10**6, meanwhile)
    assert caught.value.code == "changed"
    assert asked == [1]


@pytest.mark.parametrize("kind", ["a link", "another user's"])
def test_a_folder_for_packages_that_is_not_this_users_is_refused(kind: str, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    if kind == "a link":
        (tmp_path / "elsewhere").mkdir()
        packages.symlink_to("elsewhere")
    elif os.getuid() == 0:
        packages.mkdir()
        os.chown(packages, 65534, 65534)
    else:
        pytest.skip("only the superuser can give a folder away")
    with pytest.raises(InputError, match="it is another user's, or a link"):
        run(stored(tmp_path, PACKAGE))


def test_a_package_on_disk_is_adopted_where_it_is(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "real.zip").write_bytes(PACKAGE)
    (mirror / "link.zip").symlink_to("real.zip")

    async def adopt() -> StoredPackage:
        async with PackageStore(tmp_path / "cache", now=time.time) as store:
            return await store.adopt(mirror / "link.zip")

    package = run(adopt())
    assert (package.zh, package.size, package.path) == (zh(PACKAGE), len(PACKAGE), mirror / "link.zip")
    assert package.facts is not None
    assert package.facts.h1_archive == EXAMPLE_H1
    assert files(tmp_path / "cache") == set()


def test_a_cancelled_adoption_ends_before_the_end_of_the_file(tmp_path: Path) -> None:
    with (tmp_path / "large.zip").open("wb") as file:
        file.truncate(3 * 1024**3)

    async def adopt() -> None:
        async with PackageStore(None, now=time.time) as store:
            task = asyncio.ensure_future(store.adopt(tmp_path / "large.zip"))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(adopt())


def test_what_cannot_be_adopted_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(PACKAGE)

    async def adopt(path: Path) -> None:
        async with PackageStore(None, limits=StoreLimits(package=100), now=time.time) as store:
            await store.adopt(path)

    with pytest.raises(BadAnswerError) as large:
        run(adopt(tmp_path / "a.zip"))
    assert (large.value.code, large.value.stage) == ("package-too-large", Stage.FOLDER)
    with pytest.raises(BadAnswerError) as folder:
        run(adopt(tmp_path))
    assert (folder.value.code, folder.value.stage) == ("package-not-a-file", Stage.FOLDER)
    with pytest.raises(NoAnswerError) as missing:
        run(adopt(tmp_path / "b.zip"))
    assert (missing.value.code, missing.value.stage) == ("package-unreadable", Stage.FOLDER)


def test_a_file_where_the_folder_should_be_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    with pytest.raises(InputError, match="cannot be used"):
        run(stored(tmp_path / "cache"))


def test_a_store_that_cannot_be_written_to_is_a_typed_error(tmp_path: Path) -> None:
    async def arrive() -> None:
        async with PackageStore(tmp_path, now=time.time) as store:
            (tmp_path / "packages").rmdir()
            await receive(store, pieces(PACKAGE), declared_size=None)

    with pytest.raises(NoAnswerError) as caught:
        run(arrive())
    assert caught.value.code == "store-failed"

"""The package store on a real disk: arrival, verification, eviction, cancellation, several stores in one folder."""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import os
import time
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.stored_packages import EXAMPLE_H1, PACKAGE, files, pieces, receive, run, stored, zh
from builders.zips import BINARY, Entry, Zip, plain

from lockwarden.core.archives.inspection import ArchiveLimits
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage, StoreLimits
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, Stage
from lockwarden.core.values.hashes import Hash


def test_a_package_is_hashed_on_arrival_and_kept_under_its_digest(tmp_path: Path) -> None:
    received: list[int] = []

    async def arrive() -> StoredPackage:
        async with PackageStore(tmp_path, now=time.time) as store:
            return await receive(store, pieces(PACKAGE), declared_size=len(PACKAGE), on_bytes=received.append)

    package = run(arrive())
    assert (package.zh, package.size, package.archive_error) == (zh(PACKAGE), len(PACKAGE), None)
    assert package.facts is not None
    assert package.facts.h1_archive == package.facts.h1_directory == EXAMPLE_H1
    assert package.path.read_bytes() == PACKAGE
    assert files(tmp_path) == {f"{zh(PACKAGE).value}.zip"}
    assert received == [*range(100, len(PACKAGE), 100), len(PACKAGE)]


def test_the_folder_and_its_files_are_private(tmp_path: Path) -> None:
    (package,) = run(stored(tmp_path / "a" / "cache", PACKAGE))
    assert package.path.stat().st_mode & 0o777 == 0o600
    assert package.path.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_could_read_becomes_private(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir(mode=0o755)
    run(stored(tmp_path))
    assert (tmp_path / "packages").stat().st_mode & 0o777 == 0o700


def test_bytes_that_are_no_archive_have_a_zh_all_the_same(tmp_path: Path) -> None:
    (package,) = run(stored(tmp_path, b"<html>sign in</html>"))
    assert package.zh == zh(b"<html>sign in</html>")
    assert package.facts is None
    assert isinstance(package.archive_error, ArchiveError)
    assert package.archive_error.code == "html"


def test_a_large_package_arrives_in_several_writes(tmp_path: Path) -> None:
    data = Zip(entries=plain(Entry(name="noise", content=hashlib.shake_256(b"seed").digest(3 * 1024 * 1024)))).bytes()

    async def arrive() -> StoredPackage:
        async with PackageStore(tmp_path, now=time.time) as store:
            return await receive(store, pieces(data, 300_000), declared_size=None)

    package = run(arrive())
    assert (package.zh, package.path.read_bytes()) == (zh(data), data)
    assert package.facts is not None
    assert package.facts.members == 3


@pytest.mark.parametrize(
    ("declared", "limit", "code"),
    [
        (10, 10**6, "long-body"),
        (10**5, 10**6, "short-body"),
        (None, 100, "too-large"),
        (len(PACKAGE), 100, "too-large"),
    ],
)
def test_a_package_of_the_wrong_length_is_refused_and_leaves_nothing(
    declared: int | None, limit: int, code: str, tmp_path: Path
) -> None:
    async def arrive() -> None:
        async with PackageStore(tmp_path, limits=StoreLimits(package=limit), now=time.time) as store:
            await receive(store, pieces(PACKAGE), declared_size=declared)

    with pytest.raises(BadAnswerError) as caught:
        run(arrive())
    assert (caught.value.code, caught.value.stage) == (code, Stage.PACKAGE)
    assert files(tmp_path) == set()


def test_an_error_of_the_sender_passes_through_and_leaves_nothing(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield PACKAGE[:50]
        raise ConnectionResetError("gone")

    async def arrive() -> None:
        async with PackageStore(tmp_path, now=time.time) as store:
            await receive(store, broken(), declared_size=None)

    with pytest.raises(ConnectionResetError, match="gone"):
        run(arrive())
    assert files(tmp_path) == set()


def test_a_cancelled_arrival_leaves_nothing(tmp_path: Path) -> None:
    async def arrive() -> None:
        half_way = asyncio.Event()

        async def endless() -> AsyncIterator[bytes]:
            yield bytes(2 * 1024 * 1024)
            half_way.set()
            await asyncio.Event().wait()

        async with PackageStore(tmp_path, now=time.time) as store:
            task = asyncio.ensure_future(receive(store, endless(), declared_size=None))
            await half_way.wait()
            assert len(files(tmp_path)) == 1
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert files(tmp_path) == set()

    run(arrive())


def test_a_cancelled_inspection_ends_at_once_and_the_package_stays_findable(tmp_path: Path) -> None:
    zeros = Entry(name=BINARY, content=bytes(48 * 1024 * 1024), deflate=True)
    data = Zip(entries=[zeros]).bytes()

    async def arrive() -> KnownPackage | None:
        async with PackageStore(tmp_path, now=time.time) as store:
            task = asyncio.ensure_future(receive(store, pieces(data, len(data)), declared_size=None))
            while not (tmp_path / "packages" / f"{zh(data).value}.zip").exists():  # noqa: ASYNC110 - a disk has no event
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await store.find(zh(data))

    found = run(arrive())
    assert found is not None
    assert found.facts is not None
    assert found.facts.unpacked_size == 48 * 1024 * 1024


def test_what_was_stored_is_found_by_a_later_store(tmp_path: Path) -> None:
    (package,) = run(stored(tmp_path, PACKAGE))

    async def look() -> KnownPackage | None:
        async with PackageStore(tmp_path, now=lambda: 2_000_000_000.5) as store:
            return await store.find(zh(PACKAGE))

    found = run(look())
    assert found is not None
    assert (found.zh, found.size, found.facts) == (package.zh, package.size, package.facts)
    assert found.computed_on == datetime(2033, 5, 18, 3, 33, 20, tzinfo=UTC)


@pytest.mark.parametrize("hash_text", [f"zh:{'0' * 64}", EXAMPLE_H1.text, "zh:../../etc/passwd", f"zh:{'A' * 64}"])
def test_what_was_never_stored_is_absent(hash_text: str, tmp_path: Path) -> None:
    async def look() -> KnownPackage | None:
        async with PackageStore(tmp_path, now=time.time) as store:
            return await store.find(Hash(hash_text))

    assert run(look()) is None


@pytest.mark.parametrize(
    "forgery", ["other bytes", "cut", "link", "folder", "too large", "writable by others", "two names", "another's"]
)
def test_a_damaged_or_forged_file_counts_as_absent_and_is_removed(forgery: str, tmp_path: Path) -> None:
    (package,) = run(stored(tmp_path, PACKAGE))
    elsewhere = tmp_path / "elsewhere.zip"
    elsewhere.write_bytes(PACKAGE)
    limits = StoreLimits()
    package.path.unlink()
    match forgery:
        case "other bytes":
            package.path.write_bytes(Zip(entries=[]).bytes())
        case "cut":
            package.path.write_bytes(PACKAGE[:-1])
        case "link":
            package.path.symlink_to(elsewhere)
        case "folder":
            package.path.mkdir()
            (package.path / "inside").touch()
        case "writable by others":
            package.path.write_bytes(PACKAGE)
            package.path.chmod(0o602)
        case "two names":
            package.path.hardlink_to(elsewhere)
        case "another's":
            package.path.write_bytes(PACKAGE)
            if os.getuid() == 0:
                os.chown(package.path, 65534, 65534)
            else:
                pytest.skip("only the superuser can give a file away")
        case _:
            package.path.write_bytes(PACKAGE)
            limits = StoreLimits(package=10)

    async def look() -> KnownPackage | None:
        async with PackageStore(tmp_path, limits=limits, now=time.time) as store:
            return await store.find(zh(PACKAGE))

    assert run(look()) is None
    assert not os.path.lexists(package.path)
    assert elsewhere.read_bytes() == PACKAGE


def test_the_packages_that_were_not_used_for_longest_are_evicted(tmp_path: Path) -> None:
    one, two, three, four = (bytes([number]) * 1000 for number in range(4))
    ticks = iter(range(2_000_000_000, 2_000_000_100))

    async def fill() -> set[str]:
        limits = StoreLimits(total=3000)
        async with PackageStore(tmp_path, limits=limits, now=lambda: float(next(ticks))) as store:
            for data in (one, two, three):
                await receive(store, pieces(data), declared_size=None)
            for data in (two, three, one):
                assert await store.find(zh(data)) is not None
            await receive(store, pieces(four), declared_size=None)
        return files(tmp_path)

    assert run(fill()) == {f"{zh(data).value}.zip" for data in (one, three, four)}


def test_a_package_larger_than_the_whole_store_stays_until_the_next_one(tmp_path: Path) -> None:
    run(stored(tmp_path, bytes(2000), limits=StoreLimits(total=1000)))
    assert files(tmp_path) == {f"{zh(bytes(2000)).value}.zip"}
    run(stored(tmp_path, b"small", limits=StoreLimits(total=1000)))
    assert files(tmp_path) == {f"{zh(b'small').value}.zip"}


def test_only_old_unfinished_files_of_others_are_removed(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir(mode=0o700)
    for name, age in (("old.part", 4000), ("young.part", 10), ("old.txt", 4000)):
        (packages / name).touch()
        os.utime(packages / name, (1_000_000 - age,) * 2)

    async def open_and_close() -> None:
        async with PackageStore(tmp_path, now=lambda: 1_000_000.0):
            pass

    run(open_and_close())
    assert files(tmp_path) == {"young.part", "old.txt"}


def test_without_a_folder_nothing_outlives_the_store() -> None:
    async def arrive() -> Path:
        async with PackageStore(None, now=time.time) as store:
            package = await receive(store, pieces(PACKAGE), declared_size=None)
            found = await store.find(package.zh)
            assert found is not None
            assert found.facts == package.facts
        return package.path

    path = run(arrive())
    assert not path.parent.parent.exists()


def test_a_store_is_only_used_while_it_is_open(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="async with"):
        run(PackageStore(tmp_path, now=time.time).find(zh(PACKAGE)))


def test_the_archive_limits_of_the_store_hold(tmp_path: Path) -> None:
    (package,) = run(stored(tmp_path, PACKAGE, limits=StoreLimits(archive=ArchiveLimits(members=1))))
    assert package.facts is not None
    assert package.facts.h1_archive is None


def _receive_all(folder: Path, packages: Iterable[bytes]) -> None:
    asyncio.run(stored(folder, *packages))


def test_several_processes_may_share_a_folder(tmp_path: Path) -> None:
    packages = [bytes([number]) * 100_000 for number in range(8)]
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_receive_all, args=(tmp_path, packages)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert files(tmp_path) == {f"{zh(data).value}.zip" for data in packages}
    assert all(hashlib.sha256(path.read_bytes()).hexdigest() == path.stem for path in tmp_path.rglob("*.zip"))

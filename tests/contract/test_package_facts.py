"""What is known of packages outlives them; what is damaged, forged or another's counts as absent."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.stored_packages import receive
from builders.zips import Entry, Zip, plain

from lockwarden.core.archives.inspection import ArchiveLimits
from lockwarden.core.store import known_facts
from lockwarden.core.store.fresh_packages import FreshPackageStore
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage, StoreLimits
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.values.hashes import Hash

PACKAGE = Zip(entries=plain()).bytes()
OTHER = Zip(entries=plain(Entry(name="more", content=b"more"))).bytes()
H1 = Hash("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=")
"""Of PACKAGE, by Go's dirhash."""
MONDAY = 1_795_000_000.0
TUESDAY = MONDAY + 86_400


def zh(data: bytes) -> Hash:
    return Hash(f"zh:{hashlib.sha256(data).hexdigest()}")


def key(folder: Path, name: str = "mine") -> UserKey:
    made = UserKey.at(folder / "state" / name)
    assert made is not None
    return made


async def whole(data: bytes) -> AsyncIterator[bytes]:
    yield data


def keep(folder: Path, data: bytes = PACKAGE, *, whose: str = "mine") -> StoredPackage:
    async def arrive() -> StoredPackage:
        async with PackageStore(folder / "cache", key=key(folder, whose), now=lambda: MONDAY) as store:
            return await receive(store, whole(data), declared_size=None)

    return asyncio.run(arrive())


def known(
    folder: Path, data: bytes = PACKAGE, *, limits: StoreLimits | None = None, with_key: bool = True
) -> KnownPackage | None:
    async def look() -> KnownPackage | None:
        mine = key(folder) if with_key else None
        async with PackageStore(folder / "cache", key=mine, limits=limits, now=lambda: TUESDAY) as store:
            return await store.find(zh(data))

    return asyncio.run(look())


def fact(folder: Path, data: bytes = PACKAGE) -> Path:
    return folder / "cache" / "facts" / zh(data).value


def evict(folder: Path) -> None:
    for path in (folder / "cache" / "packages").iterdir():
        path.unlink()


def test_what_a_package_is_stays_known_without_it(tmp_path: Path) -> None:
    stored = keep(tmp_path)
    evict(tmp_path)
    found = known(tmp_path)
    assert found is not None
    assert (found.zh, found.size, found.facts) == (zh(PACKAGE), len(PACKAGE), stored.facts)
    assert found.facts is not None
    assert found.facts.h1_directory == H1
    assert found.computed_on == datetime.fromtimestamp(MONDAY, UTC)
    assert stored.computed_on is None, "its bytes came just now"


def test_a_fact_has_a_few_hundred_bytes_and_is_private(tmp_path: Path) -> None:
    keep(tmp_path)
    assert fact(tmp_path).stat().st_size < 600
    assert fact(tmp_path).stat().st_mode & 0o777 == 0o600
    assert fact(tmp_path).parent.stat().st_mode & 0o777 == 0o700


def test_oddities_and_failures_are_known_as_well(tmp_path: Path) -> None:
    odd = b"junk" + PACKAGE
    page = b"<html>sign in</html>"
    there = keep(tmp_path, odd), keep(tmp_path, page)
    evict(tmp_path)
    first, second = known(tmp_path, odd), known(tmp_path, page)
    assert first is not None
    assert first.facts == there[0].facts
    assert first.facts is not None
    assert first.facts.oddities
    assert second is not None
    assert second.archive_error is not None
    assert there[1].archive_error is not None
    assert (second.facts, second.archive_error.code) == (None, "html")
    assert second.archive_error.message == there[1].archive_error.message


@pytest.mark.parametrize(
    "damage", ["cut", "empty", "one bit", "longer", "link", "folder", "fifo", "of another package"]
)
def test_a_damaged_or_forged_fact_counts_as_absent(damage: str, tmp_path: Path) -> None:
    keep(tmp_path)
    keep(tmp_path, OTHER)
    evict(tmp_path)
    path = fact(tmp_path)
    sealed = path.read_bytes()
    path.unlink()
    match damage:
        case "cut":
            path.write_bytes(sealed[:-1])
        case "empty":
            path.touch()
        case "one bit":
            path.write_bytes(sealed[:50] + bytes([sealed[50] ^ 1]) + sealed[51:])
        case "longer":
            path.write_bytes(sealed + b" " * 100_000)
        case "link":
            (tmp_path / "elsewhere").write_bytes(sealed)
            path.symlink_to(tmp_path / "elsewhere")
        case "folder":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case _:
            path.write_bytes(fact(tmp_path, OTHER).read_bytes())
    assert known(tmp_path) is None


def test_another_users_facts_count_as_absent(tmp_path: Path) -> None:
    keep(tmp_path, whose="another")
    evict(tmp_path)
    assert known(tmp_path) is None


def test_without_a_key_no_fact_is_believed_and_none_is_written(tmp_path: Path) -> None:
    keep(tmp_path)
    assert known(tmp_path, with_key=False) is not None, "the package is still there"
    evict(tmp_path)
    assert known(tmp_path, with_key=False) is None


def test_facts_by_other_rules_count_as_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path)
    evict(tmp_path)
    assert known(tmp_path, limits=StoreLimits(archive=ArchiveLimits(members=10))) is None
    monkeypatch.setattr(known_facts, "RULES", known_facts.RULES + 1)
    assert known(tmp_path) is None


def test_a_fact_that_is_absent_is_computed_again_from_the_package(tmp_path: Path) -> None:
    keep(tmp_path)
    fact(tmp_path).write_bytes(b"half-writ")
    found = known(tmp_path)
    assert found is not None
    assert found.facts is not None
    assert (found.facts.h1_directory, found.computed_on) == (H1, datetime.fromtimestamp(TUESDAY, UTC))
    evict(tmp_path)
    assert known(tmp_path) == found


def test_a_package_that_was_changed_in_the_cache_changes_nothing_that_is_known(tmp_path: Path) -> None:
    stored = keep(tmp_path)
    stored.path.write_bytes(OTHER)
    found = known(tmp_path)
    assert found is not None
    assert found.facts == stored.facts


def test_a_folder_for_facts_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    keep(tmp_path)
    fact(tmp_path).unlink()
    fact(tmp_path).mkdir()
    (fact(tmp_path) / "inside").touch()
    assert keep(tmp_path).facts is not None


def test_a_fresh_store_believes_no_fact_and_no_package_of_earlier_runs(tmp_path: Path) -> None:
    keep(tmp_path)

    async def look() -> list[bool]:
        async with FreshPackageStore(tmp_path / "cache", key=key(tmp_path), now=time.time) as store:
            before = await store.find(zh(PACKAGE)) is not None
            await receive(store, whole(PACKAGE), declared_size=None)
            return [before, await store.find(zh(PACKAGE)) is not None]

    assert asyncio.run(look()) == [False, True]


def test_several_stores_write_and_read_the_same_fact(tmp_path: Path) -> None:
    async def all_at_once() -> set[bool]:
        async def one() -> bool:
            async with PackageStore(tmp_path / "cache", key=key(tmp_path), now=time.time) as store:
                await receive(store, whole(PACKAGE), declared_size=None)
                found = await store.find(zh(PACKAGE))
                return found is not None and found.facts is not None and found.facts.h1_directory == H1

        return set(await asyncio.gather(*(one() for _ in range(20))))

    assert asyncio.run(all_at_once()) == {True}
    assert [path.name for path in fact(tmp_path).parent.iterdir()] == [zh(PACKAGE).value]


def test_what_one_giver_gave_is_not_known_of_another(tmp_path: Path) -> None:
    def known_to(folder: Path | None, mine: UserKey | None, kind: type[PackageStore], when: float) -> list[bool]:
        """Who is known to have given it, before and after the second one did."""

        async def look() -> list[bool]:
            async with kind(folder, key=mine, now=lambda: when) as store:
                first, second = store.of_giver("first"), store.of_giver("second")
                await receive(store, whole(PACKAGE), declared_size=None)
                before = [await each.find(zh(PACKAGE)) is not None for each in (store, first, second)]
                await receive(second, whole(PACKAGE), declared_size=None)
                return before + [await each.find(zh(PACKAGE)) is not None for each in (store, first, second)]

        return asyncio.run(look())

    once = [True, False, False, True, False, True]
    assert known_to(None, None, PackageStore, MONDAY) == once
    assert known_to(tmp_path / "no key", None, PackageStore, MONDAY) == once
    assert known_to(tmp_path / "cache", key(tmp_path), PackageStore, MONDAY) == once
    assert known_to(tmp_path / "cache", key(tmp_path), FreshPackageStore, MONDAY) == once
    assert known_to(tmp_path / "cache", key(tmp_path), PackageStore, TUESDAY) == [True, False, True] * 2


def test_a_giver_is_known_by_when_it_was_last_seen_to_give_and_many_are_forgotten(tmp_path: Path) -> None:
    async def look() -> list[datetime | None]:
        clock = [MONDAY]
        async with PackageStore(tmp_path / "cache", key=key(tmp_path), now=lambda: clock[0]) as store:
            await receive(store.of_giver("first"), whole(PACKAGE), declared_size=None)
            clock[0] = TUESDAY
            await receive(store.of_giver("second"), whole(PACKAGE), declared_size=None)
            seen = [await store.of_giver(each).find(zh(PACKAGE)) for each in ("first", "second")]
            for number in range(known_facts.MAX_GIVERS):
                await receive(store.of_giver(f"giver {number}"), whole(PACKAGE), declared_size=None)
            forgotten = await store.of_giver("first").find(zh(PACKAGE))
            return [None if each is None else each.computed_on for each in (*seen, forgotten)]

    assert asyncio.run(look()) == [datetime.fromtimestamp(MONDAY, UTC), datetime.fromtimestamp(TUESDAY, UTC), None]

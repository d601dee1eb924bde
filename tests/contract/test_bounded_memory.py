"""However large a package is, little of it is in memory at one time: on arrival, when it is hashed, when inflated."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from struct import pack

import pytest
from builders.memory import MIB, at_most
from builders.stored_packages import receive

from lockwarden.core.archives.inspection import inspect_archive
from lockwarden.core.store.incoming_packages import Arrival
from lockwarden.core.store.package_files import READ_SIZE, ArrivingFile
from lockwarden.core.store.packages import PackageStore

CHUNK = 64 * 1024
LARGE = 96 * MIB


def zip_of(path: Path, *, size: int, method: int) -> None:
    """An archive with one member of `size` bytes, written without holding it."""
    name = b"terraform-provider-demo_v1.0.0"
    block = bytes(range(256)) * (MIB // 256)
    deflate = zlib.compressobj(0 if method == 0 else 1, zlib.DEFLATED, -15)
    with path.open("wb") as file:
        file.write(bytes(30 + len(name)))
        crc = packed = 0
        for _ in range(size // MIB):
            crc = zlib.crc32(block, crc)
            packed += file.write(block if method == 0 else deflate.compress(block))
        if method:
            packed += file.write(deflate.flush())
        end = file.tell()
        shared = pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, packed, size, len(name), 0)
        file.write(b"PK\x01\x02" + pack("<H", 3 << 8 | 20) + shared + pack("<HHHII", 0, 0, 0, 0o100755 << 16, 0) + name)
        file.write(pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, 46 + len(name), end, 0))
        file.seek(0)
        file.write(b"PK\x03\x04" + shared + name)


async def endless(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // CHUNK):
        yield bytes(CHUNK)


def test_what_arrives_is_written_in_pieces_of_bounded_size_one_at_a_time(tmp_path: Path) -> None:
    written: list[int] = []
    under_way = 0

    class Watched(ArrivingFile):
        def add(self, data: bytes | bytearray) -> None:
            nonlocal under_way
            under_way += 1
            assert under_way == 1, "no second piece waits in memory while one is written"
            written.append(len(data))
            super().add(data)
            under_way -= 1

    async def arrive() -> None:
        async def keep(_: ArrivingFile, size: int) -> None:
            assert size == LARGE

        with Arrival(limit=LARGE, open_file=lambda: Watched(tmp_path), keep=keep) as arrival:
            await arrival.add(endless(LARGE), declared_size=LARGE)
            await arrival.finish()

    asyncio.run(arrive())
    assert sum(written) == LARGE
    assert max(written) < READ_SIZE + CHUNK


def test_a_large_package_is_taken_in_with_little_memory(tmp_path: Path) -> None:
    async def arrive() -> None:
        async with PackageStore(tmp_path, now=time.time) as store:
            taken = await receive(store, endless(LARGE), declared_size=LARGE)
            assert taken.size == LARGE

    with at_most(6 * MIB):
        asyncio.run(arrive())


@pytest.mark.parametrize("method", [0, 8])
def test_a_large_package_is_looked_into_with_little_memory(method: int, tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    zip_of(path, size=LARGE, method=method)
    with at_most(6 * MIB):
        facts = inspect_archive(path)
    assert facts.unpacked_size == LARGE
    assert facts.h1_archive is not None


def test_a_large_package_in_the_store_is_hashed_again_with_little_memory(tmp_path: Path) -> None:
    async def again() -> None:
        async with PackageStore(tmp_path, now=time.time) as store:
            stored = await receive(store, endless(LARGE), declared_size=LARGE)
            with at_most(6 * MIB):
                assert await store.find(stored.zh) is not None

    asyncio.run(again())

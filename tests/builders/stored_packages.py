"""A package, and a store that it is brought into."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import TypeVar

from builders.zips import Zip, plain
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage, StoreLimits
from lockwarden.core.values.hashes import Hash

T = TypeVar("T")
PACKAGE = Zip(entries=plain()).bytes()
EXAMPLE_H1 = Hash("h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE=")


def zh(data: bytes) -> Hash:
    return Hash(f"zh:{hashlib.sha256(data).hexdigest()}")


async def pieces(data: bytes, size: int = 100) -> AsyncIterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


def run(work: Coroutine[None, None, T]) -> T:
    return asyncio.run(work)


async def receive(
    store: PackageStore,
    chunks: AsyncIterator[bytes],
    *,
    declared_size: int | None,
    on_bytes: Callable[[int], None] = lambda _: None,
) -> StoredPackage:
    """Bring a package into a store in one attempt, as a download does."""
    with store.arrival() as arrival:
        await arrival.add(chunks, declared_size=declared_size, on_bytes=on_bytes)
        return await arrival.finish()


async def stored(folder: Path | None, *packages: bytes, limits: StoreLimits | None = None) -> list[StoredPackage]:
    async with PackageStore(folder, limits=limits, now=time.time) as store:
        return [await receive(store, pieces(data), declared_size=len(data)) for data in packages]


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if not path.is_dir()}

"""Kills what writes files at each of its steps, in a process without other threads.

Its folder has `before`, the files that the work finds, and `after`, what it shall write. Each killed run gets a folder
below `killed`; how many there were is printed.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

from builders.stored_packages import receive
from servers.killing import Work, kill_at_each_step

from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.engine.registries.applying import apply_journal
from lockwarden.core.engine.registries.journals import OpenJournal, read_journals
from lockwarden.core.engine.registries.metadata_files import metadata_files
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.registry_metadata.journal_lines import read_journal
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.system.own_files import save_own_file

LINK = "link"
OWN_FILE = "own.hcl"
JOURNAL = "journal.jsonl"


def lock_file(place: Path, name: str = LOCK_FILE_NAME) -> None:
    """Save the lock file."""
    save(place / name, _after(place, LOCK_FILE_NAME), expected=_before(place, LOCK_FILE_NAME))


def linked_lock_file(place: Path) -> None:
    """Save it by a link in another folder."""
    lock_file(place, f"elsewhere/{LINK}")


def own_file(place: Path) -> None:
    """Save a policy or approvals over an earlier one."""
    save_own_file(place / OWN_FILE, _after(place, OWN_FILE), expected=_before(place, OWN_FILE))


def new_own_file(place: Path) -> None:
    """Save a policy or approvals where there are none."""
    save_own_file(place / OWN_FILE, _after(place, OWN_FILE), expected=None)


def cache(place: Path) -> None:
    """Fill the cache with packages and facts, beginning with the key that seals them."""

    async def fill() -> None:
        key = UserKey.at(place / "state" / "lockwarden" / KEY_FILE)
        async with PackageStore(place / "cache" / "lockwarden", key=key, now=time.time) as store:
            for package in sorted(_given(place).glob("*.zip")):
                await receive(store, _whole(package.read_bytes()), declared_size=None)

    asyncio.run(fill())


def backfill(place: Path) -> None:
    """Journal what is not in the journal yet, and fill a registry's metadata from it."""
    path = place / JOURNAL
    there = read_journals([path])
    with OpenJournal(path) as journal:
        for line in read_journal((_given(place) / JOURNAL).read_bytes(), JOURNAL):
            if line.key not in there:
                journal.add(line)
    applied = apply_journal(metadata_files(place), read_journals([path]))
    if applied.refused:
        raise applied.refused[0]


WORKS: dict[str, Work] = {each.__name__: each for each in (linked_lock_file, own_file, new_own_file, cache, backfill)}
WORKS["lock_file"] = lock_file


async def _whole(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _given(place: Path) -> Path:
    return place.parents[1] / "after"


def _after(place: Path, name: str) -> bytes:
    return (_given(place) / name).read_bytes()


def _before(place: Path, name: str) -> bytes:
    return (place / name).read_bytes()


def run(work: str, folder: str) -> None:
    """Kill a piece of work at each of its steps, and print how many there were."""
    where = Path(folder)
    (where / "killed").mkdir()
    sys.stdout.write(f"{kill_at_each_step(WORKS[work], where / 'killed', before=where / 'before')}\n")

"""The package store: packages by content, hashed while they arrive and looked into once they are there.

It never trusts its own files: packages are hashed again when they are looked at, and facts have to be sealed by the
user's own key. It holds bytes and what they are, not who vouches for them or who gives them out.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from lockwarden.core.store.incoming_packages import Arrival, on_disk
from lockwarden.core.store.known_facts import KnownFacts, KnownPackage
from lockwarden.core.store.package_files import (
    FACTS,
    PACKAGES,
    ArrivingFile,
    evict,
    make_private,
    remove_orphans,
    stored_path,
)
from lockwarden.core.store.packages_on_disk import PackagesOnDisk, StoredPackage, StoreLimits, facts_of
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.system.blocking import stoppable
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.hashes import ZH, Hash, zh_of_digest

_T = TypeVar("_T")
_REMOVALS: Final = 100
"""Attempts to remove a folder while others may write into it."""
_PAUSE: Final = 0.02
"""Seconds between two tries to remove a temporary folder."""


def _remove_folder(folder: Path) -> None:
    """Remove a temporary folder, in which a thread may be ending its last write to a file."""
    for _ in range(_REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_PAUSE)


def _anything(_: Hash) -> bool:
    return True


class PackageStore:
    """Packages in a folder of the user's cache, or in a temporary folder that goes away with the store.

    Use it in `async with`. Several stores, also of several processes, may share a folder.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        now: Callable[[], float],
        key: UserKey | None = None,
        limits: StoreLimits | None = None,
    ) -> None:
        """Without a folder nothing outlives the store, and without a key no facts do. `now`: seconds since 1970."""
        self._folder = folder
        self._key = key
        self._limits = limits or StoreLimits()
        self._now = now
        self._packages: Path | None = None
        self._facts: KnownFacts | None = None
        self._temporary: Path | None = None
        self._giver = ""
        self._given: set[tuple[str, Hash]] = set()
        self._learned: dict[Hash, KnownPackage] = {}
        """What others said of packages that are not here."""
        self._inspections = asyncio.Semaphore(os.cpu_count() or 1)

    def of_giver(self, giver: str) -> Self:
        """The same open store as it is for one place that gives packages out: `find` knows what came from there alone.

        What one source was seen to give says nothing about what another one gives.
        """
        other = copy(self)
        other._giver = giver
        return other

    async def __aenter__(self) -> Self:
        """Make the folder. Raises InputError when that cannot be done."""
        if self._folder is None:
            # At once: a cancellation while a thread did it would leave the folder behind.
            self._open()
        else:
            await asyncio.to_thread(self._open)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._packages = self._facts = None
        if self._temporary is not None:
            # At once: whoever leaves may be cancelled again while waiting for a thread.
            _remove_folder(self._temporary)

    def _open(self) -> None:
        try:
            if self._folder is None:
                self._temporary = Path(tempfile.mkdtemp(prefix="lockwarden-"))
            packages = (self._temporary or self._folder or Path()) / PACKAGES
            make_private(packages)
            remove_orphans(packages, self._now())
            if self._folder is not None and self._key is not None:
                facts = self._folder / FACTS
                make_private(facts)
                remove_orphans(facts, self._now())
                self._facts = KnownFacts(facts, self._key, self._limits.archive)
        except OSError as error:
            raise InputError(
                f"the package store in “{self._folder}” cannot be used: {error.strerror}",
                hint="set XDG_CACHE_HOME to a folder that you may write to, or leave it out with --no-cache",
            ) from error
        self._packages = packages

    def arrival(self, *, promised: Callable[[Hash], bool] = _anything) -> Arrival[StoredPackage]:
        """A place for one package, which may come in several attempts. Use it in `with`.

        It is kept for later only where its `zh` is `promised`; what it is, is known in any case.
        """
        return Arrival(
            limit=self._limits.package,
            open_file=lambda: ArrivingFile(self._opened),
            keep=partial(self.keep, promised=promised),
        )

    async def find(self, zh: Hash) -> KnownPackage | None:
        """What the bytes with this `zh` are, without fetching them; None when that is not known.

        Facts that were sealed here are enough; else the package is hashed anew where it is there. A file whose bytes
        do not match its name, or that others could write to, is removed and counts as absent. It says nothing about
        what any source gives out; in the store of a giver, only what came from there is known.
        """
        if zh.scheme != ZH or not zh.usable:
            return None
        if self._facts is not None and (known := await asyncio.to_thread(self._facts.find, zh)) is not None:
            return known.as_given_by(self._giver)
        if self._giver and (self._giver, zh) not in self._given:
            return None
        if (learned := self._learned.get(zh)) is not None:
            return learned
        async with self._inspections:
            stored = await stoppable(lambda stop: self._files.verified(zh, stop))
        return None if stored is None else await self._recorded(stored)

    async def with_h1(self, wanted: frozenset[Hash]) -> dict[Hash, tuple[Hash, ...]]:
        """The `zh` of every package that is known to have one of some `h1`, kept or not."""
        return {} if self._facts is None else await asyncio.to_thread(self._facts.with_h1, wanted)

    async def unpack(
        self, zh: Hash, folder: Path, *, kind: str = "zip", alike: Callable[[int], bool] = lambda _: True
    ) -> int | None:
        """Unpack the package with this `zh` into a folder; how many files it has, or None when it is not here.

        Its `kind` is the clients' word for it, and empty where its first bytes tell.

        It is hashed again, and what is unpacked is what was hashed; `alike` may look at the open file before. Raises
        ArchiveError as unpacking does, also when it is not `alike`; then the folder may hold a part of it.
        """
        async with self._inspections:
            return await stoppable(lambda stop: self._files.unpacked(zh, folder, kind, alike, stop))

    async def read(self, zh: Hash, look: Callable[[int, Callable[[], bool]], _T]) -> _T | None:
        """What `look` makes of the package with this `zh`; None when it is not here, or is not what its name says.

        It gets an open file, which was hashed just now, and what tells it to stop. What it raises is raised here.
        """
        if zh.scheme != ZH or not zh.usable:
            return None
        async with self._inspections:
            return await stoppable(lambda stop: self._files.looked_at(zh, look, stop))

    async def adopt(self, path: Path) -> StoredPackage:
        """Hash a package that lies on disk and look into it; it is not stored, and a link is followed.

        It is read once, into a private copy, since others may write to it. Raises NoAnswerError when it cannot be read
        or copied, BadAnswerError when it is too large or changes meanwhile.
        """
        async with self._inspections:
            return await stoppable(lambda stop: self._files.adopted(path, stop))

    async def learn(self, package: KnownPackage, *, promised: bool, lasting: bool) -> None:
        """Take in what somebody else has computed just now of a package whose bytes are not here.

        `find` knows it for as long as the store is open, where it was `promised` as it would know the bytes; later
        stores do where it is `lasting`.
        """
        known = await self._recorded(package, lasting=lasting)
        if promised:
            self._learned[package.zh] = known

    async def _recorded(self, package: KnownPackage, *, lasting: bool = True) -> KnownPackage:
        """What is known of a package from now on, also without its bytes."""
        known = KnownPackage(
            zh=package.zh,
            size=package.size,
            facts=package.facts,
            archive_error=package.archive_error,
            computed_on=datetime.fromtimestamp(int(self._now()), UTC),
        )
        if self._giver:
            self._given.add((self._giver, package.zh))
        if lasting and self._facts is not None:
            await asyncio.to_thread(self._facts.add, known, self._giver)
        return known

    async def keep(
        self, arriving: ArrivingFile, size: int, *, promised: Callable[[Hash], bool] = _anything
    ) -> StoredPackage:
        """Take a package that has arrived whole; looked into by as many threads as there are cores."""
        zh = zh_of_digest(arriving.digest)
        path = stored_path(self._opened, zh.value)
        if promised(zh):
            await on_disk(arriving.keep)
            await on_disk(evict, self._opened, self._limits.total, path)
        async with self._inspections:
            facts, archive_error = await stoppable(
                lambda stop: facts_of(lambda: arriving.inspect(self._limits.archive, stop))
            )
        stored = StoredPackage(zh=zh, size=size, path=path, facts=facts, archive_error=archive_error)
        await self._recorded(stored)
        return stored

    @property
    def _files(self) -> PackagesOnDisk:
        return PackagesOnDisk(folder=self._opened, limits=self._limits, now=self._now)

    @property
    def _opened(self) -> Path:
        if self._packages is None:
            raise RuntimeError("a package store is used outside its async with")
        return self._packages

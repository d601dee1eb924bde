"""The package store: packages by content, hashed while they arrive and looked into once they are there.

It never trusts its own files: what it finds is hashed again. It holds bytes and what they are, not who vouches for
them.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self, TypeVar

from lockwarden.core.archives.inspection import ArchiveFacts, ArchiveLimits, inspect_open_archive
from lockwarden.core.archives.package_files import (
    READ_SIZE,
    ArrivingFile,
    OpenFile,
    evict,
    make_private,
    remove_orphans,
    stored_path,
)
from lockwarden.core.errors import ArchiveError, BadAnswerError, InputError, NoAnswerError, SourceError, Stage
from lockwarden.core.hashes import ZH, Hash, zh_of_digest

_GIB: Final = 1024 * 1024 * 1024
_REMOVALS: Final = 100
_PAUSE: Final = 0.02
"""Seconds between two tries to remove a temporary folder."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLimits:
    """How much a store takes, in bytes."""

    package: int = 4 * _GIB
    """The largest package."""
    total: int = 10 * _GIB
    """All packages together; the ones that were not used for longest go first."""
    archive: ArchiveLimits = field(default_factory=ArchiveLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPackage:
    """A package whose bytes were hashed. Exactly one of `facts` and `archive_error` is there."""

    zh: Hash
    size: int
    """Bytes of the archive."""
    path: Path
    """Where it lies. In a store another process may remove it at any time; ask `find` again."""
    facts: ArchiveFacts | None
    archive_error: ArchiveError | None
    """Why the bytes are no archive; their `zh` is as good as any."""


def _remove_folder(folder: Path) -> None:
    """Remove a temporary folder, in which a thread may be ending its last write to a file."""
    for _ in range(_REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_PAUSE)


class PackageStore:
    """Packages in a folder of the user's cache, or in a temporary folder that goes away with the store.

    Use it in `async with`. Several stores, also of several processes, may share a folder.
    """

    def __init__(
        self, folder: Path | None, *, limits: StoreLimits | None = None, now: Callable[[], float] = time.time
    ) -> None:
        """Without a folder nothing outlives the store. `now` gives seconds since 1970."""
        self._folder = folder
        self._limits = limits or StoreLimits()
        self._now = now
        self._packages: Path | None = None
        self._temporary: Path | None = None

    async def __aenter__(self) -> Self:
        """Make the folder. Raises InputError when that cannot be done."""
        if self._folder is None:
            # At once: a cancellation while a thread did it would leave the folder behind.
            self._open()
        else:
            await asyncio.to_thread(self._open)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._packages = None
        if self._temporary is not None:
            # At once: whoever leaves may be cancelled again while waiting for a thread.
            _remove_folder(self._temporary)

    def _open(self) -> None:
        try:
            if self._folder is None:
                self._temporary = Path(tempfile.mkdtemp(prefix="lockwarden-"))
            packages = (self._temporary or self._folder or Path()) / "packages"
            make_private(packages)
            remove_orphans(packages, self._now())
        except OSError as error:
            raise InputError(
                f"the package store in “{self._folder}” cannot be used: {error.strerror}",
                hint="give a folder that you may write to, or do without a store",
            ) from error
        self._packages = packages

    async def receive(
        self,
        chunks: AsyncIterator[bytes],
        *,
        declared_size: int | None,
        on_bytes: Callable[[int], None] = lambda _: None,
    ) -> StoredPackage:
        """Take in a package; `on_bytes` gets the number of bytes so far.

        Raises BadAnswerError when it is not as long as declared or longer than the limit, NoAnswerError when it cannot
        be written, and whatever `chunks` raises; then nothing stays. Bytes that are no archive are no error.
        """
        if declared_size is not None and declared_size > self._limits.package:
            raise self._too_large(Stage.PACKAGE)
        try:
            arriving = ArrivingFile(self._opened)
        except OSError as error:
            raise _not_stored(error) from error
        try:
            size = await self._write(arriving, chunks, declared_size, on_bytes)
            digest, path = await self._on_disk(arriving.keep)
            await self._on_disk(evict, self._opened, self._limits.total, path)
            facts, archive_error = await _stoppable(
                lambda stop: _facts(lambda: arriving.inspect(self._limits.archive, stop))
            )
        finally:
            arriving.close()
        return StoredPackage(zh=zh_of_digest(digest), size=size, path=path, facts=facts, archive_error=archive_error)

    async def find(self, zh: Hash) -> StoredPackage | None:
        """The package with this `zh`, hashed anew, or None when it is not there.

        A file whose bytes do not match its name is removed and counts as absent.
        """
        if zh.scheme != ZH or not zh.usable:
            return None
        path = stored_path(self._opened, zh.value)
        return await _stoppable(lambda stop: self._verified(path, zh, stop))

    async def adopt(self, path: Path) -> StoredPackage:
        """Hash a package that lies on disk, where it is; it is neither copied nor stored, and a link is followed.

        Raises NoAnswerError when it cannot be read, BadAnswerError when it is too large or changes meanwhile.
        """
        return await _stoppable(lambda stop: self._adopted(path, stop))

    @property
    def _opened(self) -> Path:
        if self._packages is None:
            raise RuntimeError("a package store is used outside its async with")
        return self._packages

    async def _write(
        self,
        arriving: ArrivingFile,
        chunks: AsyncIterator[bytes],
        declared_size: int | None,
        on_bytes: Callable[[int], None],
    ) -> int:
        waiting = bytearray()
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            if size > self._limits.package:
                raise self._too_large(Stage.PACKAGE)
            if declared_size is not None and size > declared_size:
                raise _wrong_size(declared_size, f"more than {declared_size} bytes", "long-body")
            waiting += chunk
            if len(waiting) >= READ_SIZE:
                await self._on_disk(arriving.add, bytes(waiting))
                waiting.clear()
            on_bytes(size)
        if declared_size is not None and size < declared_size:
            raise _wrong_size(declared_size, f"only {size} bytes", "short-body")
        await self._on_disk(arriving.add, bytes(waiting))
        return size

    async def _on_disk(self, function: Callable[..., _T], *arguments: object) -> _T:
        try:
            return await _in_thread(function, *arguments)
        except OSError as error:
            raise _not_stored(error) from error

    def _verified(self, path: Path, zh: Hash, stop: Callable[[], bool]) -> StoredPackage | None:
        try:
            with OpenFile(path, follow=False) as file:
                size, _ = file.state()
                if size <= self._limits.package and zh_of_digest(file.digest(stop)) == zh:
                    file.touch(self._now())
                    return self._described(path, zh, file, stop)
        except FileNotFoundError:
            return None
        except OSError:
            pass  # a link, a folder, something unreadable: as forged as wrong bytes
        _remove(path)
        return None

    def _adopted(self, path: Path, stop: Callable[[], bool]) -> StoredPackage:
        try:
            with OpenFile(path, follow=True) as file:
                before = file.state()
                if before[0] > self._limits.package:
                    raise self._too_large(Stage.FOLDER)
                package = self._described(path, zh_of_digest(file.digest(stop)), file, stop)
                after = file.state()
        except OSError as error:
            raise NoAnswerError(
                f"“{path}” cannot be read: {error.strerror}", stage=Stage.FOLDER, code="unreadable"
            ) from error
        if after != before:
            raise BadAnswerError(
                f"“{path}” changed while it was read", stage=Stage.FOLDER, code="changed", hint="try again"
            )
        return package

    def _described(self, path: Path, zh: Hash, file: OpenFile, stop: Callable[[], bool]) -> StoredPackage:
        facts, error = _facts(lambda: inspect_open_archive(file.file, limits=self._limits.archive, stop=stop))
        return StoredPackage(zh=zh, size=file.state()[0], path=path, facts=facts, archive_error=error)

    def _too_large(self, stage: Stage) -> SourceError:
        return BadAnswerError(
            f"the package is larger than the limit of {self._limits.package} bytes", stage=stage, code="too-large"
        )


def _not_stored(error: OSError) -> SourceError:
    return NoAnswerError(
        f"the package cannot be stored: {error.strerror}",
        stage=Stage.PACKAGE,
        code="store-failed",
        hint="make room in the package store, or do without a store",
    )


def _wrong_size(declared: int, arrived: str, code: str) -> SourceError:
    return BadAnswerError(
        f"the server announced a package of {declared} bytes, but {arrived} arrived",
        stage=Stage.PACKAGE,
        code=code,
        hint="a proxy may have cut or changed it; try again",
    )


def _facts(inspect: Callable[[], ArchiveFacts]) -> tuple[ArchiveFacts | None, ArchiveError | None]:
    try:
        return inspect(), None
    except ArchiveError as error:
        return None, error


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except IsADirectoryError:
        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return


async def _in_thread(function: Callable[..., _T], *arguments: object, stop: threading.Event | None = None) -> _T:
    """Run a blocking function in a thread. When cancelled, set `stop` and wait until it has let go of its file."""
    work = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if stop is not None:
            stop.set()
        while not work.done():
            with contextlib.suppress(asyncio.CancelledError):  # the first one is raised below
                await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # seen, so that nobody is warned about it
        raise


async def _stoppable(function: Callable[[Callable[[], bool]], _T]) -> _T:
    """Run a blocking function that asks again and again whether to stop; it is told so once this task is cancelled."""
    stop = threading.Event()
    return await _in_thread(function, stop.is_set, stop=stop)

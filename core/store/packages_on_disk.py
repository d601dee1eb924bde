"""Packages that lie on the disk, hashed anew each time before anything is said of them.

Everything here blocks and runs in threads. What is looked into is a copy that was made while it was hashed, since
others may write to a file meanwhile.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from lockwarden.core.archives.facts import ArchiveFacts, ArchiveLimits
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.package_files import CopiedFile, OpenFile, stored_path
from lockwarden.core.values.archive_faults import ArchiveFault, package_code
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, NoAnswerError, Stage
from lockwarden.core.values.hashes import Hash, zh_of_digest
from lockwarden.core.values.problem_codes import ProblemCode

_T = TypeVar("_T")
_GIB: Final = 1024 * 1024 * 1024


class StoreLimits(Struct, frozen=True, kw_only=True):
    """How much a store takes, in bytes."""

    package: int = 4 * _GIB
    """The largest package."""
    total: int = 10 * _GIB
    """All packages together; the ones that were not used for longest go first."""
    archive: ArchiveLimits = msgspec.field(default_factory=ArchiveLimits)


class StoredPackage(KnownPackage, frozen=True, kw_only=True):
    """A package whose bytes were hashed just now."""

    path: Path
    """Where it lies, if it was kept. In a store another process may remove it at any time; ask `find` again."""


class PackagesOnDisk(Struct, frozen=True, kw_only=True):
    """Reads what lies in a store's folder, or elsewhere."""

    folder: Path
    """Of the store; copies are made here."""
    limits: StoreLimits
    now: Callable[[], float]
    """Seconds since 1970."""

    def _path(self, zh: Hash) -> Path:
        return stored_path(self.folder, zh.value)

    def verified(self, zh: Hash, stop: Callable[[], bool]) -> StoredPackage | None:
        """The stored package with this `zh`, hashed and looked into; None when it is not there, or is removed now."""
        path = self._path(zh)
        try:
            with OpenFile(path, follow=False) as file:
                if file.private:
                    with file.copied(self.folder, self.limits.package, stop) as copied:
                        if zh_of_digest(copied.digest) == zh:
                            file.touch(self.now())
                            return self.described(path, copied, stop)
        except FileNotFoundError:
            return None
        except (OSError, ArchiveError) as error:
            if isinstance(error, ArchiveError) and error.code == ArchiveFault.STOPPED:
                raise
            # A link, a folder, something unreadable, too large or changing: as forged as wrong bytes.
        _remove(path)
        return None

    def unpacked(
        self, zh: Hash, folder: Path, kind: str, alike: Callable[[int], bool], stop: Callable[[], bool]
    ) -> int | None:
        """Unpack the stored package with this `zh`; how many files it has, or None. Raises ArchiveError."""
        try:
            with OpenFile(self._path(zh), follow=False) as file:
                if not file.private:
                    return None
                copied = file.copied(self.folder, self.limits.package, stop)
        except OSError:
            return None
        with copied:
            if zh_of_digest(copied.digest) != zh:
                return None
            if not alike(copied.file):
                raise ArchiveError("its bytes do not have the digest that it was named by", code=ArchiveFault.CHANGED)
            from lockwarden.core.archives.tar_unpacking import unpack_archive

            return unpack_archive(copied.file, folder, kind, limits=self.limits.archive, stop=stop)

    def looked_at(self, zh: Hash, look: Callable[[int, Callable[[], bool]], _T], stop: Callable[[], bool]) -> _T | None:
        """What `look` makes of the stored package with this `zh`; None when it is not there."""
        try:
            with OpenFile(self._path(zh), follow=False) as file:
                copied = file.copied(self.folder, self.limits.package, stop) if file.private else None
        except OSError:
            return None
        if copied is None:
            return None
        with copied:
            return look(copied.file, stop) if zh_of_digest(copied.digest) == zh else None

    def adopted(self, path: Path, stop: Callable[[], bool]) -> StoredPackage:
        """A package anywhere on the disk, hashed and looked into. Raises NoAnswerError and BadAnswerError."""
        try:
            with OpenFile(path, follow=True) as file:
                copied = file.copied(self.folder, self.limits.package, stop)
            with copied:
                return self.described(path, copied, stop)
        except ArchiveError as error:
            # A pipe or a device says nothing of a package; a file that is too large or changes does.
            failure = NoAnswerError if error.code == ArchiveFault.NOT_A_FILE and not path.is_dir() else BadAnswerError
            raise failure(f"“{path}”: {error.message}", stage=Stage.FOLDER, code=package_code(error.code)) from error
        except OSError as error:
            raise NoAnswerError(
                f"“{path}” cannot be read, or copied to be looked into: {error.strerror}",
                stage=Stage.FOLDER,
                code=ProblemCode.PACKAGE_UNREADABLE,
            ) from error

    def described(self, path: Path, copied: CopiedFile, stop: Callable[[], bool]) -> StoredPackage:
        """What a copy is that was hashed just now."""
        from lockwarden.core.archives.inspection import inspect_open_archive

        facts, error = facts_of(lambda: inspect_open_archive(copied.file, limits=self.limits.archive, stop=stop))
        return StoredPackage(
            zh=zh_of_digest(copied.digest), size=copied.size, path=path, facts=facts, archive_error=error
        )


def facts_of(inspect: Callable[[], ArchiveFacts]) -> tuple[ArchiveFacts | None, ArchiveError | None]:
    """What an archive is, or why nothing can be said of it."""
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

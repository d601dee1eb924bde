"""Journals of backfills on disk: one run at a time adds lines, and a killed run loses none of them."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from lockwarden.core.git.listing import tracked
from lockwarden.core.git.places import entry_of, inside
from lockwarden.core.git.repository import find_repository
from lockwarden.core.registry_metadata.journal_lines import JournalLine, merged, read_journal, whole_part, written
from lockwarden.core.system.atomic_writing import reason_of
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.errors import GitError, InputError, SaveError, ToolError

_SYNCED_EVERY: Final = 64
"""Lines that a power cut, not a killed process, can lose; they are computed again."""


def read_journals(paths: Sequence[Path]) -> dict[str, JournalLine]:
    """What journals say together; one that is not there yet says nothing. Raises MetadataError, InputError."""
    return merged({str(path): read_journal(_bytes(path), str(path)) for path in paths})


def clear_scratch(path: Path) -> None:
    """Remove the packages that a killed run left beside its journal. Nothing that is needed lies there.

    Raises InputError when another run has the journal open, or the folder cannot be emptied.
    """
    if scratch_of(path).is_dir() and not scratch_of(path).is_symlink():
        with OpenJournal(path) as journal, journal.scratch():
            pass


def scratch_of(path: Path) -> Path:
    """The folder beside a journal where packages lie until they are hashed."""
    return path.with_name(f"{path.name}.scratch")


def refuse_tracked(path: Path, environ: Mapping[str, str]) -> None:
    """Raise InputError for a journal that git tracks where it lies: whoever committed it says what is filled in.

    It blocks. Where git cannot be asked, it is refused as well.
    """
    if not path.is_file():
        return
    hint = "read what it says, and name it with --journal if you mean it, or take it away"
    try:
        repository = find_repository(path, environ)
        place = None if repository is None else inside(entry_of(path), repository.root)
        if repository is None or place is None:
            return
        if all(each.path != place for each in tracked(repository.git, place.__eq__)):
            return
    except (GitError, ToolError) as error:
        raise InputError(f"nobody knows who wrote the journal {path}: {error.message}", hint=hint) from error
    raise InputError(f"the journal {path} is one that git tracks, so it came with the files beside it", hint=hint)


def journaled(paths: Sequence[Path]) -> tuple[JournalLine, ...]:
    """Every line of the journals, in their order, also several of one package.

    Raises MetadataError for damaged journals, and for such as contradict each other. Raises InputError for one that
    cannot be read or is not there.
    """
    for path in paths:
        if not path.is_file():
            raise InputError(f"there is no journal {path}", hint="--journal names what a backfill has written")
    lines = {str(path): read_journal(_bytes(path), str(path)) for path in paths}
    merged(lines)
    return tuple(line for each in lines.values() for line in each)


def _bytes(path: Path) -> bytes:
    try:
        with os.fdopen(open_to_read(path, follow=True), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputError(f"the journal {path} cannot be read: {reason_of(error)}") from error
    raise InputError(f"the journal {path} is no file", hint="--journal names what a backfill writes, or has written")


class OpenJournal:
    """A journal that this run alone writes to. Use it in `with`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.dropped = 0
        """Bytes of a torn line that a killed run had left at its end."""
        self._file = -1
        self._unsynced = 0

    def __enter__(self) -> Self:
        """Open it, alone, and drop a torn last line. Raises InputError when that cannot be done."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._file = os.open(self.path, flags, 0o644)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            data = self.path.read_bytes()
            self.dropped = len(data) - len(whole_part(data))
            if self.dropped:
                os.ftruncate(self._file, len(data) - self.dropped)
        except BlockingIOError as error:
            self._close()
            raise InputError(
                f"another run writes to the journal {self.path}",
                hint="wait for it, or give this run a journal of its own; several journals can be applied together",
            ) from error
        except OSError as error:
            self._close()
            raise InputError(
                f"the journal {self.path} cannot be opened: {reason_of(error)}",
                hint="--journal names a file in a folder that is there and that you may write to",
            ) from error
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.fsync(self._file)
        except OSError:
            pass
        finally:
            self._close()

    def add(self, line: JournalLine) -> None:
        """Add a line; once this returns, a killed process does not lose it. Raises SaveError."""
        rest = memoryview(written(line))
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
            self._unsynced += 1
            if self._unsynced >= _SYNCED_EVERY:
                os.fsync(self._file)
                self._unsynced = 0
        except OSError as error:
            raise SaveError(
                f"the journal {self.path} cannot be written: {reason_of(error)}",
                hint="make room on its disk and go on with the same command; what it has already is not done again",
            ) from error

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder beside the journal for packages that are on their way. What a killed run left there is removed.

        Raises InputError when it cannot be made, also where a link stands: it came with the files beside it, perhaps,
        and leads anywhere.
        """
        folder = scratch_of(self.path)
        try:
            if folder.is_dir() and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise InputError(
                f"{folder} cannot be made, where packages lie until they are hashed: {reason_of(error)}",
                hint="take away what is there; or --journal names a file in a folder that you may write to",
            ) from error
        try:
            yield folder.absolute()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _close(self) -> None:
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

"""Where the files of a CLI configuration are read that lie in a change's reach: at its base."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path, PurePath

import msgspec
from msgspec import Struct

from lockwarden.core.cli_config.files import ON_DISK
from lockwarden.core.cli_config.locations import ENDINGS
from lockwarden.core.cli_config.reading import MAX_BYTES
from lockwarden.core.git.model import Commit
from lockwarden.core.git.reach import Entered, Reach
from lockwarden.core.git.repository import Repository, open_repository
from lockwarden.core.git.trees import names_in, read_file
from lockwarden.core.hcl.syntax import SyntaxProblem
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.line_ends import with_line_feeds
from lockwarden.core.values.printable import reveal


class AtBase(Struct, frozen=True, kw_only=True):
    """Files in a change's reach as they are at the tip of its base, which the change cannot write; others on disk.

    All methods raise GitError, too, when that cannot be told, and for a file that was made in the working tree and is
    part of no commit: whether the operator or the change made it is unknown.
    """

    reach: Reach
    base: str
    environ: Mapping[str, str]
    directory: str
    changed: list[str] = msgspec.field(default_factory=list)
    """Files of which what lies in the working tree does not count, in words."""
    _opened: dict[Path, tuple[Repository, Commit]] = msgspec.field(default_factory=dict)

    def exists(self, path: PurePath) -> bool:
        """Whether something is there."""
        entered = self.reach.entered(path, self.directory)
        if entered is None:
            return ON_DISK.exists(path)
        repository, revision = self._at(entered.root)
        try:
            found = _found(repository, revision, entered) is not None
        except GitError as error:
            if error.code != "folder":
                raise
            return True
        if not found and ON_DISK.exists(path):
            self._not_at_base(Path(path), repository, entered)
        return found

    def read(self, path: Path) -> bytes:
        """The bytes of a file. Raises as `read_bytes` does."""
        entered = self.reach.entered(path, self.directory)
        if entered is None:
            return ON_DISK.read(path)
        repository, revision = self._at(entered.root)
        data = _found(repository, revision, entered)
        here = _on_disk(path)
        if data is None:
            if here is not None:
                self._not_at_base(path, repository, entered)
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        if here is None or with_line_feeds(here) != with_line_feeds(data[: MAX_BYTES + 1]):
            self._say(f"{path} counts as it is at {self.base}, not as it is in the working tree")
        return data

    def names(self, folder: Path) -> list[str]:
        """What is in a folder, with what is only in the working tree, so that it is told. Raises OSError."""
        entered = self.reach.entered(folder, self.directory)
        if entered is None:
            return ON_DISK.names(folder)
        repository, revision = self._at(entered.root)
        found = names_in(repository.git, revision.id, os.fsencode(entered.below))
        try:
            here = ON_DISK.names(folder)
        except OSError:
            here = []
        return sorted({*here, *map(os.fsdecode, found or ())})

    def revision(self, path: Path) -> str:
        """The whole id of the commit that a file is read at; empty for the disk."""
        entered = self.reach.entered(path, self.directory)
        return "" if entered is None else self._at(entered.root)[1].id

    def _at(self, root: Path) -> tuple[Repository, Commit]:
        if root not in self._opened:
            repository = open_repository(root, self.environ)
            self._opened[root] = repository, repository.commit_at(self.base)
        return self._opened[root]

    def _not_at_base(self, path: Path, repository: Repository, entered: Entered) -> None:
        """A file that the change brings does not count. Raises GitError for one that no commit has."""
        try:
            committed = _found(repository, repository.commit_at("HEAD"), entered) is not None
        except GitError:
            committed = True
        if not committed and path.is_dir() and not any(each.endswith(ENDINGS) for each in ON_DISK.names(path)):
            return
        if not committed:
            raise GitError(
                f"{reveal(str(path))} lies in the working tree, but in no commit, so nobody knows whether the change"
                " under review made it",
                code="configuration-in-reach",
                hint="with --base, keep what configures the check outside of the working tree",
            )
        self._say(f"{path} does not count: it is not there at {self.base}, so the change under review brings it")

    def _say(self, words: str) -> None:
        if words not in self.changed:
            self.changed.append(words)


def _found(repository: Repository, revision: Commit, entered: Entered) -> bytes | None:
    found = read_file(repository.git, revision.id, os.fsencode(entered.below))
    return None if found is None else found[1]


def _on_disk(path: Path) -> bytes | None:
    """What lies in the working tree; nothing that is no file can be what was committed."""
    try:
        return ON_DISK.read(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, SyntaxProblem):
        return b""

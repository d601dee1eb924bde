"""Reads the files of a configuration from disk: regular ones inside of one folder, up to limits, links included.

A link is followed as far as it stays inside, as in shared files of versions.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from lockwarden.core.configuration.files import Folder, Limits, Spending, body_of
from lockwarden.core.configuration.reading import required_in
from lockwarden.core.configuration.requirements import Required
from lockwarden.core.configuration.syntax import Body, UnreadableProblem
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.clients import Client


def required_on_disk(folder: Path, *, within: Path, client: Client, limits: Limits | None = None) -> Required:
    """What the root module in a folder requires, by the rules of one client. It blocks, and raises nothing.

    `within` is the repository's root, absolute and without links.
    """
    limits = limits or Limits()
    return required_in(Path(os.path.realpath(folder)), FolderFiles(within, limits), client=client, limits=limits)


class FolderFiles:
    """The files inside of one folder, as many as the limits allow."""

    def __init__(self, within: Path, limits: Limits) -> None:
        """`within` is absolute and without links."""
        self.within = within
        self._limits = limits
        self._spent = Spending(limits)

    def real(self, path: Path) -> Path:
        """The place that a client finds by a path, which it cleans before it follows links; a bad path as it is."""
        clean = os.path.normpath(path)
        try:
            return Path(os.path.realpath(clean))
        except ValueError:  # a NUL, or half a character
            return Path(clean)

    def holds(self, path: Path) -> bool:
        """Whether something has this name, be it a link that leads nowhere."""
        return os.path.lexists(path)

    def folder(self, path: Path) -> Folder | None:
        """The names in a folder; None where there is none. Raises UnreadableProblem."""
        try:
            real = Path(os.path.realpath(path))
            if real != self.within and self.within not in real.parents:
                if os.path.lexists(path):
                    raise UnreadableProblem(f"{path.name} lies outside of the repository")
                return None
            with os.scandir(real) as entries:
                names = [each.name for each, _ in zip(entries, range(self._limits.names + 1), strict=False)]
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise UnreadableProblem(f"{path.name} cannot be looked into: {error}") from error
        return Folder(path=real, names=tuple(names), complete=len(names) <= self._limits.names)

    def body(self, path: Path) -> Body | None:
        """What a configuration file says; None for a folder, which the clients pass over. Raises UnreadableProblem."""
        data = self.read(path)
        return None if data is None else body_of(data, path.name)

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file; None for a folder. Raises UnreadableProblem."""
        try:
            return self._read(path)
        except OSError as error:
            raise UnreadableProblem(error.strerror or str(error)) from error

    def _read(self, path: Path) -> bytes | None:
        real = Path(os.path.realpath(path))
        if self.within not in real.parents:
            raise UnreadableProblem("it is a link that leads out of the repository")
        if real.is_dir():
            return None
        self._spent.count_file()
        with os.fdopen(open_to_read(real, follow=False), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise UnreadableProblem("it is not a regular file")
            return self._spent.count_bytes(stream.read(self._limits.file_bytes + 1))

"""Reads the files of a configuration from disk: regular ones inside of one folder, up to limits, links included.

A link is followed as far as it stays inside, as in shared files of versions.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lockwarden.core.configuration.editing import read_body
from lockwarden.core.configuration.names import is_json
from lockwarden.core.configuration.syntax import Body, UnreadableProblem
from lockwarden.core.values.opening import open_to_read


class Limits(Struct, frozen=True, kw_only=True):
    """How much of a configuration is read."""

    modules: int = 500
    files: int = 5_000
    names: int = 50_000
    """Names in one folder."""
    file_bytes: int = 2 * 1024 * 1024
    bytes: int = 16 * 1024 * 1024
    """Of all files together."""


class Folder(Struct, frozen=True, kw_only=True):
    """What lies in one folder."""

    path: Path
    """Without links."""
    names: tuple[str, ...]
    complete: bool
    """Whether these are all names, and not only as many as the limit allows."""


def body_of(data: bytes, name: str) -> Body:
    """What a configuration file of this name says. Raises UnreadableProblem."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableProblem("it is not UTF-8") from error
    return read_body(text, in_json=is_json(name))


class ConfigurationFiles(Protocol):
    """The files inside of one folder, wherever they are kept."""

    @property
    def within(self) -> Path:
        """The folder that all of them lie in."""

    def folder(self, path: Path) -> Folder | None:
        """The names in a folder; None where there is none. Raises UnreadableProblem."""

    def body(self, path: Path) -> Body | None:
        """What a configuration file says; None for a folder. Raises UnreadableProblem."""


class BoundedFiles:
    """The files inside of one folder, as many as the limits allow."""

    def __init__(self, within: Path, limits: Limits) -> None:
        """`within` is absolute and without links."""
        self.within = within
        self._limits = limits
        self._files = limits.files
        self._bytes = limits.bytes

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
        self._files -= 1
        if self._files < 0:
            raise UnreadableProblem(f"there are more than {self._limits.files} files")
        with os.fdopen(open_to_read(real, follow=False), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise UnreadableProblem("it is not a regular file")
            data = stream.read(self._limits.file_bytes + 1)
        if len(data) > self._limits.file_bytes:
            raise UnreadableProblem(f"it is larger than the limit of {self._limits.file_bytes} bytes")
        self._bytes -= len(data)
        if self._bytes < 0:
            raise UnreadableProblem(f"all files together are larger than the limit of {self._limits.bytes} bytes")
        return data

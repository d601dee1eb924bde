"""The files of a configuration, wherever they are kept, and how much of them is read."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lockwarden.core.configuration.editing import read_body
from lockwarden.core.configuration.names import is_json
from lockwarden.core.configuration.syntax import Body, UnreadableProblem


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


class Spending:
    """Counts what has been read of a configuration, and stops at the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._files = limits.files
        self._bytes = limits.bytes

    def count_file(self) -> None:
        """Count one file more, before it is read. Raises UnreadableProblem for one too many."""
        self._files -= 1
        if self._files < 0:
            raise UnreadableProblem(f"there are more than {self._limits.files} files")

    def count_bytes(self, data: bytes) -> bytes:
        """Count the bytes that were read of a file, and return them. Raises UnreadableProblem for too many.

        Whoever reads may stop at one byte more than the limit of a file.
        """
        if len(data) > self._limits.file_bytes:
            raise UnreadableProblem(f"it is larger than the limit of {self._limits.file_bytes} bytes")
        self._bytes -= len(data)
        if self._bytes < 0:
            raise UnreadableProblem(f"all files together are larger than the limit of {self._limits.bytes} bytes")
        return data

"""Where a setting comes from, so that people can find it and change it, and which files decided something."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, assert_never

from msgspec import Struct


class OriginKind(StrEnum):
    """The kinds of places that settings come from."""

    FILE = "file"
    ENVIRONMENT = "environment variable"
    DEFAULT = "default"
    """Nobody set it."""


class Origin(Struct, frozen=True, order=True):
    """A file and a line, or an environment variable, or nothing but the clients' default."""

    kind: OriginKind
    name: str = ""
    """The path of the file as it was opened, or the name of the variable."""
    line: int = 0
    """Counted from 1; 0 for the whole file and for what is no file."""

    @classmethod
    def of_file(cls, path: str, line: int = 0) -> Origin:
        """A place in a file."""
        return cls(OriginKind.FILE, path, line)

    @classmethod
    def of_variable(cls, name: str) -> Origin:
        """An environment variable."""
        return cls(OriginKind.ENVIRONMENT, name)

    def __str__(self) -> str:
        match self.kind:
            case OriginKind.FILE:
                return f"{self.name}:{self.line}" if self.line else self.name
            case OriginKind.ENVIRONMENT:
                return f"the environment variable {self.name}"
            case OriginKind.DEFAULT:
                return "the default"
            case _:
                assert_never(self.kind)


BY_DEFAULT: Final = Origin(OriginKind.DEFAULT)
"""The origin of what nobody set."""


class UsedFile(Struct, frozen=True, kw_only=True):
    """A file that was read, so that others can tell whether they have the same."""

    path: str
    digest: str
    """`sha256:` and the digits."""
    revision: str = ""
    """The whole id of the commit that it was read at; empty for the disk."""

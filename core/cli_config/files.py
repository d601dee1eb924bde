"""Where the files of a CLI configuration are read; of those in a change's reach, see `files_at_base`."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Final, Protocol

from lockwarden.core.cli_config.reading import read_bytes


class ConfigFiles(Protocol):
    """What a configuration is read through. Paths may be relative to the folder that the process was started in."""

    def exists(self, path: PurePath) -> bool:
        """Whether something is there."""
        ...

    def read(self, path: Path) -> bytes:
        """The bytes of a file. Raises OSError, ValueError and SyntaxProblem as `read_bytes` does."""
        ...

    def names(self, folder: Path) -> list[str]:
        """What is in a folder. Raises OSError."""
        ...

    def revision(self, path: Path) -> str:
        """The whole id of the commit that a file is read at; empty for the disk."""
        ...


class FilesOnDisk:
    """All files as they are."""

    def exists(self, path: PurePath) -> bool:
        """Whether something is there."""
        try:
            return Path(path).exists()
        except (OSError, ValueError):
            return False

    def read(self, path: Path) -> bytes:
        """The bytes of a file. Raises as `read_bytes` does."""
        return read_bytes(path)

    def names(self, folder: Path) -> list[str]:
        """What is in a folder. Raises OSError."""
        return [each.name for each in folder.iterdir()]

    def revision(self, path: Path) -> str:  # noqa: ARG002 - the port's
        """Empty."""
        return ""


ON_DISK: Final = FilesOnDisk()

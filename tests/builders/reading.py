"""Reads lock files with one second reader for all tests of a process: python-hcl2's parser takes a while to make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from lockwarden.core.engine import lock_file_reading
from lockwarden.core.lockfile import edit
from lockwarden.core.lockfile import read as reading
from lockwarden.core.lockfile.edit import HashChange
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.values.addresses import ProviderAddress

SECOND_READER = SecondReader()
parse = partial(reading.parse, second_reader=SECOND_READER)


def read(path: Path) -> LockFile:
    """A lock file of a folder, as a command reads it."""
    return lock_file_reading.read(path, SECOND_READER)


def edited(lock_file: LockFile, changes: Mapping[ProviderAddress, HashChange]) -> bytes:
    """A lock file with changes made, as a command writes it."""
    return edit.edited(lock_file, changes, SECOND_READER)

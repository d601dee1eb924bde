"""Reads a lock file as the client that uses it does: with what that one takes entries for besides."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lockwarden.core.engine.lock_file_reading import read
from lockwarden.core.git.places import folder_with_git
from lockwarden.core.lockfile.migration import as_it_stands, as_opentofu_reads
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import client_named_in, parse
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client

if TYPE_CHECKING:
    from lockwarden.core.configuration.requirements import Required


def read_for_client(path: Path, second_reader: SecondReader, *, client: Client | None = None) -> LockFile:
    """Read a lock file, or the one in a folder, by the rules of `client` or else of the one that the file names.

    It blocks; raises LockFileError and LockFileInvalidError as `read` does.
    """
    return as_client_reads(read(path, second_reader, client=client), second_reader, client=client)


def as_client_reads(
    lock_file: LockFile,
    second_reader: SecondReader,
    *,
    client: Client | None,
    required: Callable[[], Required] | None = None,
) -> LockFile:
    """A lock file that was read by whatever rules, by those of `client` or else of the one that the file names.

    OpenTofu takes entries that Terraform wrote for entries of its own as well. A file that names nobody is read without
    that: who uses it is not known. `required` tells what its configuration requires, where that does not lie beside it
    on disk. It blocks; raises LockFileInvalidError where that client refuses the file.
    """
    user = client or client_named_in(lock_file.data)
    by = user or Client.OPENTOFU
    if lock_file.client is not by:
        lock_file = parse(lock_file.data, path=lock_file.path, second_reader=second_reader, client=by)
    already = bool(lock_file.moved) or any(each.read_as is not None for each in lock_file.providers)
    if user is not Client.OPENTOFU:
        return as_it_stands(lock_file) if already else lock_file
    needs = _Needs(required or _beside(lock_file))
    return lock_file if already else as_opentofu_reads(lock_file, needed=needs, both=needs.both)


class _Needs:
    """Whether a configuration requires a provider, or may; it is read when that is asked."""

    def __init__(self, required: Callable[[], Required]) -> None:
        self._required = cache(required)

    def __call__(self, address: ProviderAddress) -> bool:
        required = self._required()
        return not required.found or bool(required.open) or required.requires(address)

    def both(self, old: ProviderAddress, new: ProviderAddress) -> bool:
        """Whether it certainly requires an entry's provider by its whole address, and the one it is taken for, too."""
        required = self._required()
        return required.requires(new) and not required.leaves_host_open(old)


def _beside(lock_file: LockFile) -> Callable[[], Required]:
    """Reads the configuration in a lock file's folder."""

    def read_it() -> Required:
        from lockwarden.core.system.configuration_files import required_on_disk  # few entries need an answer

        folder = Path(os.path.realpath(Path(lock_file.path).parent))
        within = folder_with_git(folder / "any") or folder
        return required_on_disk(folder, within=within, client=Client.OPENTOFU)

    return read_it

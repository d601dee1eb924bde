"""Reads one CLI configuration file: bytes to items, or the reason why not."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.hcl.grammar import read_hcl
from lockwarden.core.hcl.syntax import HclItem, SyntaxProblem, decoded
from lockwarden.core.system.opening import open_to_read

MAX_BYTES: Final = 4 * 1024 * 1024
"""Size of one file. Real ones have a few kilobytes."""


def parse(data: bytes, *, path: str) -> ConfigurationDocument:
    """Read a file's content; as in the clients, the first character decides between HCL 1 and JSON, not the name.

    Raises SyntaxProblem with the line of the first mistake.
    """
    if len(data) > MAX_BYTES:
        raise SyntaxProblem(1, f"it is larger than the limit of {MAX_BYTES} bytes")
    text = decoded(data)
    json_form = text.lstrip().startswith("{")
    if json_form:
        from lockwarden.core.cli_config.json_grammar import read_json_form

        return ConfigurationDocument(path, read_json_form(text), json_form)
    return ConfigurationDocument(path, read_hcl(text), json_form)


def read_bytes(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file or of the null device, `limit + 1` at most; links are followed. It never waits.

    Raises OSError when there is none or it cannot be read, and SyntaxProblem when it is a folder, a pipe or a device.
    """
    descriptor = open_to_read(path, follow=True)
    try:
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or _is_null_device(descriptor)):
            what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise SyntaxProblem(0, f"it is {what}", hint="name a file; what comes through a pipe has to be saved first")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(limit + 1)
    finally:
        os.close(descriptor)


def _is_null_device(descriptor: int) -> bool:
    """Whether it is where operators point the clients at to have no configuration at all."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(os.devnull))  # noqa: PTH116
    except OSError:
        return False


class ConfigurationDocument(Struct, frozen=True):
    """One file."""

    path: str
    items: tuple[HclItem, ...]
    json: bool
    """Whether it is in the JSON form."""

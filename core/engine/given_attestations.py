"""Reads the files with attestations that the operator names. They prove nothing until a policy's rule verifies them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lockwarden.core.oci_signatures.given import MAX_BUNDLES, GivenBundle, bundles_in
from lockwarden.core.oci_signatures.strict_json import EvidenceError
from lockwarden.core.system.own_files import read_own_file
from lockwarden.core.values.errors import InputError, OwnFileError

MAX_BYTES: Final = 16 * 1024 * 1024
"""Of one file."""
_OPTION: Final = "--attestations"


def read_attestations(names: Iterable[str], *, directory: Path) -> tuple[GivenBundle, ...]:
    """The bundles of all files, in their order. Raises InputError for a file that cannot be read or holds none."""
    found: list[GivenBundle] = []
    for name in names:
        try:
            data = read_own_file(directory / name, name=name, limit=MAX_BYTES, error=OwnFileError, follow_links=True)
        except OwnFileError as error:
            raise InputError(f"{_OPTION}: {error.message}", hint=error.hint) from error
        if data is None:
            raise InputError(f"{_OPTION}: there is no file {name}", hint="check its name")
        if len(data) > MAX_BYTES:
            raise InputError(f"{_OPTION}: {name} is larger than the limit of {MAX_BYTES} bytes")
        try:
            found += bundles_in(data, name)
        except EvidenceError as error:
            raise InputError(f"{_OPTION}: {name} {error}", hint="name a file with Sigstore bundles") from error
    if len(found) > MAX_BUNDLES:
        raise InputError(f"{_OPTION}: there are {len(found)} bundles; the limit is {MAX_BUNDLES}")
    return tuple(found)

"""The text of the demo's lock file, written as the clients write theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

NAME: Final = ".terraform.lock.hcl"
_HEADER: Final = """\
# This file is maintained automatically by "{command} init".
# Manual edits may be lost in future updates.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockEntry:
    """One provider of a lock file."""

    address: str
    version: str
    hashes: tuple[str, ...]
    """In any order; the file has them sorted and once each."""
    constraints: str = ""
    """In canonical form, or empty for none."""


def lock_text(entries: Iterable[LockEntry], *, command: str = "tofu") -> str:
    """The file's text with the entries sorted by address. Values are written as they are, without escapes."""
    blocks = [_block(entry) for entry in sorted(entries, key=lambda entry: entry.address.split("/"))]
    return _HEADER.format(command=command) + "".join(blocks)


def _block(entry: LockEntry) -> str:
    lines = ["", f'provider "{entry.address}" {{']
    if entry.constraints:
        lines += [f'  version     = "{entry.version}"', f'  constraints = "{entry.constraints}"']
    else:
        lines += [f'  version = "{entry.version}"']
    if entry.hashes:
        lines += ["  hashes = [", *(f'    "{text}",' for text in sorted(set(entry.hashes))), "  ]"]
    return "\n".join([*lines, "}", ""])

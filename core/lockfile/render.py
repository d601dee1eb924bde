"""Writes a lock file the way the clients do: from scratch, every byte decided by the content."""

from __future__ import annotations

from collections.abc import Iterable

from lockwarden.core.lockfile.literals import quoted
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.clients import Client


def canonical(providers: Iterable[LockedProvider], *, client: Client) -> bytes:
    """The file that `client` would write for these providers.

    Sorted by address, hashes sorted by their bytes and without repetitions, LF line ends, no comments but the header.
    """
    blocks = [_block(provider) for provider in sorted(providers, key=lambda provider: provider.address.sort_key)]
    return "".join((header(client), *blocks)).encode()


def header(client: Client) -> str:
    """The comment at the top, which has no meaning when the file is read."""
    return (
        f'# This file is maintained automatically by "{client.command} init".\n'
        "# Manual edits may be lost in future updates.\n"
    )


def _block(provider: LockedProvider) -> str:
    lines = [f"\nprovider {quoted(str(provider.address))} {{"]
    version, constraints = quoted(str(provider.version)), provider.constraints
    if constraints:
        lines += [f"  version     = {version}", f"  constraints = {quoted(constraints)}"]
    else:
        lines += [f"  version = {version}"]
    # Code points sort like the bytes of UTF-8.
    hashes = sorted(found.text for found in provider.hash_set)
    if hashes:
        lines += ["  hashes = [", *(f"    {quoted(text)}," for text in hashes), "  ]"]
    return "\n".join((*lines, "}\n"))

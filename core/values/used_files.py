"""Files that decided something, named so that others can tell whether theirs are the same."""

from __future__ import annotations

from msgspec import Struct


class UsedFile(Struct, frozen=True, kw_only=True):
    """A file that was read, so that others can tell whether they have the same."""

    path: str
    digest: str
    """`sha256:` and the digits."""
    revision: str = ""
    """The whole id of the commit that it was read at; empty for the disk."""

"""One CLI configuration file as it was read."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.hcl.syntax import HclItem


class ConfigurationDocument(Struct, frozen=True):
    """One file."""

    path: str
    items: tuple[HclItem, ...]
    json: bool
    """Whether it is in the JSON form."""

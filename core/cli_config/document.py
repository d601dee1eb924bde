"""One CLI configuration file as it was read."""

from __future__ import annotations

from dataclasses import dataclass

from lockwarden.core.hcl.syntax import Item


@dataclass(frozen=True, slots=True)
class Document:
    """One file."""

    path: str
    items: tuple[Item, ...]
    json: bool
    """Whether it is in the JSON form."""

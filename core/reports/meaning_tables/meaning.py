"""What one problem code means, for people."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.values.severity import Severity


class Meaning(Struct, frozen=True):
    """A code in words."""

    name: str
    """A few words, in lower case but for names and acronyms, that read well before “in acme/widget 1.2.3”."""
    sense: str
    """What it is about."""
    advice: str
    """What to do about it, whatever the case at hand."""
    severity: Severity = Severity.WARNING
    """How much such a problem usually weighs."""
    otherwise: str = ""
    """When it weighs more or less, one sentence; empty where it never does."""

    @property
    def help(self) -> str:
        """What it is about, and what to do."""
        return f"{self.sense} {self.advice}"

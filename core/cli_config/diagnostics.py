"""What is wrong with a CLI configuration, and settings in it that mean nothing."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from lockwarden.core.values.origins import Origin
from lockwarden.core.values.severity import Severity


class Diagnostic(Struct, frozen=True, kw_only=True):
    """One thing that is wrong with the configuration, and where. No message holds a secret."""

    severity: Severity
    summary: str
    """A few words, the clients' own where they have some."""
    message: str
    """One sentence with the values that matter."""
    origin: Origin
    hint: str = ""
    unreadable: bool = False
    """Nothing of the file could be used. The clients go on without it; an audit must not, because it would ask other
    sources than the operator wants."""

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}"


class IgnoredKind(StrEnum):
    """What kind of thing has no effect."""

    SETTING = "setting"
    ARGUMENT = "argument"
    VARIABLE = "environment variable"


class IgnoredSetting(Struct, frozen=True, kw_only=True):
    """Something that the clients pass over in silence, such as a setting with a typing error in its name."""

    kind: IgnoredKind
    name: str
    """With the blocks around it: `provider_installation.direct.url`."""
    origin: Origin
    reason: str = "no client knows it"

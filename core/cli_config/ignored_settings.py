"""Settings of a CLI configuration that mean nothing."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.values.origins import Origin

NO_CLIENT: Final = "no client knows it"


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
    reason: str = NO_CLIENT

"""Environment variables inside of a text, `$NAME` or `${NAME}`, as the clients expand them in `plugin_cache_dir`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lockwarden.core.values.late_patterns import LatePattern

_REFERENCE: Final = LatePattern(
    r"\$(?:\{(?P<braced>[^}]*)\}|(?P<broken>\{)|(?P<special>[*#$@!?0-9-])|(?P<plain>[A-Za-z0-9_]+))"
)


def expanded(text: str, environ: Mapping[str, str]) -> str:
    """The text with every reference replaced; a variable that is not set counts as empty. `~` stays what it is."""

    def value(match: re.Match[str]) -> str:
        name = match["braced"] or match["special"] or match["plain"] or ""
        return environ.get(name, "")

    return _REFERENCE.sub(value, text)

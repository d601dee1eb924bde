"""What can be shown where text goes: colours, signs beyond ASCII, width. The environment is an argument."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.values.late_patterns import LatePattern

TAKE_COLOURS: Final = MappingProxyType(
    {
        "GITHUB_ACTIONS": "true",
        "GITEA_ACTIONS": "true",
        "GITLAB_CI": "true",
        "BUILDKITE": "true",
        "CIRCLECI": "true",
        "TF_BUILD": "True",
    }
)
"""Variables of programs that run jobs, and their values there: each shows colours in a job's log."""
_OFF: Final = frozenset({"0", "false", "no"})
_WITHOUT: Final = frozenset({"dumb", "unknown"})
"""Terminals without colours."""
_CONSOLE: Final = frozenset({"linux"})
"""Terminals whose fonts have a few hundred characters: frames, letters, and hardly any sign."""
_LOCALE: Final = ("LC_ALL", "LC_CTYPE", "LANG")
"""The first one that is set names the encoding."""


class When(StrEnum):
    """What a person says of colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Signs(StrEnum):
    """Which characters frames and signs are made of."""

    UNICODE = "unicode"
    ASCII = "ascii"


class Outlet(Struct, frozen=True, kw_only=True):
    """Where text goes to."""

    terminal: bool = False
    file: bool = False
    """A file on disk, which is never the log of a job."""
    encoding: str = "utf-8"
    columns: int | None = None
    """Cells of a line; None where nobody cuts lines."""


def wants_colours(when: When | None, environ: Mapping[str, str], outlet: Outlet) -> bool:
    """Whether text is coloured; `when` is what the command line or else the settings say, None for nothing.

    `NO_COLOR` (no-color.org) comes before `FORCE_COLOR` and `CLICOLOR_FORCE` (bixense.com/clicolors), as with Python's
    own programs; each of them counts when it is not empty. Then it is up to the terminal. Where there is none,
    the log of a job gets colours if its program is known to show them.
    """
    if when is When.ALWAYS or when is When.NEVER:
        return when is When.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        if said := environ.get(name):
            return said.lower() not in _OFF
    if outlet.terminal:
        return environ.get("CLICOLOR") != "0" and environ.get("TERM", "") not in _WITHOUT
    return not outlet.file and any(environ.get(name) == value for name, value in TAKE_COLOURS.items())


def signs_for(said: Signs | None, environ: Mapping[str, str], outlet: Outlet) -> Signs:
    """Which signs can be shown: those that were asked for, or else those that encoding and font have.

    `PYTHONIOENCODING`, which Python has followed in the encoding already, comes before the locale. Where no locale is
    set, as in many a container, the encoding alone decides: Python then takes UTF-8.
    """
    if said is not None:
        return said
    if not _is_unicode(outlet.encoding):
        return Signs.ASCII
    if outlet.terminal and environ.get("TERM", "") in _CONSOLE:
        return Signs.ASCII
    named = "" if environ.get("PYTHONIOENCODING") else next(filter(None, map(environ.get, _LOCALE)), "")
    return Signs.UNICODE if not named or _is_unicode(named.partition(".")[2].partition("@")[0]) else Signs.ASCII


def _is_unicode(encoding: str) -> bool:
    return encoding.lower().replace("-", "").replace("_", "").startswith("utf")


_WORDS: Final = str.maketrans(
    {
        "✗": "x",
        "✓": "v",
        "→": "->",
        "·": "-",
        "▲": "^",
        "●": "*",
        "…": "...",
        "“": '"',
        "”": '"',
        "\N{EN DASH}": "-",
        "\N{MINUS SIGN}": "-",
        "\N{MULTIPLICATION SIGN}": "x",
        "▸": ">",
    }
)


def in_ascii(text: str) -> str:
    """Text in ASCII alone: a word or a sign of ours for each of our signs, anything else by its number."""
    if text.isascii():
        return text
    return text.translate(_WORDS).encode("ascii", "backslashreplace").decode("ascii")


_CHANNELS: Final = LatePattern(r"rgba?:([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})/([0-9A-Fa-f]{1,4})")
_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)
"""Of red, green and blue in how bright a colour looks (ITU-R BT.709)."""
_DARK_COLOURS: Final = frozenset({*map(str, range(7)), "8"})
"""Of the sixteen, as Vim and rxvt have it."""


def light_background(answer: str, environ: Mapping[str, str]) -> bool | None:
    """Whether a terminal's background is light, by its answer to OSC 11 or `COLORFGBG`; None for unknown."""
    if found := _CHANNELS.search(answer):
        parts = [int(each, 16) / int("f" * len(each), 16) for each in found.groups()]
        return sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)) > 0.5
    last = environ.get("COLORFGBG", "").rpartition(";")[2]
    return last not in _DARK_COLOURS if last.isascii() and last.isdigit() and int(last) < 16 else None

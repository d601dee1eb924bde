"""The `WWW-Authenticate` header: what a server wants before it answers (RFC 9110, section 11.6.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

MAX_LENGTH: Final = 16 * 1024
"""Characters of the header that are looked at."""
MAX_CHALLENGES: Final = 20

_WORD: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_BLANK_OR_COMMA: Final = re.compile(r"[\s,]*")
_SCHEME: Final = re.compile(rf"({_WORD})(?=\s|,|$)")
_PARAMETER: Final = re.compile(rf'\s*({_WORD})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|({_WORD}))\s*(?=,|$)')
_SINGLE: Final = re.compile(r"\s+[A-Za-z0-9._~+/-]+=*\s*(?=,|$)")
_ESCAPED: Final = re.compile(r"\\(.)")


class Challenge(Struct, frozen=True, kw_only=True):
    """One way to authenticate that a server offers."""

    scheme: str
    """In lower case, such as `basic` or `bearer`."""
    parameters: Mapping[str, str]
    """Names in lower case; of one that comes twice the first counts."""


def challenges_in(header: str) -> tuple[Challenge, ...]:
    """The challenges of a header, in its order; several headers joined by commas are one.

    Reading ends where the header can no longer be understood: what came before it counts.
    """
    text = header[:MAX_LENGTH]
    found: list[Challenge] = []
    at = _skip(text, 0)
    while at < len(text) and len(found) < MAX_CHALLENGES:
        match = _SCHEME.match(text, at)
        if match is None:
            break
        parameters, at = _parameters(text, match.end())
        found.append(Challenge(scheme=match[1].lower(), parameters=MappingProxyType(parameters)))
    return tuple(found)


def _parameters(text: str, at: int) -> tuple[dict[str, str], int]:
    """The parameters that follow a scheme, and where the next challenge begins."""
    parameters: dict[str, str] = {}
    if match := _SINGLE.match(text, at):
        return parameters, _skip(text, match.end())
    while match := _PARAMETER.match(text, at):
        value = match[3] if match[2] is None else _ESCAPED.sub(r"\1", match[2])
        parameters.setdefault(match[1].lower(), value)
        at = _skip(text, match.end())
    return parameters, _skip(text, at)


def _skip(text: str, at: int) -> int:
    match = _BLANK_OR_COMMA.match(text, at)
    return at if match is None else match.end()

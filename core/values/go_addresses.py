"""Addresses as the clients take them apart: the rules of go-getter 1.8.6, and of Go's `net/url` beneath it.

They differ from what other readers of URLs do: a fragment ends everything, a query keeps only the pairs that can be
read, and the first value of a name counts.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final

from msgspec import Struct

from lockwarden.core.values.late_patterns import LatePattern

_FORCED: Final = LatePattern(r"([A-Za-z0-9]+)::(.+)", re.DOTALL)
_SCHEME: Final = LatePattern(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL: Final = re.compile("[\0-\x1f\x7f]")
_HOST: Final = LatePattern(
    r"(?:\[[0-9A-Fa-f:.]+(?:%25[\w.~%-]+)?\]|(?:[\w.~!$&'()*+,;=\"<>-]|[^\x00-\x7f]|%(?:25|[89A-Fa-f][0-9A-Fa-f]))*)"
    r"(?::[0-9]*)?"
)
_USER: Final = LatePattern(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*")
_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


class GoUrl(Struct, frozen=True, kw_only=True):
    """A URL as Go reads it. The user information may be a secret."""

    scheme: str
    """Lower case; empty where there is none."""
    user: str | None
    host: str
    """With its port."""
    path: str
    """Decoded; of an opaque URL, what follows the colon."""
    query: tuple[tuple[str, str], ...]
    """The pairs that can be read, decoded, in order."""
    opaque: bool = False
    """Whether no slash follows the scheme."""

    def first(self, name: str) -> str:
        """The first value of a name in the query, or the empty string."""
        return next((value for key, value in self.query if key == name), "")


def forced_getter(text: str) -> tuple[str, str]:
    """The getter before `::`, or the empty string, and the rest."""
    match = _FORCED.fullmatch(text)
    return (match[1], match[2]) if match else ("", text)


def split_subdirectory(text: str) -> tuple[str, str]:
    """The address with its query, and the cleaned path behind the first `//` that is not a scheme's."""
    stop = text.find("?") if "?" in text else len(text)
    begin = text.find("://", 0, stop)
    begin = 0 if begin < 0 else begin + 3
    at = text.find("//", begin, stop)
    if at < 0:
        return text, ""
    path, mark, query = text[at + 2 :].partition("?")
    return f"{text[:at]}{mark}{query}", cleaned(path) if path else ""


def cleaned(path: str) -> str:
    """A path without empty parts and detours, as Go's `path.Clean` makes it."""
    clean = posixpath.normpath(path)
    return clean[1:] if clean.startswith("//") else clean


def read_url(text: str) -> GoUrl | None:
    """The URL; None for what Go refuses to read as one. A text without a scheme can be one, too."""
    text, _, fragment = text.partition("#")
    if _BAD_ESCAPE.search(fragment):
        return None
    if not text or _CONTROL.search(text) or text.startswith(":"):
        return None
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest, _, query = text[match.end() if match else 0 :].partition("?")
    if not rest.startswith("/"):
        if not scheme and ":" in rest.partition("/")[0]:
            return None
        return _url(scheme, None, "", rest, query, opaque=bool(scheme))
    user: str | None = None
    host = ""
    if rest.startswith("//") and (scheme or not rest.startswith("///")):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
        before, at, host = authority.rpartition("@")
        user = before if at else None
        if not _HOST.fullmatch(host) or not _USER.fullmatch(before) or _BAD_ESCAPE.search(before):
            return None
    return _url(scheme, user, host, rest, query)


def _url(scheme: str, user: str | None, host: str, path: str, query: str, *, opaque: bool = False) -> GoUrl | None:
    if not opaque and _BAD_ESCAPE.search(path):
        return None
    pairs = tuple(read_query(query))
    return GoUrl(scheme=scheme, user=user, host=host, path=percent_decoded(path), query=pairs, opaque=opaque)


def read_query(query: str) -> list[tuple[str, str]]:
    """The pairs of a query. One that has a semicolon or an escape sequence that is none is left out, as in Go."""
    pairs = []
    for pair in query.split("&"):
        if pair and ";" not in pair and not _BAD_ESCAPE.search(pair):
            name, _, value = pair.partition("=")
            pairs.append((percent_decoded(name.replace("+", " ")), percent_decoded(value.replace("+", " "))))
    return pairs


def percent_decoded(text: str) -> str:
    """The text with its escape sequences replaced; what is no UTF-8 then is kept as it is, byte by byte.

    HCL can write half a surrogate pair, which is none.
    """
    data = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), text.encode("utf-8", "surrogatepass"))
    return data.decode("utf-8", "surrogateescape")

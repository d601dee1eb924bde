"""What leaves the machine with a bundle: of a URL its host and path, of an error nothing about the machine.

A URL whose query was taken away may stand for several; then a number tells these apart. It is given out in the order of
what they led to, so that it says nothing about the query.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Final
from urllib.parse import parse_qsl

import httpx

from lockwarden.core.values.errors import SourceError, Stage
from lockwarden.core.values.urls import resolved

_LEAST_SECRET: Final = 8
"""Characters of a secret that is looked for: shorter ones are found everywhere."""
_FEW: Final = 32
"""Secrets that are looked for one by one."""
# Servers write what these look at, up to megabytes: each takes time in proportion to that.
_LITERAL: Final = re.compile(r'"(?:[^"\\]|\\[\s\S])*+(?:"|\\?\Z)')
_EMBEDDED: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]{0,62}|[0-9+.-])://[^\s\"'<>\\]+")
_REFERENCE: Final = re.compile(r"(?=[^\s?#]*[./@])[^\s?#]*+(?:[?#]\S*)?\Z")
_USER: Final = re.compile(r"(?<=://)[^/?#@\s]*@")
_SECRET_NAME: Final = re.compile(r"sig|token|secret|pass|key|cred|auth|policy|session|code|jwt", re.IGNORECASE)
_RANDOM: Final = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_SERVERS_WORDS: Final = "; the server says “"
_PATH: Final = re.compile(r"(?<![\w.:/~-])(?:[A-Za-z]:\\|~?/)[\w.~-][^\s“”\"',;()]*")
A_PATH: Final = "(a local path)"


def plain_url(url: str) -> str:
    """A URL in the spelling in which it is asked, without its fragment."""
    try:
        return str(httpx.URL(url).copy_with(fragment=None))
    except (httpx.InvalidURL, UnicodeError):
        return url


def bare(url: str) -> str:
    """Host and path. Of user information it only stays that there was some, since such a URL is refused."""
    head = re.split(r"[?#]", url, maxsplit=1)[0]
    return _USER.sub("user@", head)


def numbered(outcomes: Mapping[str, Hashable]) -> dict[str, str]:
    """The URL under which each is told; those that led to the same have one name. `outcomes` says what each led to."""
    alike: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for url, outcome in outcomes.items():
        alike[bare(url)][repr(outcome)].append(url)
    names: dict[str, str] = {}
    for head, by_outcome in alike.items():
        for number, outcome in enumerate(sorted(by_outcome), start=1):
            name = head if len(by_outcome) == 1 else f"{head}?{number}"
            names |= dict.fromkeys(by_outcome[outcome], name)
    return names


def reduced_body(body: bytes, base: str, names: Mapping[str, str]) -> bytes:
    """A document in which every URL has lost its query; one without URLs stays byte for byte.

    `base` is where it came from, for relative URLs. `names` says by which URL each is told, as `numbered` gives it.
    """
    if b"?" not in body and b"#" not in body and b"@" not in body:
        return body
    text = body.decode("latin-1")
    if text.lstrip("\xef\xbb\xbf \t\r\n")[:1] in {"{", "["}:
        return _LITERAL.sub(lambda found: _reduced_literal(found[0], base, names), text).encode("latin-1")
    return _EMBEDDED.sub(lambda found: names.get(found[0]) or bare(found[0]), text).encode("latin-1")


def _reduced_literal(literal: str, base: str, names: Mapping[str, str]) -> str:
    try:
        value = json.loads(literal.encode("latin-1").decode())
    except ValueError:
        return literal
    reduced = reduced_reference(value, base, names)
    return literal if reduced == value else json.dumps(reduced)


def reduced_reference(value: str, base: str, names: Mapping[str, str]) -> str:
    """A text that may be a URL, or a reference to one, or hold some."""
    if not any(sign in value for sign in "?#@"):
        return value
    if not _REFERENCE.match(value):
        return _EMBEDDED.sub(lambda found: names.get(found[0]) or bare(found[0]), value)
    try:
        known = names.get(resolved(base, value, stage=Stage.METADATA, by_operator=True), "")
    except SourceError:
        known = ""
    head = bare(value)
    _, mark, number = known.partition("?")
    return head + mark + number


def without_places(text: str, roots: Iterable[str]) -> str:
    """An error's words without the paths of this machine.

    `roots` are folders that are certainly of it. Other texts that look like absolute paths go, too. What a server said,
    at the end of the words, stays.
    """
    own, sign, theirs = text.partition(_SERVERS_WORDS)
    for root in sorted({each for each in roots if len(each) > 1}, key=len, reverse=True):
        own = re.sub(r"(?<![\w.-])" + re.escape(root) + r"(?:/[^\s“”\"':;,]*)?", A_PATH, own)
    return _PATH.sub(A_PATH, own) + sign + theirs


def secrets_in(url: str) -> Collection[str]:
    """What of a URL no record may hold: its query, values in that which may be secrets, and its user information.

    Other values stand in names of files and the like, where everybody may read them.
    """
    head, _, rest = url.partition("?")
    query = rest.partition("#")[0]
    user = _USER.search(head)
    names = "" if user is None else user[0].rstrip("@")
    values = (value for name, value in parse_qsl(query) if _SECRET_NAME.search(name) or _looks_random(value))
    found = {query, *values, names, names.partition(":")[2]}
    return {each for each in found if len(each) >= _LEAST_SECRET}


def _looks_random(value: str) -> bool:
    return _RANDOM.fullmatch(value) is not None and all(re.search(kind, value) for kind in ("[0-9]", "[a-z]", "[A-Z]"))


class Secrets:
    """What no record may hold."""

    def __init__(self, texts: Iterable[str]) -> None:
        known = {each.encode("utf-8", "surrogateescape") for each in texts if len(each) >= _LEAST_SECRET}
        self._known = sorted(known)
        self._by_beginning: defaultdict[bytes, list[bytes]] = defaultdict(list)
        for each in self._known:
            self._by_beginning[each[:_LEAST_SECRET]].append(each)

    def stand_in(self, content: bytes) -> bool:
        """Whether one of them stands in it. The time that takes is that of reading it, however many there are."""
        if len(self._known) <= _FEW:
            return any(each in content for each in self._known)
        beginnings = self._by_beginning
        windows = range(len(content) - _LEAST_SECRET + 1)
        return any(
            content.startswith(tuple(beginnings[content[at : at + _LEAST_SECRET]]), at)
            for at in windows
            if content[at : at + _LEAST_SECRET] in beginnings
        )

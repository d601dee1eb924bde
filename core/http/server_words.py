"""What a server says of its own refusal: hostile words, short, without secrets, and always shown as the server's."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec

from lockwarden.core.values.go_addresses import percent_decoded
from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.late_patterns import LatePattern

LONGEST: Final = 300
"""Characters of all words together."""
_NOTHING_MORE: Final = frozenset({"not found", "404 not found", "404", "404 page not found"})
_MOST: Final = 5
_UNMISTAKABLE: Final = 16
"""Characters of a secret; tokens have more."""
_PARTS: Final = ("code", "title", "detail", "message")
WITHHELD: Final = "(words that held the credentials that were sent)"
_USER: Final = LatePattern(r"(?<=://)[^\s/?#@]*@")
_QUERY: Final = LatePattern(r"[?#]\S*=\S*")


class _Refusal(msgspec.Struct):
    errors: Any = None
    error: Any = None
    message: Any = None


def words_in(body: bytes, *, secrets: Collection[str] = (), status: int = 0) -> str:
    """What the `errors` of a JSON body say, or else its `error` or `message`; empty where there is no such thing, or no
    more than the usual words for the `status`.

    Words with one of the `secrets` in them are withheld, and URLs lose their user information and query.
    """
    try:
        read = read_json(body, _Refusal)
    except BodyError:
        return ""
    listed = read.errors if isinstance(read.errors, list) else [read.errors, read.error, read.message]
    told = (" ".join(text.split()) for each in listed[:_MOST] if (text := _text(each)))
    words = "; ".join(dict.fromkeys(told))
    if _repeats(words, status):
        return ""
    if holds(words, secrets):
        return WITHHELD
    words = _QUERY.sub("", _USER.sub("", words))
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"


def _repeats(words: str, status: int) -> bool:
    usual = next((each.phrase for each in HTTPStatus if each == status), "")
    return words.casefold().removeprefix(str(status)).strip(" .:") in {"", usual.casefold()}


def _text(error: Any) -> str:
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return ""
    return ": ".join(text for name in _PARTS if isinstance(text := error.get(name), str) and text)


def holds(text: str, secrets: Collection[str]) -> bool:
    """Whether a text from a server repeats one of some secrets, as it is or as a URL would have it."""
    plain = percent_decoded(text) if "%" in text else text
    return any(secret in text or secret in plain for secret in secrets)


def quoted(words: str) -> str:
    """The words as they follow a sentence about the server; empty where it said nothing."""
    return f"; the server says “{words}”" if words else ""


def beyond_not_found(words: str) -> str:
    """What a server says of a 404 beyond that, which registries say with each of them."""
    return "" if words.casefold().rstrip(".") in _NOTHING_MORE else words


def unmistakable(secrets: Collection[str]) -> frozenset[str]:
    """Those that are too long to stand in a text by chance, as a password that is a word may."""
    return frozenset(secret for secret in secrets if len(secret) >= _UNMISTAKABLE)


def secrets_of(headers: Mapping[str, str]) -> frozenset[str]:
    """What of a request's headers no answer to it may repeat: the credentials, and the password in them."""
    given = (value for name, value in headers.items() if name.lower() == "authorization")
    return frozenset(secret for value in given for secret in _secrets(value) if secret)


def _secrets(authorization: str) -> Iterator[str]:
    scheme, _, credentials = authorization.partition(" ")
    yield credentials
    if scheme.lower() == "basic":
        try:
            yield base64.b64decode(credentials).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return

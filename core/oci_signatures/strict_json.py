"""JSON in which evidence is written, read so that nobody else can read it otherwise.

Where two readers could differ, the document is refused: names that come twice, text that is no UTF-8, numbers that are
none, anything behind the end. `core/values/go_json.py` reads what the clients read, the way they do; this here is ours
to judge.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 32
"""Objects and lists within each other."""
MAX_VALUES: Final = 20_000
"""Commas and opening brackets, roughly one a value."""
_STANDARD: Final = re.compile(r"[A-Za-z0-9+/]*={0,2}")


class EvidenceError(ValueError):
    """The evidence is malformed; the message is the end of a sentence that starts “it …”."""


def read_object(data: bytes) -> dict[str, Any]:
    """The one JSON object that the bytes are. Raises EvidenceError."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EvidenceError("is not UTF-8") from error
    if sum(text.count(each) for each in ",[{") > MAX_VALUES:
        raise EvidenceError(f"has more than {MAX_VALUES} values")
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except EvidenceError:
        raise
    except RecursionError as error:
        raise EvidenceError("is JSON that is nested too deep") from error
    except ValueError as error:
        raise EvidenceError("is not JSON, or not all of it") from error
    if not isinstance(value, dict):
        raise EvidenceError("is no JSON object")
    _check_depth(value)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise EvidenceError("has a name twice in one JSON object")
    return members


def _no_number(name: str) -> NoReturn:
    raise EvidenceError(f"has {name} in place of a number")


def _check_depth(value: Any, depth: int = 1) -> None:
    if depth > MAX_DEPTH:
        raise EvidenceError("is JSON that is nested too deep")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(each, depth + 1)


def member(holder: dict[str, Any], name: str) -> Any:
    """A member of an object, its name written in whatever case, as Go reads it; None when there is none.

    Raises EvidenceError when two names differ in nothing but case.
    """
    found = [value for written, value in holder.items() if written.lower() == name]
    if len(found) > 1:
        raise EvidenceError(f"has “{name}” in two spellings")
    return found[0] if found else None


def object_in(holder: dict[str, Any], name: str) -> dict[str, Any]:
    """A member that has to be an object. Raises EvidenceError."""
    value = member(holder, name)
    if not isinstance(value, dict):
        raise EvidenceError(f"has no object “{name}”")
    return value


def standard_base64(text: Any, what: str) -> bytes:
    """Bytes that are written in standard base64, padded. Raises EvidenceError."""
    if isinstance(text, str) and _STANDARD.fullmatch(text):
        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error:
            pass
    raise EvidenceError(f"has a {what} that is no standard base64")


def any_base64(text: Any, what: str) -> bytes:
    """Bytes that are written in standard or URL-safe base64, with or without its padding. Raises EvidenceError.

    That is what a bundle's format (the JSON form of protobuf) and DSSE allow.
    """
    if isinstance(text, str) and text.isascii():
        plain = text.translate({ord("-"): "+", ord("_"): "/"})
        bare = plain.rstrip("=")
        padded = bare + "=" * (-len(bare) % 4)
        if _STANDARD.fullmatch(padded) and plain in {bare, padded}:
            return base64.b64decode(padded, validate=True)
    raise EvidenceError(f"has a {what} that is no base64")

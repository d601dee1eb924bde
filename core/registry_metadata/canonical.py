"""The form in which the registry's own tools write a metadata file (Go's encoding/json, two spaces, no line end)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

_ESCAPED: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that stand in strings alone, so that they can be replaced anywhere."""
FILE_KEYS: Final = ("repository", "versions", "versions_errors", "warnings")
VERSION_KEYS: Final = (
    "version",
    "protocols",
    "shasums_url",
    "shasums_signature_url",
    "targets",
    "discovered",
)
TARGET_KEYS: Final = ("os", "arch", "filename", "download_url", "shasum", "h1", "size")
ERROR_KEYS: Final = ("version", "message", "utc_time")


def is_canonical(data: bytes) -> bool:
    """Whether the registry's tools would write just these bytes for what the file says. Its keys keep their order."""
    try:
        text = msgspec.json.format(msgspec.json.encode(msgspec.json.decode(data)), indent=2).decode("utf-8")
    except (msgspec.MsgspecError, UnicodeError, OverflowError, RecursionError):
        return False
    for char, escape in _ESCAPED.items():
        text = text.replace(char, escape)
    return text.encode("utf-8") == data


def odd_keys(data: bytes) -> tuple[str, ...]:
    """What is odd about the keys of a file that can be read: unknown ones, and objects in another order."""
    return tuple(dict.fromkeys(_odd_keys(msgspec.json.decode(data))))


def _odd_keys(document: Any) -> Iterator[str]:
    yield from _odd(document, FILE_KEYS, "the file")
    for version in _list(document.get("versions")):
        yield from _odd(version, VERSION_KEYS, "a version")
        for target in _list(version.get("targets")):
            yield from _odd(target, TARGET_KEYS, "a target")
    for error in _list(document.get("versions_errors")):
        yield from _odd(error, ERROR_KEYS, "an error of a version")


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _odd(value: Mapping[str, Any], known: Sequence[str], what: str) -> Iterator[str]:
    names = list(value)
    for name in names:
        if name not in known:
            why = (
                "in another case than the registry's"
                if name.casefold() in known
                else "which the registry does not know"
            )
            yield f"{what} has a key “{name[:80]}”, {why}"
    ordered = [name for name in names if name in known]
    if ordered != sorted(ordered, key=known.index):
        yield f"{what} has its keys in another order than the registry writes"

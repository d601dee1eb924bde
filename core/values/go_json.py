"""JSON answers of registries and mirrors, read the way the clients (Go's encoding/json) read them.

Property names match in any case, unknown properties are ignored, `null` leaves a property as it is, a property that
comes twice adds to an object and replaces anything else, and only the first JSON value of the body counts, unless
the clients read that document as a whole. Text that
is not UTF-8 is replaced, never refused. A value of the wrong type is an error, with its path in the document.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from functools import cache
from threading import Lock
from typing import Any, Final, NoReturn, TypeVar, cast

import msgspec
from msgspec import inspect

_BLANKS: Final = " \t\r\n"
MAX_VALUES: Final = 500_000
"""Values in a body, roughly: commas and opening brackets, also those in texts. A value needs some hundred bytes of
memory, however small it is written. The longest honest lists, of the versions of a provider, have some ten thousand."""
_ONE_AT_A_TIME: Final = Lock()
"""msgspec crashes where two threads are the first to read into the same types."""
_T = TypeVar("_T")


class BodyError(ValueError):
    """The body cannot be used as the answer it should be; the message is the end of a sentence that starts “it …”."""


class _Members(tuple[tuple[str, Any], ...]):
    """The members of a JSON object in their order, those that come twice included."""

    __slots__ = ()


def read_json(body: bytes, into: type[_T], *, whole: bool = False) -> _T:
    """Read the first JSON value of `body` as a msgspec Struct (or any type that msgspec can check).

    `whole` is for what the clients read by `json.Unmarshal` and not by a decoder: nothing may follow that value.
    Raises BodyError. That a body can be read says nothing about the truth of it.
    """
    try:
        shaped = _shaped(_first_value(body, whole=whole), _type_info(cast("Hashable", into)))
        with _ONE_AT_A_TIME:
            return msgspec.convert(shaped, into)
    except msgspec.ValidationError as error:
        raise BodyError(f"is not the JSON that was expected: {error}") from error
    except RecursionError as error:
        raise BodyError("is JSON that is nested too deep") from error


@cache
def _type_info(into: type[object]) -> inspect.Type:
    return inspect.type_info(into)


def looks_like_html(body: bytes) -> bool:
    """Whether the body is a web page, such as the log-in page of a proxy, rather than data."""
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<script", b"<title"))


def _first_value(body: bytes, *, whole: bool) -> Any:
    text = body.decode(errors="replace")
    start = len(text) - len(text.lstrip(_BLANKS))
    if start == len(text):
        raise BodyError("is empty")
    if looks_like_html(body):
        raise BodyError("is a web page (HTML), not JSON")
    values = body.count(b",") + body.count(b"[") + body.count(b"{")
    if values > MAX_VALUES:
        raise BodyError(f"has about {values} values; the limit is {MAX_VALUES}")
    decoder = json.JSONDecoder(object_pairs_hook=_Members, parse_constant=_refuse_constant)
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise BodyError(f"is not JSON, or not all of it: {error.msg} at {where}") from error
    except ValueError as error:  # a number with more digits than Python converts, or a constant refused below
        raise BodyError(f"is not JSON that can be used: {error}") from error
    if whole and text[end:].strip(_BLANKS):
        raise BodyError("has something behind the end of its JSON value")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _shaped(value: Any, expected: inspect.Type) -> Any:
    """The value with names, repeated members and nulls settled for the expected type; wrong types pass through."""
    match expected:
        case inspect.UnionType(types=types):
            return _plain(value) if value is None else _shaped(value, _first_real(types))
        case inspect.StructType():
            return _struct(value, expected) if isinstance(value, _Members | None) else _plain(value)
        case inspect.DictType(value_type=inner):
            if isinstance(value, _Members | None):
                return {_text(name): _shaped(each, inner) for name, each in value or ()}
            return _plain(value)
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner):
            return [_shaped(each, inner) for each in value or ()] if isinstance(value, list | None) else _plain(value)
        case inspect.StrType() if value is None:
            return ""
        case _:
            return _plain(value)


def _first_real(types: tuple[inspect.Type, ...]) -> inspect.Type:
    return next(each for each in types if not isinstance(each, inspect.NoneType))


def _struct(value: _Members | None, expected: inspect.StructType) -> dict[str, Any]:
    fields = {field.encode_name: field.type for field in expected.fields}
    folded = {_folded(name): name for name in fields}
    members: dict[str, Any] = {}
    for written, each in value or ():
        name = written if written in fields else folded.get(_folded(written))
        if name is None or each is None:
            continue
        earlier = members.get(name)
        if isinstance(earlier, _Members) and isinstance(each, _Members):
            members[name] = _Members((*earlier, *each))
        else:
            members[name] = each
    return {name: _shaped(each, fields[name]) for name, each in members.items()}


def _folded(name: str) -> str:
    folded = name.casefold()
    return folded if len(folded) == len(name) else name


def _plain(value: Any) -> Any:
    match value:
        case _Members():
            return {_text(name): _plain(each) for name, each in value}
        case list():
            return [_plain(each) for each in value]
        case str():
            return _text(value)
        case _:
            return value


def _text(value: str) -> str:
    """The text without lone halves of surrogate pairs, which JSON can escape and no encoding can write."""
    if value.isascii():
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

"""JSON answers of registries and mirrors, read the way the clients (Go's encoding/json) read them.

Property names match in any case, unknown properties are ignored, `null` leaves a text or a number as it is and empties
anything else, and only the first JSON value of the body counts, unless the clients read that document as a whole. A
property that comes twice adds to an object, is read over a list element by element, and replaces anything else. Text
that is not UTF-8 is replaced, never refused. A value of the wrong type is an error, with its path in the document.
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
_UNSET_BY_NULL: Final = (inspect.UnionType, inspect.ListType, inspect.VarTupleType, inspect.DictType, inspect.AnyType)
"""Types of members that `null` sets back to nothing: what are pointers, slices, maps and interfaces to the clients."""
_ONE_AT_A_TIME: Final = Lock()
"""msgspec crashes where two threads are the first to read into the same types."""
_T = TypeVar("_T")


class BodyError(ValueError):
    """The body cannot be used as the answer it should be; the message is the end of a sentence that starts “it …”."""


class BodyLimitError(BodyError):
    """The body passes a limit of this reader. It says nothing of what the clients make of it."""


class _Members(tuple[tuple[str, Any], ...]):
    """The members of a JSON object in their order, those that come twice included."""

    __slots__ = ()


def read_json(body: bytes, into: type[_T], *, whole: bool = False) -> _T:
    """Read the first JSON value of `body` as a msgspec Struct (or any type that msgspec can check).

    `whole` is for what the clients read by `json.Unmarshal` and not by a decoder: nothing may follow that value.
    Raises BodyError. That a body can be read says nothing about the truth of it.
    """
    shaping = _Shaping()
    try:
        shaped = shaping.shaped(_first_value(body, whole=whole), _type_info(cast("Hashable", into)))
        with _ONE_AT_A_TIME:
            read = msgspec.convert(shaped, into)
    except msgspec.ValidationError as error:
        raise BodyError(f"is not the JSON that was expected: {error}") from error
    except RecursionError as error:
        raise BodyLimitError("is JSON that is nested too deep") from error
    if shaping.wrong:
        raise BodyError("is not the JSON that was expected: what comes twice is of a wrong type the first time")
    return read


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
        raise BodyLimitError(f"has about {values} values; the limit is {MAX_VALUES}")
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


class _Array(list[Any]):
    """A list as it was read so far. Go reads a list that comes again over the one before it, element by element."""

    def __init__(self) -> None:
        super().__init__()
        self.behind: list[Any] = []
        """Elements of longer lists before this one, the next one last: a longer list after it is read over them."""


class _Nothing:
    """In place of what was read before, where nothing was."""


_NOTHING: Final = _Nothing()
_OF_JSON: Final[tuple[tuple[type[inspect.Type], tuple[type, ...]], ...]] = (
    (inspect.StrType, (str,)),
    (inspect.BoolType, (bool,)),
    (inspect.IntType, (int,)),
    (inspect.FloatType, (int, float)),
)
"""Expected types, and those that the reader of JSON has for them."""


class _Shaping:
    """Settles names, repeated members and nulls of one body for the expected types; wrong types pass through."""

    def __init__(self) -> None:
        self.wrong = False
        """Whether anything was of a wrong type. Then the clients refuse the body, whatever comes over it later."""

    def shaped(self, value: Any, expected: inspect.Type, before: Any = _NOTHING) -> Any:
        """The value; `before` is what the same member was when it came before, and is changed."""
        match expected:
            case inspect.UnionType(types=types):
                return None if value is None else self.shaped(value, _first_real(types), before)
            case inspect.StructType():
                return self._struct(value, expected.cls, before)
            case inspect.DictType(value_type=inner):
                return self._dictionary(value, inner, before)
            case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner):
                return self._list(value, inner, before)
            case inspect.StrType() if isinstance(value, str):
                return _text(value)
            case inspect.StrType() if value is None:
                return before if isinstance(before, str) else ""
            case _:
                self.wrong |= any(isinstance(expected, kind) and type(value) not in read for kind, read in _OF_JSON)
                return _plain(value)

    def _struct(self, value: Any, cls: type, before: Any) -> Any:
        if not isinstance(value, _Members | None):
            return self._wrong(value)
        fields, folded = _fields(cls)
        members: dict[str, Any] = before if isinstance(before, dict) else {}
        for written, each in value or ():
            name = written if written in fields else folded.get(_folded(written))
            if name is None:
                continue
            if each is not None:
                members[name] = self.shaped(each, fields[name], members.get(name, _NOTHING))
            elif isinstance(fields[name], _UNSET_BY_NULL):
                members.pop(name, None)
        return members

    def _dictionary(self, value: Any, inner: inspect.Type, before: Any) -> Any:
        if not isinstance(value, _Members | None):
            return self._wrong(value)
        members: dict[str, Any] = before if isinstance(before, dict) else {}
        members.update((_text(name), self.shaped(each, inner)) for name, each in value or ())
        return members

    def _list(self, value: Any, inner: inspect.Type, before: Any) -> Any:
        if not isinstance(value, list | None):
            return self._wrong(value)
        array = before if value and isinstance(before, _Array) else _Array()
        for index, each in enumerate(value or ()):
            if index < len(array):
                array[index] = self.shaped(each, inner, array[index])
            else:
                array.append(self.shaped(each, inner, array.behind.pop() if array.behind else _NOTHING))
        while len(array) > len(value or ()):
            array.behind.append(array.pop())
        return array

    def _wrong(self, value: Any) -> Any:
        self.wrong = True
        return _plain(value)


def _first_real(types: tuple[inspect.Type, ...]) -> inspect.Type:
    return next(each for each in types if not isinstance(each, inspect.NoneType))


@cache
def _fields(cls: type) -> tuple[dict[str, inspect.Type], dict[str, str]]:
    """The types of a struct's members by their names, and those names by what is compared."""
    described = cast("inspect.StructType", _type_info(cls))
    fields = {each.encode_name: each.type for each in described.fields}
    return fields, {_folded(name): name for name in fields}


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

"""Reads a configuration in JSON: the same shape as native syntax, as far as it says what is required.

In JSON only the place tells a block from an attribute. A name may stand in an object several times, and counts each
time. That is how HCL reads it; other readers of JSON take one of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lockwarden.core.configuration.syntax import (
    COMPUTED,
    Attribute,
    Block,
    Body,
    Span,
    Table,
    Text,
    UnreadableProblem,
    Value,
)

_LABELS: Final[Mapping[str, Mapping[str, int]]] = {
    "": {
        "terraform": 0,
        "provider": 1,
        "mock_provider": 1,
        "resource": 2,
        "data": 2,
        "ephemeral": 2,
        "action": 2,
        "list": 2,
        "module": 1,
        "import": 0,
        "check": 1,
        "run": 1,
    },
    "terraform": {"required_providers": 0},
    "check": {"data": 2},
    "run": {"module": 0},
}
"""How many labels the blocks have that say what is required, by the block that they stand in."""


_MARK: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"(?P<colon>\s*:)?|[{}\n]')


class _Object(list[tuple[str, Any]]):
    """A JSON object with all its names in order, and for each its line and where its value stands, if it is a text."""

    places: tuple[tuple[int, Span | None], ...] = ()


def read_json(text: str) -> Body:
    """The top of a file. Raises UnreadableProblem."""
    places = iter(_places(text))

    def object_of(pairs: list[tuple[str, Any]]) -> _Object:
        found = _Object(pairs)
        found.places = next(places, ())
        return found

    try:
        found = json.loads(text, object_pairs_hook=object_of)
    except ValueError as error:
        raise UnreadableProblem("it is not JSON", line=getattr(error, "lineno", 0)) from error
    except RecursionError as error:
        raise UnreadableProblem("it is nested too deeply") from error
    return _body(found, "")


def _places(text: str) -> list[tuple[tuple[int, Span | None], ...]]:
    """The places of the names of every object, in the order in which objects end, which is that of the reader."""
    line = 1
    behind = -1
    """Where the last name's colon ends."""
    open_: list[list[tuple[int, Span | None]]] = []
    closed: list[tuple[tuple[int, Span | None], ...]] = []
    for match in _MARK.finditer(text):
        if match["colon"] and open_:
            open_[-1].append((line, None))
            behind = match.end()
        elif match[0] == "{":
            open_.append([])
        elif match[0] == "}" and open_:
            closed.append(tuple(open_.pop()))
        elif open_ and open_[-1] and not text[behind : match.start()].strip() and match[0] != "\n":
            open_[-1][-1] = (open_[-1][-1][0], match.span())
        line += match[0].count("\n")
    return closed


def _body(value: object, inside: str) -> Body:
    attributes: list[Attribute] = []
    blocks: list[Block] = []
    for name, each, (line, span) in _pairs(value):
        labels = _LABELS.get(inside, {}).get(name)
        if labels is None:
            constant = _constant(each)
            attributes.append(Attribute(name, constant, line, span if isinstance(constant, Text) else None))
        else:
            blocks += _blocks(name, each, labels, (), line)
    return Body(tuple(attributes), tuple(blocks))


def _blocks(type_: str, value: object, missing: int, labels: tuple[str, ...], line: int) -> Iterator[Block]:
    if missing:
        for name, each, (at, _) in _pairs(value):
            if name != "//":
                yield from _blocks(type_, each, missing - 1, (*labels, name), at)
        return
    for each in value if isinstance(value, list) and not isinstance(value, _Object) else [value]:
        if each is not None:
            yield Block(type_, labels, _body(each, type_), line)


def _pairs(value: object) -> Iterator[tuple[str, object, tuple[int, Span | None]]]:
    """The names of an object, or of all objects in a list, with their places."""
    if isinstance(value, _Object):
        yield from _named(value)
    elif isinstance(value, list):
        for each in value:
            if not isinstance(each, _Object):
                raise UnreadableProblem("there is something else where an object should be")
            yield from _named(each)
    elif value is not None:
        raise UnreadableProblem("there is something else where an object should be")


def _named(value: _Object) -> Iterator[tuple[str, object, tuple[int, Span | None]]]:
    for (name, each), place in zip(value, value.places, strict=True):
        yield name, each, place


def _constant(value: object) -> Value:
    if isinstance(value, str):
        return COMPUTED if "${" in value or "%{" in value else Text(value)
    if isinstance(value, _Object):
        return Table(tuple((name, _constant(each)) for name, each in value))
    return COMPUTED

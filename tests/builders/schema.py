"""Checks a value against the part of JSON Schema that this project's schemas use; anything else in one is an error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"

_Place = tuple[()] | tuple[Any, str | int]
"""The place above and the last step from there."""
_TYPES: Mapping[str, type] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "array": list,
    "object": dict,
}
_KNOWN = {
    "$schema",
    "$defs",
    "title",
    "description",
    "type",
    "required",
    "properties",
    "items",
    "enum",
    "const",
    "oneOf",
}
_KNOWN |= {"pattern", "$ref"}


@cache
def published(name: str) -> Any:
    """The published schema of a kind of document, such as `report`."""
    return json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8"))


@lru_cache(maxsize=4)
def undescribed(text: str) -> tuple[str, ...]:
    """Where a document of ours differs from its published schema; other JSON has none."""
    document = json.loads(text)
    name = re.fullmatch(r"lockwarden\.(\w+)/1", document.get("schema", ""))
    return () if name is None else tuple(violations(document, published(name[1])))


def violations(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any] | None = None, at: _Place = ()
) -> Iterator[str]:
    """Where the value differs from the schema. A member that the schema does not describe counts as a difference."""
    root = schema if root is None else root
    if not _KNOWN.issuperset(schema):
        yield f"{_path(at)}: the schema has {set(schema) - _KNOWN}, which is not checked here"
    if "$ref" in schema:
        yield from violations(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
        return
    if "oneOf" in schema:
        fits = [each for each in schema["oneOf"] if not any(violations(value, each, root, at))]
        if len(fits) != 1:
            yield f"{_path(at)}: {value!r} fits {len(fits)} of the alternatives"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{_path(at)}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{_path(at)}: {value!r} is none of {schema['enum']}"
    if "type" in schema:
        yield from _of_type(value, schema, root, at)


def _of_type(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: _Place) -> Iterator[str]:
    names = (schema["type"],) if isinstance(schema["type"], str) else schema["type"]
    if type(value) not in [_TYPES[name] for name in names]:
        yield f"{_path(at)}: {value!r} is no {' or '.join(names)}"
        return
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{_path(at)}: {value!r} does not match {schema['pattern']}"
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from violations(item, schema["items"], root, (at, place))
    if isinstance(value, dict):
        described = schema["properties"]
        for name in schema["required"]:
            if name not in value:
                yield f"{_path(at)}: {name} is missing"
        for name, member in value.items():
            if name not in described:
                yield f"{_path(at)}: {name} is not described"
            else:
                yield from violations(member, described[name], root, (at, name))


def _path(at: _Place) -> str:
    """A place in words, which few of the many places are asked for."""
    if not at:
        return "$"
    above, last = at
    return f"{_path(above)}{f'[{last}]' if isinstance(last, int) else f'.{last}'}"

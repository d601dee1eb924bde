"""Makes the schemas of the JSON reports, docs/*.schema.json, from the structs that the reports are made of.

schemas.py FOLDER   write them there

A struct is an object whose description is its docstring; that of a member is the string below the field. An object may
have further members: new ones come without a new version.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from msgspec import NODEFAULT, Struct
from msgspec import inspect as types

from lockwarden.cli.config_json import ConfigJson
from lockwarden.core.reports.json_explanation import ExplanationJson
from lockwarden.core.reports.json_keys import KeysJson
from lockwarden.core.reports.json_modules import ModulesJson
from lockwarden.core.reports.json_provider_diff import ProviderDiffJson
from lockwarden.core.reports.json_registries import RegistriesJson
from lockwarden.core.reports.json_report import ReportJson
from lockwarden.core.reports.json_resolution import ResolutionJson
from lockwarden.core.reports.organisation.json_report import OrganisationJson

Schema = dict[str, Any]
ROOTS: Final[dict[str, type[Struct]]] = {
    "config.schema.json": ConfigJson,
    "explanation.schema.json": ExplanationJson,
    "keys.schema.json": KeysJson,
    "modules.schema.json": ModulesJson,
    "package-diff.schema.json": ProviderDiffJson,
    "registries.schema.json": RegistriesJson,
    "organisation.schema.json": OrganisationJson,
    "report.schema.json": ReportJson,
    "resolution.schema.json": ResolutionJson,
}
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Final[dict[type[types.Type], str]] = {
    types.NoneType: "null",
    types.BoolType: "boolean",
    types.IntType: "integer",
    types.StrType: "string",
}
_WIDTH: Final = 120


def schemas() -> dict[str, str]:
    """The text of each schema by the name of its file."""
    return {name: f"{_text(_document(root))}\n" for name, root in ROOTS.items()}


def main(folder: Path) -> None:
    """Write them into a folder."""
    for name, text in schemas().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _document(root: type[Struct]) -> Schema:
    objects: dict[str, type[Struct]] = {}
    schema = _object(root, objects)
    definitions: Schema = {}
    while waiting := sorted(set(objects) - set(definitions)):
        for name in waiting:
            definitions[name] = _object(objects[name], objects)
    title = schema["properties"]["schema"]["const"]
    return {"$schema": _DIALECT, "title": title} | schema | {"$defs": dict(sorted(definitions.items()))}


def _object(struct: type[Struct], objects: dict[str, type[Struct]]) -> Schema:
    """One struct. What it refers to is put among `objects`, by name."""
    found: Any = types.type_info(struct)
    told = dict(_member_descriptions(struct))
    members = {field.encode_name: _schema(field.type, objects) | told.get(field.name, {}) for field in found.fields}
    if found.tag_field is not None:
        members = {found.tag_field: {"const": found.tag}} | members
    optional = {each.encode_name for each in found.fields if not each.required and each.default is NODEFAULT}
    return {
        "type": "object",
        "description": _one_line(struct.__doc__ or ""),
        "required": [name for name in members if name not in optional],
        "properties": members,
    }


def _schema(found: types.Type, objects: dict[str, type[Struct]]) -> Schema:
    match found:
        case types.Metadata():
            return _schema(found.type, objects) | (found.extra_json_schema or {})
        case types.StructType():
            name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", found.cls.__name__.removesuffix("Json")).lower()
            if objects.setdefault(name, found.cls) is not found.cls:
                raise ValueError(f"two structs would be called {name}")
            return {"$ref": f"#/$defs/{name}"}
        case types.EnumType():
            return {"enum": [each.value for each in found.cls]}
        case types.LiteralType(values=(value,)):
            return {"const": value}
        case types.ListType():
            return {"type": "array", "items": _schema(found.item_type, objects)}
        case types.UnionType():
            return _union([_schema(each, objects) for each in found.types])
        case types.StrType(pattern=str() as pattern):
            return {"type": "string", "pattern": pattern}
        case _:
            return {"type": _SIMPLE[type(found)]}


def _union(parts: list[Schema]) -> Schema:
    """One of several types: a list of names where that says it, `null` among the values of an enumeration, else all."""
    merged: Schema = {}
    for part in parts:
        merged |= part
    if all(part.keys() <= {"type", "items", "pattern", "description"} for part in parts):
        return merged | {"type": [part["type"] for part in parts]}
    if "enum" in merged and len(parts) == 2 and {"type": "null"} in parts:
        del merged["type"]
        return merged | {"enum": [*merged["enum"], None]}
    return {"oneOf": parts}


def _member_descriptions(struct: type[Struct]) -> Iterator[tuple[str, Schema]]:
    """The strings below the fields of a struct and of what it extends."""
    for each in struct.__mro__:
        if not issubclass(each, Struct) or each is Struct:
            continue
        found: Any = ast.parse(textwrap.dedent(inspect.getsource(each))).body[0]
        for field, below in pairwise(found.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    yield name, {"description": _one_line(text)}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _text(value: Any, indent: str = "", lead: int = 0) -> str:
    """JSON with as much on a line as there is room for; `lead` characters stand before it, and a comma may follow."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or lead + len(line) < _WIDTH:
        return line
    inner = f"{indent}  "
    if isinstance(value, list):
        parts = [f"{inner}{_text(each, inner, len(inner))}" for each in value]
    else:
        names = [f"{inner}{json.dumps(name)}: " for name in value]
        parts = [f"{name}{_text(each, inner, len(name))}" for name, each in zip(names, value.values(), strict=True)]
    opened, closed = "[]" if isinstance(value, list) else "{}"
    return "\n".join([opened, ",\n".join(parts), f"{indent}{closed}"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

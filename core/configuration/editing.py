"""Puts other texts into a configuration file, in place; all else stays byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping

from lockwarden.core.configuration.json_form import read_json
from lockwarden.core.configuration.native import read_native
from lockwarden.core.configuration.syntax import Attribute, Block, Body, Span, Text, UnreadableProblem
from lockwarden.core.hcl.writing import quoted
from lockwarden.core.values.errors import OwnFileEditError


def read_body(text: str, *, in_json: bool) -> Body:
    """What a file says in one form or the other. Raises UnreadableProblem."""
    return read_json(text) if in_json else read_native(text)


def with_texts(text: str, texts: Mapping[Span, str], *, in_json: bool) -> str:
    """The text of the file with other values for some of its constant texts; all else stays byte for byte.

    The result is read again, and has to say the same as before, but for these. Raises OwnFileEditError when it would
    not, and where no constant text stands at such a place. Raises UnreadableProblem for a file that cannot be read.
    """
    before = read_body(text, in_json=in_json)
    edited = spliced(text, {span: _written(each, in_json=in_json) for span, each in texts.items()})
    done: set[Span] = set()
    wanted = _with(before, texts, done)
    if done != texts.keys():
        raise OwnFileEditError("no text stands where another should be written", hint="read it again")
    try:
        after = read_body(edited, in_json=in_json)
    except UnreadableProblem as problem:
        raise OwnFileEditError(f"the file could not be read any more: {problem}") from problem
    if after != wanted:
        raise OwnFileEditError("the file would not say exactly what it should")
    return edited


def spliced(text: str, pieces: Mapping[Span, str]) -> str:
    """The text with pieces in place of others, which do not overlap."""
    found, at = [], 0
    for (begin, end), piece in sorted(pieces.items()):
        found += [text[at:begin], piece]
        at = end
    return "".join([*found, text[at:]])


def _written(value: str, *, in_json: bool) -> str:
    return json.dumps(value, ensure_ascii=not value.isprintable()) if in_json else quoted(value)


def _with(body: Body, texts: Mapping[Span, str], done: set[Span]) -> Body:
    return Body(
        tuple(_attribute(each, texts, done) for each in body.attributes),
        tuple(Block(each.type, each.labels, _with(each.body, texts, done), each.line) for each in body.blocks),
    )


def _attribute(attribute: Attribute, texts: Mapping[Span, str], done: set[Span]) -> Attribute:
    if attribute.span is None or attribute.span not in texts:
        return attribute
    done.add(attribute.span)
    return Attribute(attribute.name, Text(texts[attribute.span]), attribute.line, attribute.span)

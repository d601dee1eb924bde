"""Reads the JSON form of a CLI configuration into the same items as HCL 1.

JSON cannot tell labels of a block from names in it. As in the clients, an object that holds nothing but objects is
read as labels, and a list of objects as the block repeated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from lockwarden.core.hcl.grammar import MAX_DEPTH, too_deep
from lockwarden.core.hcl.syntax import HclBody, HclItem, HclList, Literal, LiteralKind, SyntaxProblem, Value
from lockwarden.core.hcl.words import MAX_WORDS
from lockwarden.core.values.late_patterns import LatePattern

_TOKEN: Final = LatePattern(
    r"""[ \t\r\n]*+(?:
        (?P<text>"(?:[^"\\\x00-\x1f]|\\.)*+")
      | (?P<float>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))
      | (?P<number>-?(?:0|[1-9][0-9]*))
      | (?P<word>true|false|null)
      | (?P<mark>[{}\[\],:])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_FORM: Final = "the first character makes it JSON; write strict JSON, without comments and without a comma at the end"


_SHOWN: Final = {
    "text": "a text",
    "number": "a number",
    "float": "a number",
    "word": "true, false or null",
    "end": "the end of the file",
}
"""Tokens for a message. A text may be a secret."""


class _Token(NamedTuple):
    kind: str
    source: str
    line: int


def read_json_form(text: str) -> tuple[HclItem, ...]:
    """The items at the top of a JSON object. Raises SyntaxProblem at the first mistake."""
    reader = _Reader(text)
    body = reader.body(depth=0)
    reader.expect_end()
    return _as_blocks(body).items


class _Reader:
    """A place in the text that moves from token to token."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line = 1
        self._words = 0
        self._token = self._next()

    def body(self, *, depth: int) -> HclBody:
        """The object that begins here."""
        line = self._token.line
        self._enter("{", depth)
        items: list[HclItem] = []
        while not self._at("}"):
            if items:
                self._take(",")
            items.append(self._member(depth))
        self._advance()
        return HclBody(tuple(items), line)

    def expect_end(self) -> None:
        """Refuse whatever follows."""
        if self._token.kind != "end":
            raise self._unexpected("the end of the file")

    def _member(self, depth: int) -> HclItem:
        token = self._token
        if token.kind != "text":
            raise self._unexpected("a name in quotation marks")
        name = self._text_of(token)
        self._advance()
        self._take(":")
        return HclItem((name,), self._value(depth + 1), token.line, assigned=False)

    def _value(self, depth: int) -> Value:
        if self._at("{"):
            return self.body(depth=depth)
        if self._at("["):
            return self._list(depth)
        token = self._token
        match token.kind:
            case "text":
                literal = Literal(LiteralKind.TEXT, self._text_of(token), token.line)
            case "number":
                literal = Literal(LiteralKind.NUMBER, token.source, token.line)
            case "float":
                literal = Literal(LiteralKind.FLOAT, token.source, token.line)
            case "word" if token.source == "null":
                literal = Literal(LiteralKind.TEXT, "", token.line)
            case "word":
                literal = Literal(LiteralKind.BOOL, token.source, token.line)
            case _:
                raise self._unexpected("a value")
        self._advance()
        return literal

    def _list(self, depth: int) -> HclList:
        line = self._token.line
        self._enter("[", depth)
        elements: list[Value] = []
        while not self._at("]"):
            if elements:
                self._take(",")
            elements.append(self._element(depth + 1))
        self._advance()
        return HclList(tuple(elements), line)

    def _element(self, depth: int) -> Value:
        """An element of a list: a text, a number or an object, since the clients lose anything else."""
        token = self._token
        if self._at("[") or token.kind == "word":
            what = "a list" if self._at("[") else _SHOWN["word"]
            raise SyntaxProblem(token.line, f"{what} in a list is nothing that the clients can read")
        return self._value(depth)

    def _text_of(self, token: _Token) -> str:
        try:
            value: str = json.loads(token.source)
        except ValueError as error:
            raise SyntaxProblem(token.line, "there is no such escape sequence in a text") from error
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _enter(self, mark: str, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise too_deep(self._token.line)
        self._take(mark)

    def _take(self, mark: str) -> None:
        if not self._at(mark):
            raise self._unexpected(f"“{mark}”")
        self._advance()

    def _at(self, mark: str) -> bool:
        return self._token.kind == "mark" and self._token.source == mark

    def _advance(self) -> None:
        self._token = self._next()

    def _next(self) -> _Token:
        self._words += 1
        if self._words > MAX_WORDS:
            raise SyntaxProblem(self._line, f"it has more than {MAX_WORDS} words")
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            raise self._bad_character()
        kind = match.lastgroup or ""
        start = match.start(kind)
        self._line += self._text.count("\n", self._position, start)
        self._position = match.end()
        return _Token(kind, match[kind], self._line)

    def _bad_character(self) -> SyntaxProblem:
        rest = re.compile(r"[ \t\r\n]*").match(self._text, self._position)
        position = rest.end() if rest else self._position
        line = self._line + self._text.count("\n", self._position, position)
        if self._text[position] == '"':
            return SyntaxProblem(line, "a text begins here and does not end on its line", hint='close it with "')
        return SyntaxProblem(line, f"the character U+{ord(self._text[position]):04X} cannot stand here", hint=_FORM)

    def _unexpected(self, expected: str) -> SyntaxProblem:
        token = self._token
        found = f"“{token.source}”" if token.kind == "mark" else _SHOWN[token.kind]
        return SyntaxProblem(token.line, f"{expected} is expected here, not {found}", hint=_FORM)


def _as_blocks(body: HclBody) -> HclBody:
    """The body with objects of objects turned into labels and lists of objects into repeated blocks, at every level."""
    items = (each for item in body.items for each in _unfolded(item))
    return HclBody(tuple(HclItem(i.keys, _inside(i.value), i.line, assigned=False) for i in items), body.line)


def _inside(value: Value) -> Value:
    match value:
        case HclBody():
            return _as_blocks(value)
        case HclList():
            return HclList(tuple(_inside(each) for each in value.elements), value.line)
        case Literal():
            return value
        case _:
            assert_never(value)


def _unfolded(item: HclItem) -> Iterator[HclItem]:
    """The blocks that the item stands for. It recurses at most MAX_DEPTH deep."""
    match item.value:
        case HclBody(items=inner) if inner and all(isinstance(each.value, HclBody) for each in inner):
            for each in inner:
                yield from _unfolded(HclItem(item.keys + each.keys, each.value, each.line, assigned=False))
        case HclList(elements=elements) if elements and all(isinstance(each, HclBody) for each in elements):
            for element in elements:
                yield from _unfolded(HclItem(item.keys, element, item.line, assigned=False))
        case _:
            yield item

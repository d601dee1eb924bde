"""Reads HCL 1 into items."""

from __future__ import annotations

from typing import Final, assert_never

from lockwarden.core.hcl.syntax import HclBody, HclItem, HclList, Literal, LiteralKind, SyntaxProblem, Value
from lockwarden.core.hcl.words import HclScanner, HclToken, HclTokenKind

MAX_DEPTH: Final = 32
"""How deep braces and brackets may be nested. A configuration needs four."""

_BOOLS: Final = frozenset({"true", "false"})
_LITERALS: Final = {
    HclTokenKind.TEXT: LiteralKind.TEXT,
    HclTokenKind.HEREDOC: LiteralKind.TEXT,
    HclTokenKind.NUMBER: LiteralKind.NUMBER,
    HclTokenKind.FLOAT: LiteralKind.FLOAT,
}


def read_hcl(text: str) -> tuple[HclItem, ...]:
    """The items at the top of a text. Raises SyntaxProblem at the first mistake."""
    return _Reader(HclScanner(text.replace("\r\n", "\n"))).items(depth=0)


def too_deep(line: int) -> SyntaxProblem:
    """The problem of something that is nested too deeply."""
    return SyntaxProblem(line, f"braces and brackets are nested more than {MAX_DEPTH} deep here")


class _Reader:
    """A place in the text that moves from token to token."""

    def __init__(self, scanner: HclScanner) -> None:
        self._scanner = scanner
        self._word = scanner.next()

    def items(self, *, depth: int) -> tuple[HclItem, ...]:
        """Everything up to a closing brace, or up to the end at depth 0."""
        found: list[HclItem] = []
        lines: dict[tuple[HclTokenKind, str], int] = {}
        while not (self._ended or (depth and self._at("}"))):
            name = (self._word.kind, self._word.value)
            item = self._item(depth)
            if item.assigned and name in lines:
                message = f"this setting is on line {lines[name]} already"
                raise SyntaxProblem(item.line, message, hint="keep one of the two")
            if item.assigned:
                lines[name] = item.line
            found.append(item)
            if self._at(","):
                self._advance()
        return tuple(found)

    def _item(self, depth: int) -> HclItem:
        line = self._word.line
        keys = self._keys()
        assigned = self._at("=")
        if not assigned:
            return HclItem(keys, self._body(depth), line, assigned=False)
        if len(keys) > 1:
            raise SyntaxProblem(self._word.line, "a setting with labels is a block and takes no equals sign")
        self._advance()
        return HclItem(keys, self._value(depth), line, assigned=True)

    def _keys(self) -> tuple[str, ...]:
        keys: list[str] = []
        while self._word.kind is HclTokenKind.TEXT or (
            self._word.kind is HclTokenKind.NAME and self._word.value not in _BOOLS
        ):
            keys.append(self._word.value)
            self._advance()
        if not keys:
            raise self._unexpected("the name of a setting")
        if not (self._at("=") or self._at("{")):
            raise self._unexpected("“=” or “{”")
        return tuple(keys)

    def _value(self, depth: int) -> Value:
        word = self._word
        if word.kind in _LITERALS:
            self._advance()
            return Literal(_LITERALS[word.kind], word.value, word.line)
        if word.kind is HclTokenKind.NAME and word.value in _BOOLS:
            self._advance()
            return Literal(LiteralKind.BOOL, word.value, word.line)
        if self._at("{"):
            return self._body(depth)
        if self._at("["):
            return self._list(depth)
        raise self._unexpected("a value", hint="texts stand between quotation marks")

    def _body(self, depth: int) -> HclBody:
        line = self._word.line
        self._enter(depth)
        items = self.items(depth=depth + 1)
        if not self._at("}"):
            raise SyntaxProblem(line, "a block begins here and never ends", hint="close it with }")
        self._advance()
        return HclBody(items, line)

    def _list(self, depth: int) -> HclList:
        line = self._word.line
        self._enter(depth)
        elements: list[Value] = []
        while not self._at("]"):
            if self._at(","):
                self._advance()
                continue
            if self._ended:
                raise SyntaxProblem(line, "a list begins here and never ends", hint="close it with ]")
            elements.append(self._value(depth + 1))
            if not (self._at(",") or self._at("]")):
                raise self._unexpected("a comma or the end of the list")
        self._advance()
        return HclList(tuple(elements), line)

    def _enter(self, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise too_deep(self._word.line)
        self._advance()

    @property
    def _ended(self) -> bool:
        return self._word.kind is HclTokenKind.END

    def _advance(self) -> None:
        self._word = self._scanner.next()

    def _at(self, mark: str) -> bool:
        return self._word.kind is HclTokenKind.MARK and self._word.value == mark

    def _unexpected(self, expected: str, *, hint: str = "") -> SyntaxProblem:
        return SyntaxProblem(self._word.line, f"{expected} is expected here, not {_shown(self._word)}", hint=hint)


def _shown(word: HclToken) -> str:
    """The token for a message. Any word may be a secret whose quotation marks are missing, and is not shown."""
    match word.kind:
        case HclTokenKind.TEXT | HclTokenKind.HEREDOC:
            return "a text"
        case HclTokenKind.NAME:
            return "a word without quotation marks"
        case HclTokenKind.NUMBER | HclTokenKind.FLOAT:
            return "a number"
        case HclTokenKind.MARK:
            return f"“{word.value}”"
        case HclTokenKind.END:
            return "the end of the file"
        case _:
            assert_never(word.kind)

"""Reads a configuration in HCL native syntax: its blocks, and those of its values that are constant.

Of an expression that is not constant only the end is found, by its brackets; what it says is not checked. So a client
may refuse a file that is read here. It never finds other blocks or attributes in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.configuration.syntax import COMPUTED, Attribute, Block, Body, Reference, Table, Text, Value
from lockwarden.core.configuration.words import ConfigScanner, ConfigToken, ConfigTokenKind

_CLOSING: Final = {"{": "}", "[": "]", "(": ")"}
_CLOSES: Final = frozenset(_CLOSING.values())


def read_native(text: str) -> Body:
    """The top of a file. Raises UnreadableProblem."""
    return _Reader(ConfigScanner(text)).whole()


class _Reader:
    """A place in the text that moves from token to token."""

    def __init__(self, scanner: ConfigScanner) -> None:
        self._scanner = scanner
        self._word = scanner.next()

    def whole(self) -> Body:
        body = self._body(0)
        if self._word.kind is not ConfigTokenKind.END:
            raise self._scanner.problem("a brace closes nothing")
        return body

    def _body(self, depth: int) -> Body:
        """Everything up to a closing brace or the end."""
        attributes: list[Attribute] = []
        blocks: list[Block] = []
        while True:
            while self._word.kind is ConfigTokenKind.NEWLINE:
                self._advance()
            if self._at_line_end():
                return Body(tuple(attributes), tuple(blocks))
            if self._word.kind is not ConfigTokenKind.NAME:
                raise self._scanner.problem("the name of a setting or block is missing")
            name, line = self._word.value, self._scanner.line
            self._advance()
            if self._at("="):
                value = constant([*self._expression(depth)])
                span = self._scanner.last_text if isinstance(value, Text) else None
                attributes.append(Attribute(name, value, line, span))
            else:
                blocks.append(self._block(name, depth, line))
            if not self._at_line_end():
                raise self._scanner.problem("a line goes on where it should end")

    def _block(self, name: str, depth: int, line: int) -> Block:
        labels: list[str] = []
        while self._word.kind in {ConfigTokenKind.NAME, ConfigTokenKind.TEXT}:
            labels.append(self._word.value)
            self._advance()
        if not self._at("{"):
            raise self._scanner.problem("“=” or “{” is missing")
        self._advance()
        body = self._body(self._scanner.enter(depth))
        if not self._at("}"):
            raise self._scanner.problem("a block never ends")
        self._advance()
        return Block(name, tuple(labels), body, line)

    def _expression(self, depth: int) -> Iterator[ConfigToken]:
        """The tokens behind the equals sign, up to the end of the line outside of all brackets."""
        waiting: list[str] = []
        while True:
            self._advance()
            word = self._word
            if not waiting and (
                word.kind in {ConfigTokenKind.NEWLINE, ConfigTokenKind.END} or word == (ConfigTokenKind.MARK, "}")
            ):
                return
            if word.kind is ConfigTokenKind.END:
                raise self._scanner.problem("a bracket never closes")
            if word.kind is ConfigTokenKind.MARK and word.value in _CLOSING:
                waiting.append(_CLOSING[word.value])
                self._scanner.enter(depth + len(waiting))
            elif (
                word.kind is ConfigTokenKind.MARK
                and word.value in _CLOSES
                and (not waiting or waiting.pop() != word.value)
            ):
                raise self._scanner.problem("brackets do not match")
            yield word

    def _advance(self) -> None:
        self._word = self._scanner.next()

    def _at_line_end(self) -> bool:
        return self._word.kind in {ConfigTokenKind.NEWLINE, ConfigTokenKind.END} or self._at("}")

    def _at(self, mark: str) -> bool:
        return self._word == (ConfigTokenKind.MARK, mark)


def constant(words: Sequence[ConfigToken]) -> Value:
    """The value of an expression whose brackets match; `COMPUTED` where it is not constant."""
    if len(words) == 1 and words[0].kind is ConfigTokenKind.TEXT:
        return Text(words[0].value)
    if (
        words
        and words[0].kind is ConfigTokenKind.NAME
        and words[1:2] not in ([(ConfigTokenKind.MARK, "(")], [(ConfigTokenKind.OPERATOR, "::")])
    ):
        return Reference(tuple(_leading_names(words)))
    if words and words[0] == (ConfigTokenKind.MARK, "{"):
        return _table(words)
    return COMPUTED


def _leading_names(words: Sequence[ConfigToken]) -> Iterator[str]:
    yield words[0].value
    for dot, name in zip(words[1::2], words[2::2], strict=False):
        if dot != (ConfigTokenKind.OPERATOR, ".") or name.kind is not ConfigTokenKind.NAME:
            return
        yield name.value


def _table(words: Sequence[ConfigToken]) -> Value:
    """An object constructor; anything else that begins with a brace is computed."""
    entries: list[tuple[str | None, Value]] = []
    entry: list[ConfigToken] = []
    depth = 0
    for place, word in enumerate(words):
        opens = word.kind is ConfigTokenKind.MARK and word.value in _CLOSING
        closes = word.kind is ConfigTokenKind.MARK and word.value in _CLOSES
        depth += opens - closes
        if (depth == 1 and (word.kind is ConfigTokenKind.NEWLINE or word == (ConfigTokenKind.MARK, ","))) or depth == 0:
            if entry:
                entries.append(_entry(entry))
            entry = []
            if depth == 0 and place != len(words) - 1:
                return COMPUTED
        elif place:
            entry.append(word)
    return Table(tuple(entries))


def _entry(words: Sequence[ConfigToken]) -> tuple[str | None, Value]:
    named = words[0].kind in {ConfigTokenKind.NAME, ConfigTokenKind.TEXT}
    if named and len(words) > 2 and words[1] in {(ConfigTokenKind.MARK, "="), (ConfigTokenKind.OPERATOR, ":")}:
        return words[0].value, constant(words[2:])
    return None, COMPUTED

"""The shape of a configuration file: its text, and items with keys and values, each with its line."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct


class LiteralKind(StrEnum):
    """What a literal is written as."""

    TEXT = "text"
    NUMBER = "whole number"
    FLOAT = "number"
    BOOL = "true or false"


class Literal(Struct, frozen=True):
    """A text, whose value is known, or a number or truth value as it is written."""

    kind: LiteralKind
    value: str
    line: int


class HclList(Struct, frozen=True):
    """A list."""

    elements: tuple[Value, ...]
    line: int


class HclBody(Struct, frozen=True):
    """What stands between braces, in order; names may repeat."""

    items: tuple[HclItem, ...]
    line: int
    """The line of the opening brace."""


Value: TypeAlias = Literal | HclList | HclBody


class HclItem(Struct, frozen=True):
    """One argument or block. The first key is its name; the others are labels."""

    keys: tuple[str, ...]
    value: Value
    line: int
    assigned: bool
    """Whether it is written with an equals sign; never in JSON, which has no other way."""

    @property
    def name(self) -> str:
        """The name of the argument or the type of the block."""
        return self.keys[0]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the block."""
        return self.keys[1:]


class SyntaxProblem(Exception):  # noqa: N818
    """The text cannot be read at this line."""

    def __init__(self, line: int, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.hint = hint


def decoded(data: bytes) -> str:
    """The text of a file, which is UTF-8 without a byte order mark. Raises SyntaxProblem."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SyntaxProblem(1, "it is UTF-16, and only UTF-8 can be read", hint="save it as UTF-8")
    if data.startswith(b"\xef\xbb\xbf"):
        raise SyntaxProblem(
            1, "it begins with a byte order mark, which may not stand there", hint="save it as UTF-8 without BOM"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SyntaxProblem(line, "there is a byte here that is not UTF-8", hint="save it as UTF-8") from error

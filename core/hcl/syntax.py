"""The shape of a configuration file: items with keys and values, each with its line."""

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

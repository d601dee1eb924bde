"""The shape of a configuration, as far as it says what is required: bodies, blocks, and values that are constant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec import Struct


class Text(Struct, frozen=True):
    """A text whose value is known."""

    value: str


class Reference(Struct, frozen=True):
    """A traversal such as `aws.west`; what follows its leading names is left out."""

    names: tuple[str, ...]


class Table(Struct, frozen=True):
    """An object constructor; a key that is computed is None, and a name may stand in it several times."""

    entries: tuple[tuple[str | None, Value], ...]


class Computed(Struct, frozen=True):
    """Any other expression."""


Span: TypeAlias = tuple[int, int]
"""Where something begins and ends in the text of a file, in characters; quotation marks belong to it."""
Value: TypeAlias = Text | Reference | Table | Computed
COMPUTED = Computed()


@dataclass(frozen=True, slots=True)
class Attribute:
    """A line `name = value`. Where it stands is no part of what it is."""

    name: str
    value: Value
    line: int = field(default=0, compare=False)
    span: Span | None = field(default=None, compare=False)
    """Where its value stands, if that is a constant text."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block `type "label" { … }`. Where it stands is no part of what it is."""

    type: str
    labels: tuple[str, ...]
    body: Body
    line: int = field(default=0, compare=False)
    """Where it begins; in JSON, where its last label stands."""


class Body(Struct, frozen=True):
    """What stands in a block or at the top of a file, in order."""

    attributes: tuple[Attribute, ...] = ()
    blocks: tuple[Block, ...] = ()

    def values(self, name: str) -> tuple[Value, ...]:
        """What the attribute is set to, each time."""
        return tuple(each.value for each in self.attributes if each.name == name)

    def of_type(self, *types: str) -> tuple[Block, ...]:
        """The blocks of these types."""
        return tuple(each for each in self.blocks if each.type in types)


class UnreadableProblem(Exception):  # noqa: N818
    """The text is no configuration, or is one that is not understood here."""

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.message = message
        self.line = line
        """Counted from 1; 0 where it is the file as a whole."""

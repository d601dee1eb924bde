"""The shape of a lock file: blocks, attributes and constant expressions, each with its place in the text."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from lockwarden.core.lockfile.summaries import LockFileSummary


class TextNode(Struct, frozen=True):
    """A string whose value is known; `start` and `end` are the place of its source, quotes included."""

    start: int
    end: int
    value: str


class Scalar(Struct, frozen=True):
    """A number or a boolean, as the text that it converts to."""

    start: int
    end: int
    value: str


class Null(Struct, frozen=True):
    """The value `null`."""

    start: int
    end: int


class ListElement(Struct, frozen=True):
    """One element of a list and, where one follows it, its comma."""

    value: Expression
    comma: int | None


class ListNode(Struct, frozen=True):
    """A literal list `[…]`; `start` is the opening bracket, `end` is behind the closing one."""

    start: int
    end: int
    items: tuple[ListElement, ...]


class Group(Struct, frozen=True):
    """An expression in parentheses."""

    start: int
    end: int
    inner: Expression


class ComputedNode(Struct, frozen=True):
    """An expression that is no constant, or one that Lockwarden does not compute."""

    start: int
    end: int
    summary: LockFileSummary
    message: str
    at: int
    """The place of what is not constant."""


Expression: TypeAlias = TextNode | Scalar | Null | ListNode | Group | ComputedNode


class Label(Struct, frozen=True):
    """A label of a block, quoted or bare."""

    start: int
    end: int
    value: str


class AttributeNode(Struct, frozen=True):
    """A line `name = value`."""

    name: str
    start: int
    value: Expression


class BlockNode(Struct, frozen=True):
    """A block `type "label" { … }`; `open` and `close` are the places of its braces."""

    type: str
    start: int
    labels: tuple[Label, ...]
    open: int
    close: int
    body: BodyNode
    complete: bool = True
    """False when a mistake in it ended the reading; then `close` is the place of the mistake."""


class BodyNode(Struct, frozen=True):
    """What stands in a block or at the top, in order."""

    items: tuple[AttributeNode | BlockNode, ...]

    @property
    def attributes(self) -> tuple[AttributeNode, ...]:
        """The attributes only."""
        return tuple(item for item in self.items if isinstance(item, AttributeNode))

    @property
    def blocks(self) -> tuple[BlockNode, ...]:
        """The blocks only."""
        return tuple(item for item in self.items if isinstance(item, BlockNode))

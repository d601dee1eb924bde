"""Turns items of a file into values of the types that a setting needs, as liberally as the clients do.

A whole number counts as a text, a text that holds a number as a number; names match in any case; of an argument that
is set twice, the last one counts. Everything else is a problem with a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final, assert_never

from lockwarden.core.hcl.syntax import HclBody, HclItem, HclList, Literal, LiteralKind, Value
from lockwarden.core.values.late_patterns import LatePattern

_INTEGER: Final = LatePattern(
    r"(?P<sign>[+-]?)(?:0[xX](?P<hex>[0-9A-Fa-f]+)|0[oO]?(?P<oct>[0-7]+)|(?P<dec>0|[1-9][0-9]*))"
)
_LARGEST: Final = 2**63 - 1


class DecodeProblem(Exception):  # noqa: N818
    """A value has the wrong type, at this line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def named(items: Iterable[HclItem], name: str) -> Iterator[HclItem]:
    """The items of a name, written in any case."""
    wanted = name.casefold()
    return (item for item in items if item.name.casefold() == wanted)


def unknown(items: Iterable[HclItem], known: Iterable[str]) -> Iterator[HclItem]:
    """The items whose name is none of the known ones."""
    names = {name.casefold() for name in known}
    return (item for item in items if item.name.casefold() not in names)


def last_text(items: Iterable[HclItem], name: str) -> tuple[str, int] | None:
    """The text that an argument is set to, and its line, or None when it is not there. Raises DecodeProblem."""
    found = None
    for item in named(items, name):
        found = (text_of(_value(item), name), item.line)
    return found


def last_number(items: Iterable[HclItem], name: str) -> tuple[int, int] | None:
    """The whole number that an argument is set to, and its line. Raises DecodeProblem."""
    found = None
    for item in named(items, name):
        found = (_number_of(_value(item), name), item.line)
    return found


def last_bool(items: Iterable[HclItem], name: str) -> tuple[bool, int] | None:
    """The truth value that an argument is set to, and its line. Raises DecodeProblem; `"true"` is a text."""
    found = None
    for item in named(items, name):
        value = _value(item)
        if not (isinstance(value, Literal) and value.kind is LiteralKind.BOOL):
            raise _wrong_type(value, name, "true or false without quotation marks")
        found = (value.value == "true", item.line)
    return found


def all_texts(items: Iterable[HclItem], name: str) -> tuple[str, ...] | None:
    """The texts of a list, of all of them when it is set more than once. Raises DecodeProblem."""
    found: tuple[str, ...] | None = None
    for item in named(items, name):
        found = (found or ()) + _texts_of(_value(item), name)
    return found


def last_texts(items: Iterable[HclItem], name: str) -> tuple[tuple[str, ...], int] | None:
    """The texts of the list that is set last, and its line. Raises DecodeProblem."""
    found = None
    for item in named(items, name):
        found = (_texts_of(_value(item), name), item.line)
    return found


def text_of(value: Value, name: str) -> str:
    """The value as a text. Raises DecodeProblem unless it is a text or a whole number."""
    if isinstance(value, Literal) and value.kind in (LiteralKind.TEXT, LiteralKind.NUMBER):
        return value.value
    raise _wrong_type(value, name, "a text")


def labelled(items: Iterable[HclItem], name: str) -> Iterator[tuple[str, HclItem]]:
    """The entries of a setting that has one label, each as its label and an item whose name is that label.

    Without labels, the arguments of the block are the entries, which come after those that have one. Raises
    DecodeProblem for what is no block.
    """
    return (each for body in _bodies(items, name) for each in body)


def _bodies(items: Iterable[HclItem], name: str) -> Iterator[list[tuple[str, HclItem]]]:
    """The entries as the clients come to them: all blocks with a label at once, then each block without by itself."""
    blocks = tuple(named(items, name))
    yield [
        (each.labels[0], HclItem(each.labels, each.value, each.line, each.assigned)) for each in blocks if each.labels
    ]
    for block in blocks:
        if block.labels:
            continue
        if not isinstance(block.value, HclBody):
            raise _wrong_type(block.value, name, "a block with a label")
        yield [(entry.name, entry) for entry in block.value.items]


def steps_of_each(items: Iterable[HclItem], name: str) -> Iterator[tuple[str, tuple[tuple[HclItem, ...], ...]]]:
    """The same for each label, in the steps in which the clients read them.

    Each step is of entries that are read as one. OpenTofu reads a step over those before it, so that the arguments of
    all count, and Terraform in their place, so that the last step alone does. Entries with further labels, as objects
    in JSON come to be read, are one step, behind which no other entry of the same body is read. Raises DecodeProblem.
    """
    found: dict[str, tuple[tuple[HclItem, ...], ...]] = {}
    for body in _bodies(items, name):
        for label in dict.fromkeys(label for label, _ in body):
            entries = [entry for each, entry in body if each == label]
            plain = takewhile(lambda entry: not entry.labels, entries)
            nested = tuple(entry for entry in entries if entry.labels)
            steps = (*((entry,) for entry in plain), *((nested,) if nested else ()))
            found[label] = (*found.get(label, ()), *steps)
    yield from found.items()


def entry_body(item: HclItem, name: str) -> tuple[HclItem, ...]:
    """The arguments of an entry; further labels are read as nested blocks. Raises DecodeProblem."""
    if item.labels:
        return (HclItem(item.labels, item.value, item.line, item.assigned),)
    if not isinstance(item.value, HclBody):
        raise _wrong_type(item.value, name, "a block")
    return item.value.items


def _value(item: HclItem) -> Value:
    """The value of an argument. Raises DecodeProblem for a block with labels."""
    if item.labels:
        raise DecodeProblem(item.line, f"“{item.name}” is an argument and takes no labels")
    return item.value


def _texts_of(value: Value, name: str) -> tuple[str, ...]:
    if isinstance(value, HclBody) and not value.items:
        return ()
    if not isinstance(value, HclList):
        raise _wrong_type(value, name, "a list of texts in brackets")
    return tuple(text_of(each, name) for each in value.elements)


def _number_of(value: Value, name: str) -> int:
    if isinstance(value, Literal) and value.kind in (LiteralKind.TEXT, LiteralKind.NUMBER):
        number = _integer(value.value)
        if number is not None:
            return number
    raise _wrong_type(value, name, "a whole number of at most 64 bits")


def _integer(text: str) -> int | None:
    """The number that the clients read, in base 8, 10 or 16, or None when it is none or does not fit."""
    match = _INTEGER.fullmatch(text)
    if match is None or len(text) > 64:
        return None
    digits, base = next((match[name], base) for name, base in (("hex", 16), ("oct", 8), ("dec", 10)) if match[name])
    number = int(match["sign"] + digits, base)
    return number if -_LARGEST - 1 <= number <= _LARGEST else None


def _wrong_type(value: Value, name: str, wanted: str) -> DecodeProblem:
    match value:
        case Literal():
            found = str(value.kind)
        case HclList():
            found = "list"
        case HclBody():
            found = "block"
        case _:
            assert_never(value)
    return DecodeProblem(value.line, f"“{name}” needs {wanted}, not a {found}")

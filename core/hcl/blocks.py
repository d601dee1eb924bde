"""Reads files that hold nothing but blocks of known names with known settings, and refuses all else.

Unlike the CLI configuration, in which the clients pass over what they do not know, such a file decides what is trusted:
a misspelt word in it must not become a rule that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from msgspec import Struct

from lockwarden.core.hcl.diagnostics import BlockDiagnostics, listed, meant, shown_name
from lockwarden.core.hcl.encoding import decoded
from lockwarden.core.hcl.grammar import read_hcl
from lockwarden.core.hcl.syntax import HclBody, HclItem, HclList, Literal, LiteralKind, SyntaxProblem, Value

MAX_BLOCKS: Final = 10_000
"""Blocks of one file."""
MAX_WHOLE: Final = 10**15 - 1
_DIGITS: Final = 16
"""As many tell that a number is too large."""


class PlacedText(Struct, frozen=True):
    """A text and where it stands."""

    value: str
    line: int


class BlockKind(Struct, frozen=True, kw_only=True):
    """What a block of one name may hold."""

    label: str
    """What its one label is, for messages; empty when it has none."""
    settings: tuple[str, ...]


class BlockReader:
    """One block whose settings are asked for by name; one that is wrong is complained of and reads as None."""

    def __init__(
        self, name: str, label: str, line: int, settings: Mapping[str, HclItem], diagnostics: BlockDiagnostics
    ) -> None:
        self.name = name
        self.label = label
        self.line = line
        self.diagnostics = diagnostics
        self._settings = settings

    def line_of(self, name: str) -> int:
        """Where a setting stands, or the block when it has none of that name."""
        return self._settings[name].line if name in self._settings else self.line

    def text(self, name: str, *, required: bool = False) -> PlacedText | None:
        """The text that a setting is set to, which is not empty."""
        value = self._value(name, required=required)
        return None if value is None else self._text(value, name, "a text in quotation marks")

    def texts(self, name: str, *, required: bool = False) -> tuple[PlacedText, ...] | None:
        """The texts of a list, which is not empty; without those that are wrong."""
        value = self._value(name, required=required)
        if value is None:
            return None
        if not isinstance(value, HclList):
            self._wrong(value, name, "a list of texts in brackets")
            return None
        if not value.elements:
            self.diagnostics.add(
                value.line,
                f"the list of {shown_name(name)} is empty",
                hint="put something between the brackets" + ("" if required else ", or leave the setting out"),
            )
            return None
        texts = (self._text(each, name, "texts in quotation marks") for each in value.elements)
        return tuple(text for text in texts if text is not None)

    def truth(self, name: str, *, required: bool = False) -> bool | None:
        """The truth value that a setting is set to."""
        value = self._value(name, required=required)
        if value is None:
            return None
        if isinstance(value, Literal) and value.kind is LiteralKind.BOOL:
            return value.value == "true"
        self._wrong(value, name, "true or false without quotation marks")
        return None

    def whole(self, name: str, *, required: bool = False) -> int | None:
        """The whole number that a setting is set to, from 1 to MAX_WHOLE."""
        value = self._value(name, required=required)
        if value is None:
            return None
        if not (isinstance(value, Literal) and value.kind is LiteralKind.NUMBER):
            self._wrong(value, name, "a whole number without quotation marks")
            return None
        if not (value.value.isascii() and value.value.isdigit() and 0 < int(value.value[:_DIGITS]) <= MAX_WHOLE):
            self.diagnostics.add(value.line, f"{shown_name(name)} is not a whole number from 1 to {MAX_WHOLE}")
            return None
        return int(value.value[:_DIGITS])

    def _value(self, name: str, *, required: bool) -> Value | None:
        item = self._settings.get(name)
        if item is None:
            if required:
                self.diagnostics.add(self.line, f"the block {self.name} needs the setting {shown_name(name)}")
            return None
        return item.value

    def _text(self, value: Value, name: str, wanted: str) -> PlacedText | None:
        if not (isinstance(value, Literal) and value.kind is LiteralKind.TEXT):
            self._wrong(value, name, wanted)
            return None
        if not value.value.strip():
            self.diagnostics.add(value.line, f"{shown_name(name)} has an empty text")
            return None
        return PlacedText(value.value, value.line)

    def _wrong(self, value: Value, name: str, wanted: str) -> None:
        match value:
            case Literal(kind=LiteralKind.BOOL):
                found = "true or false"
            case Literal():
                found = f"a {value.kind}"
            case HclList():
                found = "a list"
            case HclBody():
                found = "what stands between braces"
            case _:
                assert_never(value)
        self.diagnostics.add(value.line, f"{shown_name(name)} needs {wanted}, not {found}")


def read_blocks(
    data: bytes, kinds: Mapping[str, BlockKind], diagnostics: BlockDiagnostics, *, limit: int
) -> tuple[BlockReader, ...]:
    """The well-formed blocks of a file of at most `limit` bytes, in its order; the rest is complained of.

    Raises TooManyDiagnostics.
    """
    if len(data) > limit:
        diagnostics.add(0, f"the file is larger than the limit of {limit} bytes")
        return ()
    try:
        items = read_hcl(decoded(data))
    except SyntaxProblem as problem:
        diagnostics.add(problem.line, problem.message, hint=problem.hint)
        return ()
    if len(items) > MAX_BLOCKS:
        diagnostics.add(items[MAX_BLOCKS].line, f"the file has more than {MAX_BLOCKS} blocks")
        return ()
    blocks = (_block(item, kinds, diagnostics) for item in items)
    return tuple(block for block in blocks if block is not None)


def _block(item: HclItem, kinds: Mapping[str, BlockKind], diagnostics: BlockDiagnostics) -> BlockReader | None:
    kind = kinds.get(item.name)
    if kind is None:
        what = "setting" if item.assigned else "block"
        _unknown(item, f"there is no {what} {shown_name(item.name)} here", kinds, diagnostics)
        return None
    if item.assigned or not isinstance(item.value, HclBody):
        diagnostics.add(item.line, f"{item.name} is a block and takes no equals sign", hint="leave the = out")
        return None
    if len(item.labels) != (1 if kind.label else 0) or not all(each.strip() for each in item.labels):
        wanted = f"one label, {kind.label}, in quotation marks" if kind.label else "no label"
        diagnostics.add(item.line, f"the block {item.name} takes {wanted}")
        return None
    settings = _settings(item.value.items, item.name, kind.settings, diagnostics)
    return BlockReader(item.name, "".join(item.labels), item.line, settings, diagnostics)


def _settings(
    items: Iterable[HclItem], block: str, known: tuple[str, ...], diagnostics: BlockDiagnostics
) -> Mapping[str, HclItem]:
    found: dict[str, HclItem] = {}
    for item in items:
        if item.name not in known:
            _unknown(item, f"the block {block} has no setting {shown_name(item.name)}", known, diagnostics)
        elif not item.assigned:
            diagnostics.add(item.line, f"{shown_name(item.name)} is a setting and needs an equals sign")
        elif item.name in found:
            diagnostics.add(
                item.line,
                f"{shown_name(item.name)} is set on line {found[item.name].line} already",
                hint="keep one of the two",
            )
        else:
            found[item.name] = item
    return found


def _unknown(item: HclItem, message: str, known: Iterable[str], diagnostics: BlockDiagnostics) -> None:
    names = tuple(known)
    right = meant(item.name, names)
    hint = f"did you mean {right}?" if right else f"known are {listed(names)}"
    diagnostics.add(item.line, message, hint=hint)

"""Puts new hashes into a provider block, in the style that the block already has."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from lockwarden.core.lockfile.layout import Layout, Replacement, hashes_of
from lockwarden.core.lockfile.literals import quoted
from lockwarden.core.lockfile.syntax import BlockNode, Expression, Group, ListElement, ListNode, TextNode


def insertions(layout: Layout, block: BlockNode, new: Iterable[str]) -> list[Replacement]:
    """The changes that add hashes to a block; none of them may be there yet."""
    ordered = sorted(new)
    found = hashes_of(block)
    return _into_list(layout, found[1], ordered) if found else _new_attribute(layout, block, ordered)


def string_of(value: Expression) -> str:
    """The string that an element of a valid list of hashes stands for."""
    while isinstance(value, Group):
        value = value.inner
    return value.value if isinstance(value, TextNode) else ""


def _into_list(layout: Layout, listed: ListNode, ordered: list[str]) -> list[Replacement]:
    """Put every new element before the first one that sorts behind it."""
    present = [string_of(item.value) for item in listed.items]
    changes: list[Replacement] = []
    index = 0
    while ordered:
        while index < len(present) and present[index] < ordered[0]:
            index += 1
        count = len(ordered) if index == len(present) else bisect_left(ordered, present[index])
        changes += _after(layout, listed, index, ordered[:count])
        ordered = ordered[count:]
    return changes


def _after(layout: Layout, listed: ListNode, index: int, group: list[str]) -> list[Replacement]:
    """Put new elements behind the first `index` ones."""
    last = listed.items[index - 1] if index else None
    anchor = item_end(last) if last else listed.start + 1
    lacks_comma = last is not None and last.comma is None
    line = layout.next_line(anchor)
    if line is None:
        return [Replacement(anchor, anchor, _inline(layout, anchor, group, lacks_comma=lacks_comma))]
    end, indent = layout.line_end_before(line), _element_indentation(layout, listed)
    lines = [f"{indent}{quoted(text)},{end}" for text in group]
    if not lacks_comma:
        return [Replacement(line, line, "".join(lines))]
    lines[-1] = f"{indent}{quoted(group[-1])}{end}"
    return [Replacement(anchor, anchor, ","), Replacement(line, line, "".join(lines))]


def item_end(item: ListElement) -> int:
    """Where an element ends, its comma included."""
    return item.value.end if item.comma is None else item.comma + 1


def _inline(layout: Layout, anchor: int, group: list[str], *, lacks_comma: bool) -> str:
    words = [quoted(text) for text in group]
    if lacks_comma:
        return "".join(f", {word}" for word in words)
    if layout.text[anchor] != '"':
        return "".join(f" {word}," for word in words)
    return "".join(f"{word}, " for word in words) if layout.text[anchor - 1] == "[" else "".join(f"{w}," for w in words)


def _element_indentation(layout: Layout, listed: ListNode) -> str:
    for item in listed.items:
        if layout.starts_line(item.value.start):
            return layout.indentation(item.value.start)
    indent = layout.indentation(listed.start)
    return indent + _step(indent)


def _step(indent: str) -> str:
    return "\t" if "\t" in indent else "  "


def _new_attribute(layout: Layout, block: BlockNode, ordered: list[str]) -> list[Replacement]:
    last = block.body.attributes[-1]
    line = layout.next_line(last.value.end, across_lines=True)
    if line is None or line > block.close:
        return _opened_block(layout, block, ordered)
    indent = layout.indentation(last.start)
    return [Replacement(line, line, _attribute_lines(ordered, indent, layout.line_end_before(line)))]


def _attribute_lines(ordered: list[str], indent: str, end: str) -> str:
    inner = indent + _step(indent)
    lines = [f"{indent}hashes = [", *(f"{inner}{quoted(text)}," for text in ordered), f"{indent}]"]
    return "".join(line + end for line in lines)


def _opened_block(layout: Layout, block: BlockNode, ordered: list[str]) -> list[Replacement]:
    """Give every argument of a block on one line a line of its own, since such a block can hold one only."""
    end = "\r\n" if "\r\n" in layout.text else "\n"
    outer = layout.indentation(block.start)
    inner = outer + _step(outer)
    first = layout.skip_blanks(block.open + 1)
    last = layout.before_blanks(block.close)
    return [
        Replacement(block.open + 1, first, end + inner),
        Replacement(last, block.close, end + _attribute_lines(ordered, inner, end) + outer),
    ]

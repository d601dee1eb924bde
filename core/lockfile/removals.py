"""Takes hashes out of a provider block and leaves everything else as it is."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import groupby

from lockwarden.core.lockfile.insertions import item_end, string_of
from lockwarden.core.lockfile.layout import Layout, Replacement, hashes_of
from lockwarden.core.lockfile.syntax import AttributeNode, BlockNode, ListElement


def removals(layout: Layout, block: BlockNode, gone: AbstractSet[str]) -> list[Replacement]:
    """The changes that remove hashes from a block, each as often as it stands there.

    The argument goes with its last hash. A comment on the line of a hash goes with it, a comment on a line of its own
    stays.
    """
    found = hashes_of(block)
    if found is None:
        return []
    attribute, listed = found
    kept = [item for item in listed.items if string_of(item.value) not in gone]
    if not kept:
        return [_without_attribute(layout, attribute)]
    changes: list[Replacement] = []
    for _, group in groupby(listed.items, key=lambda item: layout.line_start(item.value.start)):
        on_line = list(group)
        dropped = [item for item in on_line if string_of(item.value) in gone]
        whole = _whole_lines(layout, on_line) if len(dropped) == len(on_line) else None
        if whole is not None:
            changes.append(whole)
        else:
            changes += _inline(layout, on_line, gone)
    if listed.items[-1].comma is None and kept[-1].comma is not None:
        changes.append(Replacement(kept[-1].comma, kept[-1].comma + 1, ""))
    return changes


def _without_attribute(layout: Layout, attribute: AttributeNode) -> Replacement:
    comments = layout.comments_on_own_lines(attribute.value.start, attribute.value.end)
    line = layout.next_line(attribute.value.end)
    if line is not None and layout.follows_only_comments(attribute.start):
        return Replacement(layout.line_start(attribute.start), line, comments)
    return Replacement(attribute.start, attribute.value.end, comments and "\n" + comments.rstrip("\r\n"))


def _whole_lines(layout: Layout, items: list[ListElement]) -> Replacement | None:
    """The line of some elements, if it holds nothing else but comments and they do not go on behind it."""
    first, last = items[0], items[-1]
    line = layout.next_line(item_end(last))
    start = layout.line_start(first.value.start)
    if line is None or not layout.follows_only_comments(first.value.start):
        return None
    return None if "\n" in layout.text[start : item_end(last)] else Replacement(start, line, "")


def _inline(layout: Layout, on_line: list[ListElement], gone: AbstractSet[str]) -> list[Replacement]:
    """Elements that share their line, each with its comma and the blanks on the side of no element that stays."""
    text, changes, stays_behind = layout.text, [], False
    for item in reversed(on_line):
        start, end = item.value.start, item.value.end
        if string_of(item.value) not in gone:
            stays_behind = True
        elif item.comma is not None and "\n" in text[end : item.comma]:
            changes += [Replacement(start, end, ""), Replacement(item.comma, item.comma + 1, "")]
        elif stays_behind:
            changes.append(Replacement(start, layout.skip_blanks(item_end(item)), ""))
        else:
            changes.append(Replacement(layout.before_blanks(start), item_end(item), ""))
    return changes

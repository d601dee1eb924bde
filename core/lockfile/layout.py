"""How a text is laid out: where its lines begin and end, what stands before and behind something on its line."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple, Self

from msgspec import Struct

from lockwarden.core.lockfile.grammar import SyntaxTree, read_tree
from lockwarden.core.lockfile.positions import Lines
from lockwarden.core.lockfile.syntax import AttributeNode, BlockNode, ListNode

_BLANKS: Final = re.compile(r"[ \t]*")
_LINE_END: Final = re.compile(r"\r?\n")


class Replacement(NamedTuple):
    """What stands from `start` to `end` is replaced by `text`."""

    start: int
    end: int
    text: str


class Layout(Struct, frozen=True):
    """A text, what it says, and its comments."""

    text: str
    tree: SyntaxTree
    _lines: Lines
    _comment_starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a text that is known to be a valid lock file."""
        tree = read_tree(text)
        return cls(text, tree, Lines.of(text), tuple(start for start, _ in tree.comments))

    def line_start(self, offset: int) -> int:
        """Where the line of a character begins."""
        return self._lines.start_of(offset)

    def indentation(self, offset: int) -> str:
        """The blanks at the beginning of the line of a character."""
        match = _BLANKS.match(self.text, self.line_start(offset))
        return match[0] if match else ""

    def starts_line(self, offset: int) -> bool:
        """Whether only blanks stand before a character on its line."""
        return self.line_start(offset) + len(self.indentation(offset)) == offset

    def follows_only_comments(self, offset: int) -> bool:
        """Whether only blanks and comments that begin on the same line stand before a character on its line."""
        position = self.skip_blanks(self.line_start(offset))
        while position < offset:
            comment_end = self._comment_end(position)
            if comment_end is None:
                return False
            position = self.skip_blanks(comment_end)
        return position == offset

    def next_line(self, offset: int, *, across_lines: bool = False) -> int | None:
        """Where the next line begins, if only blanks and comments stand between here and there; else None.

        `across_lines` allows comments that go over several lines.
        """
        position = self.skip_blanks(offset)
        while (comment_end := self._comment_end(position)) is not None:
            if not across_lines and "\n" in self.text[position:comment_end]:
                return None
            position = self.skip_blanks(comment_end)
        match = _LINE_END.match(self.text, position)
        return match.end() if match else None

    def line_end_before(self, line_start: int) -> str:
        """The line end, LF or CR LF, right before the beginning of a line."""
        return "\r\n" if self.text.endswith("\r\n", 0, line_start) else "\n"

    def skip_blanks(self, position: int) -> int:
        """The first place from here that is neither blank nor tab."""
        match = _BLANKS.match(self.text, position)
        return match.end() if match else position

    def before_blanks(self, position: int) -> int:
        """The last place up to here that no blank or tab stands before."""
        while position and self.text[position - 1] in " \t":
            position -= 1
        return position

    def comments_on_own_lines(self, start: int, end: int) -> str:
        """All lines between two places that hold nothing but comments, line ends included."""
        first, last = bisect_left(self._comment_starts, start), bisect_left(self._comment_starts, end)
        kept = []
        for comment_start, comment_end in self.tree.comments[first:last]:
            line_end = self.next_line(comment_end)
            if self.starts_line(comment_start) and line_end is not None:
                kept.append(self.text[self.line_start(comment_start) : line_end])
        return "".join(kept)

    def _comment_end(self, position: int) -> int | None:
        index = bisect_left(self._comment_starts, position)
        if index < len(self._comment_starts) and self._comment_starts[index] == position:
            return self.tree.comments[index][1]
        return None

    def apply(self, changes: list[Replacement]) -> str:
        """The text with all changes made, those at one place in the given order; removals may overlap."""
        pieces: list[str] = []
        position = 0
        for change in sorted(changes, key=lambda change: (change.start, change.end)):
            pieces += (self.text[position : change.start], change.text)
            position = max(position, change.end)
        return "".join((*pieces, self.text[position:]))


def hashes_of(block: BlockNode) -> tuple[AttributeNode, ListNode] | None:
    """The argument of a provider block that holds its hashes, and its list."""
    for attribute in block.body.attributes:
        if attribute.name == "hashes" and isinstance(attribute.value, ListNode):
            return attribute, attribute.value
    return None

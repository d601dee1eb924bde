"""Reads a whole lock file into blocks and attributes, and goes on behind a mistake at the next block."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.cursor import Cursor
from lockwarden.core.lockfile.expressions import read_expression, string_value
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.lockfile.syntax import AttributeNode, BlockNode, BodyNode, Label
from lockwarden.core.lockfile.tokens import MAX_DEPTH, LockFileSyntaxProblem, LockScanner, TokenKind, too_deep

MAX_PROBLEMS: Final = 100
"""Mistakes after which the rest of a file is not read."""

_BLOCK_START: Final = re.compile(r"^(?:provider|module)\b", re.MULTILINE)
_BYTE_ORDER_MARK: Final = "\ufeff"


class SyntaxTree(Struct, frozen=True):
    """What a text says, as far as it can be read, and every place where it is no HCL."""

    body: BodyNode
    problems: tuple[LockFileSyntaxProblem, ...]
    comments: tuple[tuple[int, int], ...]
    """Start and end of every comment, line ends not included, in order."""
    words: int
    """How many tokens it has."""


def read_tree(text: str) -> SyntaxTree:
    """Read a text; one byte order mark at its start is no part of it.

    Time and memory grow linearly with the text.
    """
    reader = _Reader(text)
    position: int | None = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
    while position is not None:
        position = reader.read_from(position)
        if position is not None and len(reader.problems) >= MAX_PROBLEMS:
            rest = f"after {MAX_PROBLEMS} mistakes the rest of the file was not read"
            reader.problems.append(LockFileSyntaxProblem(position, LockFileSummary.TOO_MANY_ERRORS, rest))
            break
    comments = tuple(sorted(reader.scanner.comments.items()))
    return SyntaxTree(BodyNode(tuple(reader.items)), tuple(reader.problems), comments, reader.scanner.words)


def is_readable(text: str) -> bool:
    """Whether `read_tree` finds no mistake in a text. It reads up to the first one."""
    reader = _Reader(text)
    reader.read_from(len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0)
    return not reader.problems


class _Reader:
    """Collects what it reads."""

    def __init__(self, text: str) -> None:
        self.scanner = LockScanner(text)
        self.items: list[AttributeNode | BlockNode] = []
        self.problems: list[LockFileSyntaxProblem] = []

    def read_from(self, position: int) -> int | None:
        """Read up to the next mistake; the place where to go on, or None at the end."""
        try:
            cursor = Cursor(self.scanner, position)
            while (item := self._next_item(cursor, depth=0)) is not None:
                self.items.append(item)
        except LockFileSyntaxProblem as problem:
            # Without where it was raised, which would keep all that was read until somebody looks for garbage.
            self.problems.append(problem.with_traceback(None))
            if problem.final:
                return None
            match = _BLOCK_START.search(self.scanner.text, problem.offset + 1)
            return match.start() if match else None
        self._note_repetitions(self.items)
        return None

    def _next_item(self, cursor: Cursor, *, depth: int) -> AttributeNode | BlockNode | None:
        """The next attribute or block, its line end included; None at the end of what surrounds it."""
        cursor.skip_newlines()
        token = cursor.token
        if token.kind is TokenKind.END or (depth and cursor.at("}")):
            return None
        if token.kind is not TokenKind.NAME:
            raise _no_item(cursor)
        item = self._read_item(cursor, depth)
        if cursor.token.kind not in (TokenKind.NEWLINE, TokenKind.END):
            attribute = isinstance(item, AttributeNode)
            raise LockFileSyntaxProblem(
                cursor.token.start,
                LockFileSummary.MISSING_NEWLINE_AFTER_ARGUMENT
                if attribute
                else LockFileSummary.MISSING_NEWLINE_AFTER_BLOCK_DEFINITION,
                f"nothing may follow the {'argument' if attribute else 'block definition'} on its line",
                hint="put it on a line of its own",
            )
        return item

    def _read_item(self, cursor: Cursor, depth: int) -> AttributeNode | BlockNode:
        token, name = cursor.token, cursor.source
        cursor.advance()
        if cursor.at("="):
            cursor.advance()
            return AttributeNode(name, token.start, read_expression(cursor))
        if cursor.at("{") or cursor.token.kind in (TokenKind.NAME, TokenKind.STRING, TokenKind.TEMPLATE):
            return self._read_block(cursor, name, token.start, depth)
        raise LockFileSyntaxProblem(
            token.start,
            LockFileSummary.ARGUMENT_OR_BLOCK_DEFINITION_REQUIRED,
            f"“{name}” must be followed by an equals sign or begin a block",
        )

    def _read_block(self, cursor: Cursor, name: str, start: int, depth: int) -> BlockNode:
        labels = _read_labels(cursor)
        opening = cursor.token.start
        if depth >= MAX_DEPTH:
            raise too_deep(opening)
        items: list[AttributeNode | BlockNode] = []
        try:
            cursor.advance()
            if cursor.token.kind is TokenKind.NEWLINE:
                self._read_lines(cursor, items, opening, depth)
            elif not cursor.at("}"):
                items.append(_read_only_argument(cursor))
            closing = cursor.token.start
            cursor.advance()
        except LockFileSyntaxProblem as problem:
            if depth == 0:
                partial = BodyNode(tuple(item for item in items if isinstance(item, AttributeNode)))
                self.items.append(BlockNode(name, start, labels, opening, problem.offset, partial, complete=False))
            raise
        return BlockNode(name, start, labels, opening, closing, BodyNode(tuple(items)))

    def _read_lines(self, cursor: Cursor, items: list[AttributeNode | BlockNode], opening: int, depth: int) -> None:
        while (item := self._next_item(cursor, depth=depth + 1)) is not None:
            items.append(item)
        if cursor.token.kind is TokenKind.END:
            raise LockFileSyntaxProblem(
                opening,
                LockFileSummary.UNCLOSED_CONFIGURATION_BLOCK,
                "a block begins here and never ends",
                hint="close it with } on a line of its own",
            )
        self._note_repetitions(items)

    def _note_repetitions(self, items: list[AttributeNode | BlockNode]) -> None:
        seen: set[str] = set()
        for item in items:
            if not isinstance(item, AttributeNode):
                continue
            if item.name in seen and len(self.problems) < MAX_PROBLEMS:
                self.problems.append(
                    LockFileSyntaxProblem(
                        item.start,
                        LockFileSummary.ATTRIBUTE_REDEFINED,
                        f"“{item.name}” is set a second time here",
                        hint="keep one of the two",
                    )
                )
            seen.add(item.name)


def _no_item(cursor: Cursor) -> LockFileSyntaxProblem:
    if cursor.token.kind in (TokenKind.STRING, TokenKind.TEMPLATE):
        return LockFileSyntaxProblem(
            cursor.token.start, LockFileSummary.INVALID_ARGUMENT_NAME, "the name of an argument must not be quoted"
        )
    return LockFileSyntaxProblem(
        cursor.token.start,
        LockFileSummary.ARGUMENT_OR_BLOCK_DEFINITION_REQUIRED,
        "an argument or a block is expected here",
    )


def _read_labels(cursor: Cursor) -> tuple[Label, ...]:
    labels: list[Label] = []
    while not cursor.at("{"):
        token = cursor.token
        match token.kind:
            case TokenKind.NAME:
                value = cursor.source
            case TokenKind.STRING:
                value = string_value(cursor.text, token.start, token.end)
            case TokenKind.TEMPLATE:
                raise LockFileSyntaxProblem(
                    token.start, LockFileSummary.INVALID_STRING_LITERAL, "a label cannot be a template"
                )
            case _:
                raise LockFileSyntaxProblem(
                    token.start,
                    LockFileSummary.INVALID_BLOCK_DEFINITION,
                    "a label or an opening brace is expected here, on the line of the block's type",
                )
        labels.append(Label(token.start, token.end, value))
        cursor.advance()
    return tuple(labels)


def _read_only_argument(cursor: Cursor) -> AttributeNode:
    """The argument of a block on one line, which can hold just one."""
    token, name = cursor.token, cursor.source
    if token.kind is TokenKind.NAME:
        cursor.advance()
        if cursor.at("="):
            cursor.advance()
            value = read_expression(cursor)
            if cursor.at("}"):
                return AttributeNode(name, token.start, value)
    raise LockFileSyntaxProblem(
        cursor.token.start,
        LockFileSummary.INVALID_SINGLE_ARGUMENT_BLOCK_DEFINITION,
        "a block on one line can hold one argument and nothing else",
        hint="give every argument a line of its own",
    )

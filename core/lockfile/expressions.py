"""Reads the expressions of a lock file: constants, lists of constants, and where anything else begins and ends."""

from __future__ import annotations

import re
from typing import Final

from lockwarden.core.lockfile.cursor import Cursor
from lockwarden.core.lockfile.literals import InvalidEscapeError, normalised, unescaped
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.lockfile.syntax import (
    ComputedNode,
    Expression,
    Group,
    ListElement,
    ListNode,
    Null,
    Scalar,
    TextNode,
)
from lockwarden.core.lockfile.tokens import MAX_DEPTH, LockFileSyntaxProblem, Token, TokenKind, too_deep

_PLAIN_LINE: Final = re.compile(r'[ \t]*"([ !#-$&-\[\]-z|}~]{1,4096})"(,)[ \t]*\r?\n')
"""A list element on a line of its own, without escapes, templates and letters beyond ASCII."""
_WORDS_OF_LINE: Final = 3
_OPENERS: Final = frozenset("([{")
_CLOSERS: Final = frozenset(")]}")


def read_expression(cursor: Cursor, *, nested: bool = False, depth: int = 0) -> Expression:
    """Read one expression; `nested` means inside brackets, where line ends do not count."""
    first = cursor.token
    value = _read_operand(cursor, depth)
    if nested:
        cursor.skip_newlines()
    if cursor.token.kind is TokenKind.OPERATOR or cursor.at("[") or cursor.at("("):
        return _read_rest(cursor, value, first, nested=nested)
    return value


def _read_operand(cursor: Cursor, depth: int) -> Expression:
    token = cursor.token
    if depth > MAX_DEPTH:
        raise too_deep(token.start)
    match token.kind:
        case TokenKind.STRING:
            cursor.advance()
            return _text(cursor, token)
        case TokenKind.TEMPLATE:
            cursor.advance()
            return _read_template(cursor, token, depth)
        case TokenKind.NUMBER:
            source = cursor.source
            cursor.advance()
            return Scalar(token.start, token.end, _number_text(source))
        case TokenKind.NAME:
            return _read_name(cursor)
        case TokenKind.OPERATOR if cursor.source in ("-", "!"):
            return ComputedNode(token.start, token.end, *_NOT_COMPUTED, token.start)
    if cursor.at("["):
        return _read_list(cursor, depth)
    if cursor.at("("):
        return _read_group(cursor, depth)
    if cursor.at("{"):
        return ComputedNode(token.start, _skip_brackets(cursor), *_NOT_COMPUTED, token.start)
    raise LockFileSyntaxProblem(
        token.start,
        LockFileSummary.INVALID_EXPRESSION,
        "a value is expected here",
        hint="write a string between quotes, or a list of them",
    )


_NOT_COMPUTED: Final = (
    LockFileSummary.UNSUPPORTED_EXPRESSION,
    "an expression that has to be computed cannot be used in a lock file",
)
_NO_VARIABLES: Final = (LockFileSummary.VARIABLES_NOT_ALLOWED, "a variable cannot be used in a lock file")
_NO_FUNCTIONS: Final = (LockFileSummary.FUNCTION_CALLS_NOT_ALLOWED, "a function cannot be called in a lock file")
_NO_FOR: Final = (LockFileSummary.INVALID_EXPRESSION, "a “for” expression cannot be used in a lock file")


def _number_text(source: str) -> str:
    """A number as it converts to a string; no number is a valid version, so that only plain ones are exact."""
    if "e" in source.lower():
        return source
    whole, _, fraction = source.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _text(cursor: Cursor, token: Token) -> TextNode:
    return TextNode(token.start, token.end, normalised(string_value(cursor.text, token.start, token.end)))


def string_value(text: str, start: int, end: int) -> str:
    """What the quoted text at a place stands for, before normalisation. A bad escape raises LockFileSyntaxProblem."""
    try:
        return unescaped(text[start + 1 : end - 1])
    except InvalidEscapeError as error:
        raise LockFileSyntaxProblem(
            start + 1 + error.position, LockFileSummary.INVALID_ESCAPE_SEQUENCE, str(error)
        ) from error


def _read_name(cursor: Cursor) -> Expression:
    token, source = cursor.token, cursor.source
    cursor.advance()
    match source:
        case "null":
            return Null(token.start, token.end)
        case "true" | "false":
            return Scalar(token.start, token.end, source)
    complaint = _NO_FUNCTIONS if cursor.at("(") else _NO_VARIABLES
    return ComputedNode(token.start, token.end, *complaint, token.start)


def _read_group(cursor: Cursor, depth: int) -> Group:
    start = cursor.token.start
    cursor.advance()
    cursor.skip_newlines()
    inner = read_expression(cursor, nested=True, depth=depth + 1)
    if not cursor.at(")"):
        raise LockFileSyntaxProblem(
            cursor.token.start, LockFileSummary.UNBALANCED_PARENTHESES, "a closing parenthesis is expected here"
        )
    end = cursor.token.end
    cursor.advance()
    return Group(start, end, inner)


def _read_list(cursor: Cursor, depth: int) -> ListNode | ComputedNode:
    start = cursor.token.start
    items: list[ListElement] = []
    cursor.advance()
    cursor.skip_newlines()
    if cursor.token.kind is TokenKind.NAME and cursor.source == "for":
        cursor.jump(start)
        return ComputedNode(start, _skip_brackets(cursor), *_NO_FOR, start)
    while True:
        _read_plain_lines(cursor, items)
        cursor.skip_newlines()
        if cursor.at("]"):
            break
        value = read_expression(cursor, nested=True, depth=depth + 1)
        comma = cursor.token.start if cursor.at(",") else None
        items.append(ListElement(value, comma))
        if comma is not None:
            cursor.advance()
        elif not cursor.at("]"):
            raise LockFileSyntaxProblem(
                cursor.token.start,
                LockFileSummary.MISSING_ITEM_SEPARATOR,
                "a comma or the end of the list is expected here",
                hint="put a comma between two hashes",
            )
    end = cursor.token.end
    cursor.advance()
    return ListNode(start, end, tuple(items))


def _read_plain_lines(cursor: Cursor, items: list[ListElement]) -> None:
    """Take the elements that stand on lines of their own at once; the result is the same as without, but sooner."""
    text, position, before = cursor.text, cursor.token.start, len(items)
    while match := _PLAIN_LINE.match(text, position):
        start, end = match.span(1)
        items.append(ListElement(TextNode(start - 1, end + 1, match[1]), match.start(2)))
        position = match.end()
    if position != cursor.token.start:
        cursor.scanner.count(_WORDS_OF_LINE * (len(items) - before), position)
        cursor.jump(position)


def _skip_brackets(cursor: Cursor) -> int:
    """Go behind the bracket that closes the one here, and return where that is."""
    depth = 0
    while True:
        if cursor.token.kind is TokenKind.END:
            raise LockFileSyntaxProblem(
                cursor.token.start, LockFileSummary.UNBALANCED_BRACKETS, "the file ends inside of brackets"
            )
        if cursor.token.kind is TokenKind.MARK:
            depth += (cursor.source in _OPENERS) - (cursor.source in _CLOSERS)
            if depth > MAX_DEPTH:
                raise too_deep(cursor.token.start)
        end = cursor.token.end
        cursor.advance()
        if depth == 0:
            return end


def _read_rest(cursor: Cursor, value: Expression, first: Token, *, nested: bool) -> ComputedNode:
    """Go over the rest of an expression that has to be computed."""
    end = value.end
    while not _expression_ends(cursor, nested=nested):
        if cursor.token.kind is TokenKind.MARK and cursor.source in _OPENERS:
            end = _skip_brackets(cursor)
        else:
            end = cursor.token.end
            cursor.advance()
        if nested:
            cursor.skip_newlines()
    if isinstance(value, ComputedNode):
        return ComputedNode(first.start, end, value.summary, value.message, value.at)
    return ComputedNode(first.start, end, *_NOT_COMPUTED, first.start)


def _expression_ends(cursor: Cursor, *, nested: bool) -> bool:
    match cursor.token.kind:
        case TokenKind.END:
            return True
        case TokenKind.NEWLINE:
            return not nested
        case TokenKind.MARK:
            return cursor.source in _CLOSERS or cursor.source in (",", "=")
        case _:
            return False


def _read_template(cursor: Cursor, token: Token, depth: int) -> Expression:
    """Read a quoted text with interpolations: its value when all of them are constant."""
    text, scanner = cursor.text, cursor.scanner
    parts: list[str] = []
    position = token.start + 1
    while True:
        plain_end = scanner.pieces_end(position)
        parts.append(string_value(text, position - 1, plain_end + 1))
        if text[plain_end] == '"':
            return TextNode(token.start, token.end, normalised("".join(parts)))
        end = scanner.interpolation_end(plain_end)
        if text[plain_end] == "%" or text[plain_end + 2] == "~":
            return ComputedNode(token.start, token.end, *_NOT_COMPUTED, plain_end)
        inner = Cursor(scanner, plain_end + 2)
        inner.skip_newlines()
        value = read_expression(inner, nested=True, depth=depth + 1)
        if inner.token.end != end:
            return ComputedNode(token.start, token.end, *_NOT_COMPUTED, inner.token.start)
        if plain_end == token.start + 1 and end == token.end - 1:
            return _whole(token, value)
        match value:
            case TextNode() | Scalar():
                parts.append(value.value)
            case _:
                return ComputedNode(token.start, token.end, *_reason(value))
        position = end


def _whole(token: Token, value: Expression) -> Expression:
    """A text that is one interpolation and nothing else has the interpolation's value, of whatever type."""
    match value:
        case TextNode(value=content):
            return TextNode(token.start, token.end, content)
        case Scalar(value=content):
            return Scalar(token.start, token.end, content)
        case Null():
            return Null(token.start, token.end)
        case _:
            return ComputedNode(token.start, token.end, *_reason(value))


def _reason(value: Expression) -> tuple[LockFileSummary, str, int]:
    if isinstance(value, ComputedNode):
        return (value.summary, value.message, value.at)
    return (*_NOT_COMPUTED, value.start)

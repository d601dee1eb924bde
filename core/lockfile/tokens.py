"""The words of a lock file: a scanner for HCL native syntax that knows where everything stands.

It reads in one pass, accepts what the clients accept and nothing more. Here-documents are HCL too, but no lock file
has a use for them, and they are refused.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from lockwarden.core.lockfile.summaries import LockFileSummary

MAX_STRING: Final = 4096
"""Characters between two quotes. The longest hash that anything can match has 67."""
MAX_DEPTH: Final = 32
"""How deep blocks, brackets and templates may be nested. A lock file needs two."""
MAX_WORDS: Final = 600_000
"""Tokens of a file. One with 5,000 providers of 30 hashes each has half as many."""

_BAD: Final = "\ud800-\udfff"
# The possessive quantifiers keep the time linear: what was read once is not tried again in another division.
_PLAIN: Final = rf'[^"\\$%\r\n{_BAD}]++|\\[^\r\n{_BAD}]|\$\$\{{|%%\{{|[$%](?!\{{)'
_TOKEN: Final = re.compile(
    rf"""[ \t]*+(?:
        (?P<newline>(?:\#|//)[^\n]*(?:\n|\Z)|\r?\n(?:[ \t]*+\r?\n)*+)
      | (?P<comment>/\*)
      | (?P<string>"(?:{_PLAIN}){{0,{MAX_STRING}}}+")
      | (?P<quote>")
      | (?P<name>[^\W\d][\w-]*)
      | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
      | (?P<heredoc><<-?[^\W\d])
      | (?P<mark>[{{}}\[\](),]|=(?![=>]))
      | (?P<operator>==|=>|!=|<=|>=|&&|\|\||::|\.\.\.|[-+*/%!<>?:.~])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_PIECES: Final = re.compile(rf"(?:{_PLAIN}){{0,{MAX_STRING + 1}}}+")


class TokenKind(StrEnum):
    """What a token is."""

    NEWLINE = "newline"
    STRING = "string"
    """A quoted text without interpolation."""
    TEMPLATE = "template"
    """A quoted text with `${…}` or `%{…}` in it."""
    NAME = "name"
    NUMBER = "number"
    MARK = "mark"
    """A bracket, a comma, an equals sign."""
    OPERATOR = "operator"
    END = "end"


class Token(NamedTuple):
    """One word and its place; `start` and `end` count characters of the text."""

    kind: TokenKind
    start: int
    end: int


class LockFileSyntaxProblem(Exception):  # noqa: N818
    """The text is not HCL at this place, or is HCL that no lock file may hold."""

    def __init__(
        self, offset: int, summary: LockFileSummary, message: str, *, hint: str = "", final: bool = False
    ) -> None:
        super().__init__(message)
        self.offset = offset
        self.summary = summary
        self.message = message
        self.hint = hint
        self.final = final
        """Whether there is nothing behind it to read."""


_KINDS: Final = {kind.value: kind for kind in TokenKind}


class LockScanner:
    """Hands out the tokens of a text and remembers the comments that it passed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments: dict[int, int] = {}
        """Where every comment that was passed begins and ends, the line end not included."""
        self.words = 0
        """How many tokens were handed out."""

    def count(self, words: int, position: int) -> None:
        """Count tokens. Raises LockFileSyntaxProblem when there are too many."""
        self.words += words
        if self.words > MAX_WORDS:
            message = f"the file has more than {MAX_WORDS} words"
            raise LockFileSyntaxProblem(position, LockFileSummary.FILE_TOO_LARGE, message, final=True)

    def token_at(self, position: int, *, depth: int = 0) -> Token:
        """The first token at or after a position, blanks and `/* */` comments skipped.

        A line end, also one behind a `#` or `//` comment, is a token; blank lines belong to the one before them. Raises
        LockFileSyntaxProblem.
        """
        self.count(1, position)
        while True:
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._bad_character(position)
            found = match.lastgroup or ""
            start, end = match.span(found)
            match found:
                case "comment":
                    position = self.comments[start] = self._comment_end(start)
                case "heredoc":
                    raise LockFileSyntaxProblem(
                        start,
                        LockFileSummary.UNSUPPORTED_EXPRESSION,
                        "a here-document cannot be used in a lock file",
                        hint="write the value between quotes",
                    )
                case "quote":
                    return self._template_at(start, depth)
                case "newline":
                    self._note_comment(start, end)
                    return Token(TokenKind.NEWLINE, start, end)
                case "string":
                    self._check_length(start, end)
                    return Token(TokenKind.STRING, start, end)
                case _:
                    return Token(_KINDS[found], start, end)

    def _note_comment(self, start: int, end: int) -> None:
        if self.text[start : start + 1] in ("#", "/"):
            end -= self.text.endswith("\n", start, end)
            self.comments[start] = end - self.text.endswith("\r", start, end)

    def _check_length(self, start: int, end: int) -> None:
        if end - start > MAX_STRING + 2:
            raise LockFileSyntaxProblem(
                start,
                LockFileSummary.STRING_TOO_LONG,
                f"the string that begins here has more than {MAX_STRING} characters",
            )

    def _comment_end(self, start: int) -> int:
        end = self.text.find("*/", start + 2)
        if end < 0:
            raise LockFileSyntaxProblem(
                start,
                LockFileSummary.UNCLOSED_COMMENT,
                "a comment begins here and never ends",
                hint="close it with */",
                final=True,
            )
        return end + 2

    def _bad_character(self, position: int) -> LockFileSyntaxProblem:
        while self.text[position] in " \t":
            position += 1
        char = self.text[position]
        if "\ud800" <= char <= "\udfff":
            return LockFileSyntaxProblem(
                position,
                LockFileSummary.INVALID_CHARACTER_ENCODING,
                f"the byte 0x{ord(char) - 0xDC00:02x} here is not UTF-8",
                hint="save the file as UTF-8",
            )
        return LockFileSyntaxProblem(
            position, LockFileSummary.INVALID_CHARACTER, f"the character U+{ord(char):04X} cannot stand here"
        )

    def _template_at(self, start: int, depth: int) -> Token:
        if depth >= MAX_DEPTH:
            raise too_deep(start)
        position, interpolated = start + 1, False
        while True:
            position = self.pieces_end(position)
            self._check_length(start, position + 1)
            if self.text.startswith('"', position):
                return Token(TokenKind.TEMPLATE if interpolated else TokenKind.STRING, start, position + 1)
            if not self.text.startswith(("${", "%{"), position):
                raise self._broken_string(start, position)
            interpolated = True
            position = self.interpolation_end(position, depth)

    def pieces_end(self, position: int) -> int:
        """Where a run of characters without quotes and interpolations ends, inside of a quoted text."""
        match = _PIECES.match(self.text, position)
        return match.end() if match else position

    def _broken_string(self, start: int, position: int) -> LockFileSyntaxProblem:
        if position < len(self.text) and "\ud800" <= self.text[position] <= "\udfff":
            return self._bad_character(position)
        return LockFileSyntaxProblem(
            start,
            LockFileSummary.UNTERMINATED_STRING,
            "a string begins here and does not end on its line",
            hint='close it with "',
        )

    def interpolation_end(self, position: int, depth: int = 0) -> int:
        """Where the `${` or `%{` at a position ends, behind its closing brace. Raises LockFileSyntaxProblem."""
        start, braces = position, 0
        position += 1
        while True:
            token = self.token_at(position, depth=depth + 1)
            position = token.end
            self._check_length(start, position)
            if token.kind is TokenKind.END:
                raise LockFileSyntaxProblem(
                    start, LockFileSummary.UNTERMINATED_TEMPLATE, "a template begins here and never ends"
                )
            word = self.text[token.start : token.end]
            braces += (word == "{") - (word == "}")
            if braces > MAX_DEPTH:
                raise too_deep(token.start)
            if braces == 0:
                return position


def too_deep(offset: int) -> LockFileSyntaxProblem:
    """The problem of something that is nested too deeply."""
    return LockFileSyntaxProblem(
        offset, LockFileSummary.NESTED_TOO_DEEPLY, f"blocks and brackets are nested more than {MAX_DEPTH} deep here"
    )

"""The words of a configuration: a scanner for HCL native syntax that finds where everything ends.

It follows the scanner of HCL itself, whose texts hold expressions that hold texts again. Whatever it does not know is
an error: what a configuration requires must not be missed because a text was taken to end elsewhere.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from lockwarden.core.configuration.syntax import Span, UnreadableProblem

MAX_DEPTH: Final = 64
"""How deep blocks, brackets and texts in texts may be nested."""
MAX_WORDS: Final = 500_000
"""Tokens of one file."""

_TOKEN: Final = re.compile(
    r"""[ \t]*+(?:
        (?P<newline>(?:\#|//)[^\n]*(?:\n|\Z)|\r?\n)
      | (?P<comment>/\*)
      | (?P<quote>")
      | (?P<name>[^\W\d][\w-]*)
      | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
      | (?P<heredoc><<-?(?P<anchor>[^\W\d][\w-]*)\r?\n)
      | (?P<mark>[{}\[\](),]|=(?![=>]))
      | (?P<operator>==|=>|!=|<=|>=|&&|\|\||::|\.\.\.|[-+*/%!<>?:.~])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_QUOTED: Final = re.compile(r'[^"\\$%\r\n]++|\\[^\r\n]|\$\$\{|%%\{|[$%](?!\{)')
_IN_HEREDOC: Final = re.compile(r"[^$%\n]++|\$\$\{|%%\{|[$%](?!\{)|\n")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|\$\$\{|%%\{", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_LAST_CODE_POINT: Final = 0x10FFFF
_BYTE_ORDER_MARK: Final = "\ufeff"


class ConfigTokenKind(StrEnum):
    """What a token is."""

    NEWLINE = "newline"
    TEXT = "text"
    """A quoted text whose value is known."""
    TEMPLATE = "template"
    """A text with an expression in it, or one over several lines."""
    NAME = "name"
    NUMBER = "number"
    MARK = "mark"
    OPERATOR = "operator"
    END = "end"


class ConfigToken(NamedTuple):
    """One token; the value of a text, else its source."""

    kind: ConfigTokenKind
    value: str


class ConfigScanner:
    """Hands out the tokens of a text. Every method may raise UnreadableProblem."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
        self._words = 0
        self._counted = (0, 1)
        """A position whose line is known, and that line."""
        self.last_text: Span | None = None
        """Where the last text stands whose value is known."""

    def next(self, *, depth: int = 0) -> ConfigToken:
        """The next token; END again and again at the end. A comment up to the end of its line is the line's end."""
        self._words += 1
        if self._words > MAX_WORDS:
            raise self.problem(f"it has more than {MAX_WORDS} words")
        while True:
            match = _TOKEN.match(self._text, self._position)
            if match is None:
                raise self.problem("it has a character that cannot stand there")
            found = "heredoc" if match["heredoc"] else match.lastgroup or ""
            self._position = match.end()
            match found:
                case "comment":
                    self._skip_comment()
                case "quote":
                    return self._quoted(depth)
                case "heredoc":
                    return self._heredoc(match["anchor"], depth)
                case _:
                    return ConfigToken(ConfigTokenKind(found), match[found])

    def problem(self, message: str) -> UnreadableProblem:
        """The problem with its line."""
        return UnreadableProblem(message, line=self.line)

    @property
    def line(self) -> int:
        """The line of what comes behind the last token, which is that of its end."""
        before, line = self._counted
        self._counted = (self._position, line + self._text.count("\n", before, self._position))
        return self._counted[1]

    def enter(self, depth: int) -> int:
        """Note that what follows is nested so deep. Raises UnreadableProblem beyond the limit."""
        if depth >= MAX_DEPTH:
            raise self.problem(f"it is nested more than {MAX_DEPTH} deep")
        return depth + 1

    def _skip_comment(self) -> None:
        end = self._text.find("*/", self._position)
        if end < 0:
            raise self.problem("a comment never ends")
        self._position = end + 2

    def _quoted(self, depth: int) -> ConfigToken:
        start, computed = self._position, False
        while True:
            while piece := _QUOTED.match(self._text, self._position):
                self._position = piece.end()
            if self._text.startswith('"', self._position):
                self._position += 1
                source = self._text[start : self._position - 1]
                if computed:
                    return ConfigToken(ConfigTokenKind.TEMPLATE, source)
                self.last_text = (start - 1, self._position)
                return ConfigToken(ConfigTokenKind.TEXT, self._unescaped(source))
            if not self._text.startswith(("${", "%{"), self._position):
                raise self.problem("a text does not end on its line")
            computed = True
            self._skip_expression(depth)

    def _skip_expression(self, depth: int) -> None:
        """Skip to behind the brace that closes the `${` or `%{` at this place."""
        self._position += 2
        inner, braces = self.enter(depth), 1
        while braces:
            word = self.next(depth=inner)
            if word.kind is ConfigTokenKind.END:
                raise self.problem("an expression in a text never ends")
            if word.kind is ConfigTokenKind.MARK:
                braces += (word.value == "{") - (word.value == "}")

    def _heredoc(self, anchor: str, depth: int) -> ConfigToken:
        """A text up to a line that has nothing but the anchor. What stands before that line's end stays to be read."""
        line, whole = self._position, True
        while True:
            piece = _IN_HEREDOC.match(self._text, self._position)
            if piece is None:
                if not self._text.startswith(("${", "%{"), self._position):
                    raise self.problem(f"the text up to “{anchor}” never ends")
                whole = False
                self._skip_expression(depth)
                continue
            if piece[0] == "\n":
                content = self._text[line : self._position]
                if whole and content.strip() == anchor:
                    if content.strip(" \t\r") != anchor:
                        raise self.problem(f"it is not plain where the text up to “{anchor}” ends")
                    return ConfigToken(ConfigTokenKind.TEMPLATE, "")
                line, whole = piece.end(), True
            self._position = piece.end()

    def _unescaped(self, source: str) -> str:
        return _ESCAPE.sub(self._one, source)

    def _one(self, match: re.Match[str]) -> str:
        if match[0] in {"$${", "%%{"}:
            return match[0][1:]
        if (digits := match[1] or match[2]) is not None:
            if (code := int(digits, 16)) > _LAST_CODE_POINT:
                raise self.problem("there is no such character")
            return chr(code)
        if match[3] not in _ESCAPES:
            raise self.problem("there is no such escape sequence in a text")
        return _ESCAPES[match[3]]

"""The words of a configuration file: a scanner for HCL 1, the older syntax that the clients read their own with.

It differs from the HCL of lock files: names may be quoted, blocks may stand on one line, commas may separate them, and
inside of `${…}` a text is kept as it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import StrEnum
from typing import Final, NamedTuple

from lockwarden.core.hcl.syntax import SyntaxProblem
from lockwarden.core.values.late_patterns import LatePattern

MAX_WORDS: Final = 200_000
"""Tokens of one file; real ones have a few hundred."""

_TOKEN: Final = LatePattern(
    r"""(?:[ \t\r\n]|(?:\#|//)[^\n]*)*+(?:
        (?P<comment>/\*)
      | (?P<name>[^\W\d](?:[\w.-])*)
      | (?P<float>-?[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
      | (?P<number>-?(?:0[xX][0-9A-Fa-f]+|0[0-7]*(?![xX])|[1-9][0-9]*))
      | (?P<quote>")
      | (?P<heredoc><<-?(?P<anchor>\w+)\n)
      | (?P<mark>[{}\[\],=])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_RESERVED: Final = LatePattern("[\0\ue123\ud800-\udfff]")
_PIECE: Final = LatePattern(
    r'(?P<plain>[^"\\$\n]++)|(?P<escape>\\(?:[abfnrtv\\"]|[0-7]{3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}))'
    r'|(?P<open>\$\{)|(?P<dollar>\$)|(?P<quote>")'
)
_IN_BRACES: Final = LatePattern(r"[^{}\\]++|\\.|[{}]", re.DOTALL)
_ESCAPES: Final = {
    "a": b"\a",
    "b": b"\b",
    "f": b"\f",
    "n": b"\n",
    "r": b"\r",
    "t": b"\t",
    "v": b"\v",
    "\\": b"\\",
    '"': b'"',
}
_LAST_CODE_POINT: Final = 0x10FFFF


class HclTokenKind(StrEnum):
    """What a token is."""

    NAME = "name"
    TEXT = "text"
    HEREDOC = "heredoc"
    """A text over several lines, between `<<WORD` and `WORD`."""
    NUMBER = "number"
    FLOAT = "float"
    MARK = "mark"
    END = "end"


class HclToken(NamedTuple):
    """One token: what it is, the value of a text or else its source, and its line."""

    kind: HclTokenKind
    value: str
    line: int


class HclScanner:
    """Hands out the tokens of a text, which has only line feeds as line ends. Every method may raise SyntaxProblem."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._words = 0
        self._feeds = [match.start() for match in re.finditer("\n", text)]
        if bad := _RESERVED.search(text):
            raise SyntaxProblem(self._line(bad.start()), f"the character U+{ord(bad[0]):04X} may not stand in it")

    def next(self) -> HclToken:
        """The next token; END again and again at the end."""
        self._words += 1
        if self._words > MAX_WORDS:
            raise SyntaxProblem(self._line(self._position), f"it has more than {MAX_WORDS} words")
        while True:
            match = _TOKEN.match(self._text, self._position)
            if match is None:
                raise self._bad_character()
            found = match.lastgroup if match.lastgroup != "anchor" else "heredoc"
            start, self._position = match.span(found or 0)
            line = self._line(start)
            match found:
                case "comment":
                    self._skip_comment(line)
                case "quote":
                    return HclToken(HclTokenKind.TEXT, self._quoted(line), line)
                case "heredoc":
                    return HclToken(HclTokenKind.HEREDOC, self._heredoc(match, line), line)
                case _:
                    return HclToken(HclTokenKind(found or ""), match[found or 0], line)

    def _line(self, position: int) -> int:
        return bisect_left(self._feeds, position) + 1

    def _skip_comment(self, line: int) -> None:
        end = self._text.find("*/", self._position)
        if end < 0:
            raise SyntaxProblem(line, "a comment begins here and never ends", hint="close it with */")
        self._position = end + 2

    def _bad_character(self) -> SyntaxProblem:
        position = self._position
        while self._text[position] in " \t\r\n":
            position += 1
        line = self._line(position)
        if self._text.startswith("<<", position):
            return SyntaxProblem(line, "“<<” must be followed by a word and the end of the line")
        return SyntaxProblem(line, f"the character U+{ord(self._text[position]):04X} cannot stand here")

    def _quoted(self, line: int) -> str:
        """What the text stands for whose opening quotation mark was passed."""
        value = bytearray()
        while match := _PIECE.match(self._text, self._position):
            self._position = match.end()
            match match.lastgroup:
                case "quote":
                    return value.decode("utf-8", "replace")
                case "escape":
                    value += self._escaped(match["escape"][1:], line)
                case "open":
                    value += b"${" + self._braced(line).encode()
                case _:
                    value += match[0].encode()
        if self._text.startswith("\\", self._position):
            raise SyntaxProblem(self._line(self._position), "there is no such escape sequence in a text")
        raise SyntaxProblem(line, "a text begins here and does not end on its line", hint='close it with "')

    def _escaped(self, sequence: str, line: int) -> bytes:
        if sequence in _ESCAPES:
            return _ESCAPES[sequence]
        code = int(sequence, 8) if sequence.isdigit() else int(sequence[1:], 16)
        if sequence[0] in "uU":
            if code > _LAST_CODE_POINT:
                raise SyntaxProblem(line, f"there is no character U+{code:X}")
            return chr(code).encode("utf-8", "replace")
        if code > 0xFF:
            raise SyntaxProblem(line, "there is no such escape sequence in a text")
        return bytes([code])

    def _braced(self, line: int) -> str:
        """The source of an interpolation up to its closing brace, that included."""
        start, depth = self._position, 1
        while depth and (match := _IN_BRACES.match(self._text, self._position)):
            self._position = match.end()
            depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth:
            raise SyntaxProblem(line, "a text with ${ begins here and never ends", hint='close it with }"')
        return self._text[start : self._position]

    def _heredoc(self, match: re.Match[str], line: int) -> str:
        indented = match["heredoc"].startswith("<<-")
        anchor = ("+" if indented else "*") + ")" + re.escape(match["anchor"])
        end = re.compile(rf"^([ \t\v\f\r]{anchor}\r*\n", re.MULTILINE).search(self._text, self._position)
        if end is None:
            raise SyntaxProblem(line, f"the text that begins here must end with a line “{match['anchor']}”")
        content = self._text[self._position : end.start()] + end[1]
        self._position = end.end()
        return _unindented(content) if indented else content


def _unindented(content: str) -> str:
    """The text without the indentation of its last line, which has nothing else, when all its lines have it."""
    *lines, prefix = content.split("\n")
    if all(line.startswith(prefix) for line in lines):
        return "".join(line.removeprefix(prefix) + "\n" for line in lines)
    return content.rstrip(" \t")

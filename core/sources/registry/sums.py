"""Reads a SHA256SUMS document line by line, and tells what the clients would make of the same bytes.

A line is a SHA-256 digest in hexadecimal and a file name. What a line says is taken wherever no doubt is possible.
That goes for lines that the clients cannot read, too (a byte order mark, a binary marker). The caller reports what
they would do. Both clients read it by these rules. Lines end at a line feed and are cut at blanks, Unicode's too. An
empty line makes the program crash. A line that is not 64 digits and a second word silences the whole list. The second
word alone is the name, with its asterisk.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from typing import Final

from msgspec import Struct

from lockwarden.core.values.errors import BadAnswerError, Stage
from lockwarden.core.values.go_json import looks_like_html
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.problem_codes import ProblemCode

MAX_BYTES: Final = 1024 * 1024
"""Bytes of a document. Real ones have a few kilobytes; the clients know no limit."""
MAX_LINES: Final = 2_000
"""Lines of a document. Real ones have a few dozen."""

_DIGEST: Final = re.compile(rb"[0-9a-fA-F]{64}")
_HEXADECIMAL: Final = re.compile(rb"[0-9a-fA-F]+")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_DIGITS: Final = 64
_BLANKS: Final = re.compile(
    rb"(?:[\t-\r ]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80)+"
)
"""What Go takes for blanks, in UTF-8."""
_FIRST_LINES: Final = 20


class SumsLine(Struct, frozen=True, kw_only=True):
    """One line that gives a file's hash."""

    number: int
    """From 1."""
    hash: Hash
    """Always with lower-case digits, as the clients record it."""
    file_name: str
    """Without a binary marker."""
    written_name: str
    """As it stands there, which is what the clients compare."""

    @property
    def starred(self) -> bool:
        """Whether a binary marker stands before the name, so that the clients find no such file."""
        return self.written_name != self.file_name


class BadLine(Struct, frozen=True, kw_only=True):
    """One line that gives no hash."""

    number: int
    reason: str
    """The end of a sentence that starts “it …”."""
    written_name: str = ""
    """The second word, where there is one: the clients look for names on such lines too."""


class Sums(Struct, frozen=True, kw_only=True, dict=True):
    """A SHA256SUMS document that was read. It proves nothing until a signature over its bytes is good."""

    lines: tuple[SumsLine, ...]
    bad_lines: tuple[BadLine, ...] = ()
    blank_lines: tuple[int, ...] = ()
    byte_order_mark: bool = False
    extra_words: tuple[int, ...] = ()
    """Lines with more words than a digest and a name; what comes after the name is ignored."""
    web_page: bool = False
    """Whether it lists nothing and looks like a page that somebody else gave in its place."""

    @cached_property
    def hashes(self) -> frozenset[Hash]:
        """The hash of every line."""
        return frozenset(line.hash for line in self.lines)

    @cached_property
    def by_name(self) -> dict[str, frozenset[Hash]]:
        """The hashes that the document gives for each file name."""
        found: defaultdict[str, set[Hash]] = defaultdict(set)
        for line in self.lines:
            found[line.file_name].add(line.hash)
        return {name: frozenset(hashes) for name, hashes in found.items()}

    @property
    def crash_line(self) -> int | None:
        """The empty line at which the clients crash, or None; behind a line that they cannot read they do not look."""
        if not self.blank_lines or self.byte_order_mark:
            return None
        first = self.blank_lines[0]
        return None if any(bad.number < first for bad in self.bad_lines) else first

    def client_finds(self, file_name: str) -> SumsLine | BadLine | None:
        """The line that the clients look at for a file: the first whose second word is exactly its name.

        A BadLine when they cannot read that line's digest; None when there is no such line.
        """
        every: tuple[SumsLine | BadLine, ...] = (*self.lines, *self.bad_lines)
        named = [line for line in every if line.written_name == file_name]
        first = min(named, key=lambda line: line.number, default=None)
        if first is not None and first.number == 1 and self.byte_order_mark:
            return BadLine(number=1, reason="starts with a byte order mark", written_name=file_name)
        return first


def read_sums(document: bytes) -> Sums:
    """Read a SHA256SUMS document, whatever it holds; lines that give no hash are in `bad_lines`.

    Raises BadAnswerError only when the document is larger than MAX_BYTES or has more than MAX_LINES lines.
    """
    if len(document) > MAX_BYTES:
        raise _too_large(f"{len(document)} bytes; the limit is {MAX_BYTES}")
    marked = document.startswith(_BYTE_ORDER_MARK)
    pieces = document.removeprefix(_BYTE_ORDER_MARK).split(b"\n", MAX_LINES + 1)
    if len(pieces) > MAX_LINES + 1 or (len(pieces) == MAX_LINES + 1 and pieces[-1]):
        raise _too_large(f"more than {MAX_LINES} lines")
    if not pieces[-1]:
        pieces.pop()
    return _read(pieces, marked=marked)


def _read(pieces: list[bytes], *, marked: bool) -> Sums:
    lines: list[SumsLine] = []
    bad: list[BadLine] = []
    blank: list[int] = []
    extra: list[int] = []
    for number, piece in enumerate(pieces, start=1):
        words = [word for word in _BLANKS.split(piece) if word]
        if not words:
            blank.append(number)
        elif flaw := _flaw(words):
            bad.append(BadLine(number=number, reason=flaw, written_name=_text(words[1]) if len(words) > 1 else ""))
        else:
            lines.append(_line(number, words))
            if len(words) > 2:
                extra.append(number)
    return Sums(
        lines=tuple(lines),
        bad_lines=tuple(bad),
        blank_lines=tuple(blank),
        byte_order_mark=marked,
        extra_words=tuple(extra),
        web_page=not lines and looks_like_html(b"\n".join(pieces[:_FIRST_LINES])),
    )


def _flaw(words: list[bytes]) -> str:
    digest = words[0]
    if not _DIGEST.fullmatch(digest):
        if _HEXADECIMAL.fullmatch(digest) and len(words) > 1:
            return f"has {len(digest)} hexadecimal digits where a SHA-256 digest has {_DIGITS}"
        return "does not start with a SHA-256 digest"
    return "names no file" if len(words) == 1 else ""


def _line(number: int, words: list[bytes]) -> SumsLine:
    apart = words[1] == b"*" and len(words) > 2
    return SumsLine(
        number=number,
        hash=Hash(f"{ZH}:{words[0].decode('ascii').lower()}"),
        file_name=_text(words[2] if apart else words[1].removeprefix(b"*") or words[1]),
        written_name=_text(words[1]),
    )


def _text(word: bytes) -> str:
    return word.decode(errors="backslashreplace")


def _too_large(what: str) -> BadAnswerError:
    return BadAnswerError(
        f"the document has {what}",
        stage=Stage.SUMS,
        code=ProblemCode.SUMS_TOO_LARGE,
        hint="a list of checksums has a line for each platform; ask who runs the registry what this is",
    )

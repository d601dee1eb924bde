"""String literals of HCL: what a quoted text stands for, and how the clients quote a value."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lockwarden.core.hcl.writing import escaped
from lockwarden.core.values.late_patterns import LatePattern

_ESCAPE: Final = LatePattern(r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\[nrt\"\\]|\\.|\$\$\{|%%\{", re.DOTALL)
_SIMPLE: Final = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\"": '"', r"\\": "\\", "$${": "${", "%%{": "%{"}
_LAST_CODE_POINT: Final = 0x10FFFF
_SURROGATES: Final = range(0xD800, 0xE000)


class InvalidEscapeError(ValueError):
    """An escape sequence that HCL does not know; `position` counts from the start of the text."""

    def __init__(self, sequence: str, position: int) -> None:
        super().__init__(f"there is no escape sequence {sequence}")
        self.position = position


def unescaped(text: str) -> str:
    """What the text between two quotes stands for, not yet normalised. Raises InvalidEscapeError."""
    if "\\" not in text and "{" not in text:
        return text
    return _ESCAPE.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    sequence = match[0]
    if sequence in _SIMPLE:
        return _SIMPLE[sequence]
    if len(sequence) > len(r"\u"):
        code = int(f"0x{sequence[2:]}", 0)
        if code <= _LAST_CODE_POINT and code not in _SURROGATES:
            return chr(code)
    raise InvalidEscapeError(sequence, match.start())


def normalised(value: str) -> str:
    """The value as the clients keep it: Unicode normalisation form C."""
    return value if value.isascii() else unicodedata.normalize("NFC", value)


def quoted(value: str) -> str:
    """The value as the clients write it: printable Unicode as it is, everything else escaped."""
    if value.isascii() and value.isprintable() and not any(char in value for char in '"\\{'):
        return f'"{value}"'
    return f'"{escaped(value).replace("${", "$${").replace("%{", "%%{")}"'

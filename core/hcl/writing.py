"""Writes blocks in the form that `terraform fmt` gives them, and puts them at the end of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

NamedValue: TypeAlias = tuple[str, str | bool | int | Sequence[str]]
"""A name and its value: a text, a truth value, a whole number or a list of texts."""

_WIDTH: Final = 100
"""Characters of a line from which on a list has a line for each element."""
_FOUR_DIGITS: Final = 0x10000


def escaped(value: str) -> str:
    """The characters of a text as they stand between quotation marks, its `${` and `%{` not yet considered."""
    return "".join(map(_escaped_character, value))


def quoted(value: str) -> str:
    """The text in quotation marks, without sequences that the older and the newer HCL read differently."""
    text = escaped(value).replace("${", r"\u0024{").replace("%{", r"\u0025{")
    return f'"{text}"'


def block_text(name: str, label: str, settings: Iterable[NamedValue]) -> str:
    """A block, its last line end included; an empty label is none."""
    lines = [f"{name} {quoted(label)} {{" if label else f"{name} {{"]
    aligned: list[tuple[str, str]] = []
    for key, value in settings:
        if isinstance(value, bool):
            aligned.append((key, "true" if value else "false"))
        elif isinstance(value, int):
            aligned.append((key, str(value)))
        elif isinstance(value, str):
            aligned.append((key, quoted(value)))
        elif _fits(key, value):
            aligned.append((key, f"[{', '.join(map(quoted, value))}]"))
        else:
            lines += _aligned(aligned)
            aligned = []
            lines += [f"  {key} = [", *(f"    {quoted(each)}," for each in value), "  ]"]
    return "\n".join([*lines, *_aligned(aligned), "}", ""])


def appended(data: bytes, text: str) -> bytes:
    """The file with a blank line and a text at its end, in the line ends that most of its lines have."""
    crlf = data.count(b"\r\n")
    line_end = b"\r\n" if 2 * crlf > data.count(b"\n") else b"\n"
    between = b""
    if data:
        between += b"" if data.endswith(b"\n") else line_end
        between += b"" if data.endswith((b"\n\n", b"\n\r\n")) else line_end
    return data + between + text.encode("utf-8", "replace").replace(b"\n", line_end)


def _fits(key: str, values: Sequence[str]) -> bool:
    return len(values) < 2 or len(key) + sum(len(each) + len('"", ') for each in values) < _WIDTH


def _aligned(settings: Iterable[tuple[str, str]]) -> list[str]:
    pairs = list(settings)
    width = max((len(key) for key, _ in pairs), default=0)
    return [f"  {key:<{width}} = {value}" for key, value in pairs]


def _escaped_character(char: str) -> str:
    match char:
        case "\n":
            return r"\n"
        case "\r":
            return r"\r"
        case "\t":
            return r"\t"
        case '"' | "\\":
            return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < _FOUR_DIGITS else f"\\U{code:08x}"

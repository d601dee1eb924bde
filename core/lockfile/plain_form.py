"""Reads a lock file that has exactly the form that the clients give it, by a rule so strict that nothing is left open.

In this form every line is one of seven, and no string holds a character that means anything in HCL: no quotation mark,
no backslash, no `$` and no `%`. There is one way to read such a text, so that a second opinion needs no parser of the
whole language. Anything else, down to a space more, is not in this form.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

PlainShape: TypeAlias = "tuple[str | PlainShape, ...]"
"""Nested tuples, without white space: the name of an argument and its value, or the values of its list; the type, the
labels and the content of a block.
"""

_STRING: Final = r'"[A-Za-z0-9+/=:._,<>!~ -]{1,1000}"'
_HASH: Final = r'    ("[A-Za-z0-9+/=:]{1,128}"),\n'
_HEADER: Final = re.compile(r"(?:#[ -~]{0,1000}\n)*+")
_BLOCK: Final = re.compile(
    rf"\nprovider ({_STRING}) \{{\n"
    rf"  version +=[ ]({_STRING})\n"
    rf"(?:  constraints = ({_STRING})\n)?"
    rf"(?:  hashes = \[\n((?:{_HASH})+)  \]\n)?"
    r"\}\n"
)
_HASHES: Final = re.compile(_HASH)


def plain_reading(text: str) -> list[PlainShape] | None:
    """The blocks of a text in the clients' own form, or None for any other text."""
    header = _HEADER.match(text)
    at = 0 if header is None else header.end()
    blocks: list[PlainShape] = []
    while at < len(text):
        block = _BLOCK.match(text, at)
        if block is None:
            return None
        label, version, constraints, hashes, _ = block.groups()
        items: list[PlainShape] = [("version", _bare(version))]
        if constraints is not None:
            items.append(("constraints", _bare(constraints)))
        if hashes is not None:
            items.append(("hashes", tuple(_HASHES.findall(hashes))))
        blocks.append(("provider", (label,), tuple(items)))
        at = block.end()
    return blocks


def _bare(string: str) -> str:
    return string.replace(" ", "")

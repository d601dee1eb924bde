"""HTML from values: whatever is put into an element is text, unless it was made here."""

from __future__ import annotations

import base64
import hashlib
import html
from typing import Final, NewType

from lockwarden.core.reports.bounds import shortened
from lockwarden.core.values.printable import inert, reveal

Html = NewType("Html", str)
"""Markup that was made by the functions below, and by nothing else."""
NOTHING: Final = Html("")
_MAX: Final = 2_000
"""Characters of one text from outside."""
_EMPTY: Final = frozenset({"meta", "wbr"})


def words(text: str) -> Html:
    """Text as it is: nothing in it is markup, or a command in a job's log, and what nobody could see is spelled out."""
    escaped = html.escape(shortened(reveal(text), _MAX), quote=True)
    return Html(inert(escaped, spell=lambda char: f"&#{ord(char)};"))


def foreign(text: str) -> Html:
    """Text from outside. Letters that are written from the right do not move what stands beside it."""
    return element("bdi", words(text))


def foreign_code(text: str) -> Html:
    """The same of a hash, an address or a path."""
    return element("code", element("bdi", words(text)))


def foreign_path(text: str) -> Html:
    """The same of a path or a name with slashes, after which it may break."""
    first, *others = shortened(reveal(text), _MAX).split("/")
    parts = (together(Html("/<wbr>"), words(each)) for each in others)
    return element("bdi", words(first), *parts)


def element(tag: str, /, *children: Html, **attributes: str | None) -> Html:
    """An element. Attributes that are None are left out; `class_` is a class, and an underscore stands for a hyphen."""
    opened = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{words(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if tag in _EMPTY:
        return Html(f"<{tag}{opened}>")
    return Html(f"<{tag}{opened}>{''.join(children)}</{tag}>")


def together(*parts: Html) -> Html:
    """One after the other."""
    return Html("".join(parts))


def verbatim(name: str, text: str) -> Html:
    """A `style` or `script` of ours. What its text says is not looked at, but for its end."""
    if f"</{name}" in text.lower():
        raise ValueError(f"the text would end its {name}")
    return Html(f"<{name}>{text}</{name}>")


def source_of(text: str) -> str:
    """How a content security policy names an inline style or script: by the digest of its text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

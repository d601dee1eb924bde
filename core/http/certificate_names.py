"""Who issued a certificate, read from its DER bytes, to name a stranger in an error message. It checks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_SEQUENCE: Final = 0x30
_SET: Final = 0x31
_VERSION: Final = 0xA0
_OBJECT_IDENTIFIER: Final = 0x06
_COMMON_NAME: Final = b"\x55\x04\x03"
_ORGANISATION: Final = b"\x55\x04\x0a"
_UNIT: Final = b"\x55\x04\x0b"
_TEXT_ENCODINGS: Final = {0x0C: "utf-8", 0x13: "ascii", 0x14: "latin-1", 0x16: "ascii", 0x1E: "utf-16-be"}
_LONGEST: Final = 200


def issuer_name(certificate: bytes) -> str:
    """The issuer's common name, unit and organisation, or the empty string where they cannot be read. Hostile text."""
    try:
        (_, body), *_ = _elements(certificate)
        (_, signed), *_ = _elements(body)
        fields = [content for tag, content in _elements(signed) if tag != _VERSION]
        names = dict(_attributes(fields[2]))  # serial number, algorithm, issuer
    except (ValueError, IndexError):
        return ""
    parts = [names[identifier] for identifier in (_COMMON_NAME, _UNIT, _ORGANISATION) if names.get(identifier)]
    return ", ".join(dict.fromkeys(parts))[:_LONGEST]


def _attributes(name: bytes) -> Iterator[tuple[bytes, str]]:
    for set_tag, group in _elements(name):
        for tag, pair in _elements(group) if set_tag == _SET else ():
            (identifier_tag, identifier), (text_tag, text) = _elements(pair)
            if tag == _SEQUENCE and identifier_tag == _OBJECT_IDENTIFIER and text_tag in _TEXT_ENCODINGS:
                yield identifier, text.decode(_TEXT_ENCODINGS[text_tag], "replace")


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and content of each DER element in a row. Raises ValueError where one runs past the end."""
    at = 0
    while at < len(data):
        tag = data[at]
        length = data[at + 1]
        at += 2
        if length >= 0x80:
            size = length & 0x7F
            length = int.from_bytes(data[at : at + size], "big")
            at += size
        if at + length > len(data):
            raise ValueError("an element runs past the end")
        yield tag, data[at : at + length]
        at += length

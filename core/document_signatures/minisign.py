"""Keys and signatures of minisign and of OpenBSD's signify, which share one form but for the trusted comment.

A key's ID is chosen by whoever makes the key, so that it proves nothing: a key is named whole.
"""

from __future__ import annotations

import hashlib
from typing import Final

from msgspec import Struct

from lockwarden.core.document_signatures.base64_text import decoded
from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.values.late_patterns import LatePattern

UNTRUSTED: Final = "untrusted comment: "
_TRUSTED: Final = "trusted comment: "
_LINES: Final = LatePattern(
    rf"{UNTRUSTED}[^\n]*\n(?P<signature>[^\n]+)(?:\n{_TRUSTED}(?P<comment>[^\n]*)\n(?P<over_comment>[^\n]+))?\n?"
)
_PLAIN, _HASHED = b"Ed", b"ED"
_ID: Final = 8
_KEY: Final = 32
_SIGNATURE: Final = 64
_WHAT: Final = "the signature"


class MinisignKey(Struct, frozen=True):
    """A public key."""

    id: bytes
    point: bytes

    @property
    def number(self) -> str:
        """The ID as minisign prints it, which anyone can give to another key."""
        return self.id[::-1].hex().upper()


class MinisignSignature(Struct, frozen=True, kw_only=True):
    """A signature that is well formed. Whether it is good is told by `verification`."""

    id: bytes
    """Of the key that is said to have made it."""
    hashed: bool
    """It is over the document's BLAKE2b digest."""
    raw: bytes
    comment: str | None
    """The trusted comment; None for signify, which has none."""
    over_comment: bytes
    """The signature over signature and comment."""

    @property
    def scheme(self) -> str:
        """Minisign, or signify where there is no trusted comment."""
        return "signify" if self.comment is None else "minisign"

    def signed(self, document: bytes) -> bytes:
        """The bytes that the key signs of a document."""
        return hashlib.blake2b(document).digest() if self.hashed else document


def read_minisign_key(text: str) -> MinisignKey:
    """A public key in its one line of base64. Raises MalformedError and UnsupportedError."""
    data = decoded(text, "the key")
    if len(data) != len(_PLAIN) + _ID + _KEY:
        raise MalformedError("the key is not a public key of minisign or signify", hint="write the line of its file")
    if not data.startswith(_PLAIN):
        raise UnsupportedError("the key is of another kind than Ed25519")
    return MinisignKey(data[len(_PLAIN) : len(_PLAIN) + _ID], data[len(_PLAIN) + _ID :])


def read_minisign_signature(text: str) -> MinisignSignature:
    """A signature from its file, with or without a trusted comment. Raises MalformedError and UnsupportedError."""
    found = _LINES.fullmatch(text.replace("\r\n", "\n"))
    if found is None:
        raise MalformedError(f"{_WHAT} has not the lines that minisign and signify write")
    data = decoded(found["signature"], _WHAT)
    if len(data) != len(_PLAIN) + _ID + _SIGNATURE:
        raise MalformedError(f"{_WHAT} has not the length of one of minisign or signify")
    kind = data[: len(_PLAIN)]
    if kind not in {_PLAIN, _HASHED} or (kind == _HASHED and found["comment"] is None):
        raise UnsupportedError(f"{_WHAT} is of a kind that neither minisign nor signify makes")
    over_comment = b"" if found["comment"] is None else decoded(found["over_comment"], f"{_WHAT} over the comment")
    if found["comment"] is not None and len(over_comment) != _SIGNATURE:
        raise MalformedError(f"{_WHAT} over the comment has not the right length")
    return MinisignSignature(
        id=data[len(_PLAIN) : len(_PLAIN) + _ID],
        hashed=kind == _HASHED,
        raw=data[len(_PLAIN) + _ID :],
        comment=found["comment"],
        over_comment=over_comment,
    )

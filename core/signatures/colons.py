"""gpg's machine-readable key listing (`--with-colons`), as values (GnuPG, doc/DETAILS)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.values.late_patterns import LatePattern

_ESCAPE: Final = LatePattern(rb"\\(?:x([0-9a-fA-F]{2})|([nrfvb0]))")
_SHORT_ESCAPES: Final = {b"n": b"\n", b"r": b"\r", b"f": b"\f", b"v": b"\v", b"b": b"\b", b"0": b"\0"}
_UID_FIELD: Final = 9
"""User ID or fingerprint."""
_CAPABILITIES_FIELD: Final = 11
_CLASS_FIELD: Final = 10
"""Of a signature. Lines with fewer fields hold nothing of use here."""
_DIRECT: Final = b"1f"
"""The class of a signature over the key alone, which the clients do not look at."""
_CURVE_FIELD: Final = 16
_NAMES: Final = {"1": "rsa", "2": "rsa", "3": "rsa", "16": "elg", "17": "dsa", "20": "elg"}


class KeyFacts(Struct, frozen=True, kw_only=True):
    """One key or subkey as gpg lists it, apart from what depends on the present time."""

    fingerprint: str
    algorithm: str
    created: datetime | None
    expires: datetime | None
    revoked: bool
    may_sign: bool
    """Its self-signature lets it sign documents; nothing is said of whether it has expired."""

    def valid_at(self, moment: datetime) -> bool:
        """Whether the key existed and had not expired at that time. Revocation is another question."""
        return (self.created is None or self.created <= moment) and (self.expires is None or moment < self.expires)


class Certificate(Struct, frozen=True, kw_only=True):
    """A primary key with its user IDs and subkeys, as far as gpg accepted them."""

    primary: KeyFacts
    subkeys: tuple[KeyFacts, ...]
    user_ids: tuple[bytes, ...]
    valid_user_ids: int
    """How many of them are not revoked."""
    user_attributes: int
    wrong_signature: bool = False
    """Whether gpg has kept a signature in the key's own name that does not fit what it is over."""


class _Draft(Struct):
    """A certificate in the making: records follow the `pub` record that they belong to."""

    keys: list[KeyFacts]
    user_ids: list[bytes]
    valid_user_ids: int = 0
    user_attributes: int = 0
    wrong_signature: bool = False

    def finish(self) -> Certificate:
        primary, *subkeys = self.keys
        return Certificate(
            primary=primary,
            subkeys=tuple(subkeys),
            user_ids=tuple(self.user_ids),
            valid_user_ids=self.valid_user_ids,
            user_attributes=self.user_attributes,
            wrong_signature=self.wrong_signature,
        )


def read_certificates(listing: bytes) -> tuple[Certificate, ...]:
    """The certificates of a listing, in its order. Records of other kinds are passed over."""
    return tuple(draft.finish() for draft in _drafts(listing))


def _drafts(listing: bytes) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for line in listing.split(b"\n"):
        fields = line.split(b":")
        if len(fields) <= _CLASS_FIELD:
            continue
        kind = fields[0]
        if kind == b"pub":
            if draft is not None:
                yield draft
            draft = _Draft(keys=[_key(fields)], user_ids=[])
        elif draft is not None:
            _add(draft, kind, fields)
    if draft is not None:
        yield draft


def _add(draft: _Draft, kind: bytes, fields: list[bytes]) -> None:
    match kind:
        case b"sub":
            draft.keys.append(_key(fields))
        case b"fpr":
            draft.keys[-1] = replace(draft.keys[-1], fingerprint=fields[_UID_FIELD].decode("ascii", "replace"))
        case b"uid":
            draft.user_ids.append(_unescape(fields[_UID_FIELD]))
            draft.valid_user_ids += not fields[1].startswith(b"r")
        case b"uat":
            draft.user_attributes += 1
        case b"sig" | b"rev" if fields[1] == b"-":
            draft.wrong_signature |= not fields[_CLASS_FIELD].startswith(_DIRECT)
        case _:
            pass


def _key(fields: list[bytes]) -> KeyFacts:
    text = [field.decode("ascii", "replace") for field in fields]
    text += [""] * (_CURVE_FIELD + 1 - len(text))
    curve = text[_CURVE_FIELD]
    return KeyFacts(
        fingerprint="",
        algorithm=curve or f"{_NAMES.get(text[3], f'algorithm {text[3]} ')}{text[2]}",
        created=read_time(text[5]),
        expires=read_time(text[6]),
        revoked=text[1].startswith("r"),
        may_sign="s" in text[_CAPABILITIES_FIELD],
    )


def read_time(text: str) -> datetime | None:
    """A moment as gpg writes it: seconds since 1970, or ISO 8601; None for none, zero or what is neither."""
    try:
        if "T" in text:
            return datetime.strptime(text, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
        seconds = int(text)
        return datetime.fromtimestamp(seconds, UTC) if seconds > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def _unescape(value: bytes) -> bytes:
    """Undo the C-style escapes that gpg uses for control characters, colons and backslashes."""

    def plain(match: re.Match[bytes]) -> bytes:
        digits, short = match.groups()
        return bytes([int(digits, 16)]) if digits else _SHORT_ESCAPES[short]

    return _ESCAPE.sub(plain, value)

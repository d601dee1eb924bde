"""Hash strings `SCHEME:VALUE` and the two schemes that can match: `zh` of an archive's bytes, `h1` of its content.

`h1` is the Go modules' "Hash1" (golang.org/x/mod/sumdb/dirhash) over file names and contents; `zh` is the SHA-256 of
the zip file itself. Neither covers modes or times.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.errors import InvalidHashError

ZH: Final = "zh"
H1: Final = "h1"
PREFERRED_SCHEMES: Final = frozenset({ZH, H1})
_ZH_VALUE: Final = re.compile(r"[0-9a-f]{64}\Z")


class Hash(Struct, frozen=True, order=True):
    """One hash of a package. Equality is byte equality of the whole string, as in the clients."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `SCHEME:VALUE`; neither the scheme nor the value is validated, as in the clients.

        Raises InvalidHashError when there is no colon with at least one character before it.
        """
        if text.find(":") < 1:
            raise InvalidHashError(
                f"“{text}” is not a hash: it must start with a scheme keyword followed by a colon",
                hint="a hash looks like h1:… or zh:…",
            )
        return cls(text)

    @property
    def scheme(self) -> str:
        """What stands before the first colon."""
        return self.text.partition(":")[0]

    @property
    def value(self) -> str:
        """What stands after the first colon."""
        return self.text.partition(":")[2]

    @property
    def flaw(self) -> str:
        """Why no package can ever match this hash, or the empty string when one could."""
        return _flaw_of(self.text)

    @property
    def usable(self) -> bool:
        """Whether some package could match it, so that an entry with it protects anything."""
        return not self.flaw

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=16_384)  # many lock files hold the same hashes, and each is asked about again and again
def _flaw_of(text: str) -> str:
    scheme, _, value = text.partition(":")
    if scheme not in PREFERRED_SCHEMES:
        return f"no client knows the scheme “{scheme}”, so this hash can never match"
    if scheme == ZH and not _ZH_VALUE.match(value):
        return "a zh hash is 64 lower-case hexadecimal digits, so this one can never match"
    if scheme == H1 and not _is_h1_value(value):
        return "an h1 hash is 44 characters of padded standard base64, so this one can never match"
    return ""


def _is_h1_value(value: str) -> bool:
    try:
        raw = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return False
    return len(raw) == hashlib.sha256().digest_size and base64.b64encode(raw).decode() == value


def zh_of_digest(digest: bytes) -> Hash:
    """The `zh` of an archive, from the SHA-256 digest (32 bytes) of its file."""
    return Hash(f"{ZH}:{digest.hex()}")


def h1_of_members(members: Iterable[tuple[bytes, bytes]]) -> Hash:
    """The `h1` over (name, SHA-256 digest of the content) pairs, names as the raw bytes they are stored as.

    The pairs are listed in the byte order of their names. Raises ValueError for a name with a line feed, which the
    algorithm cannot list.
    """
    listing = hashlib.sha256()
    for name, digest in sorted(members, key=lambda member: member[0]):
        if b"\n" in name:
            raise ValueError("a file name with a line feed cannot be listed")
        listing.update(digest.hex().encode() + b"  " + name + b"\n")
    return Hash(f"{H1}:{base64.b64encode(listing.digest()).decode()}")

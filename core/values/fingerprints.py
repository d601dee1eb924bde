"""Full fingerprints of signing keys, as people write them into a policy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lockwarden.core.values.errors import InvalidFingerprintError
from lockwarden.core.values.late_patterns import LatePattern

_KEY_ID_LENGTHS: Final = frozenset({8, 16})
_VERSION_3_DIGITS: Final = 32
_LONGEST: Final = 64
_LENGTHS: Final = frozenset({40, _LONGEST})
"""Digits of the fingerprints of version 4 (SHA-1) and of versions 5 and 6 (SHA-256)."""
_GROUPS: Final = LatePattern(r"[0-9A-Fa-f]{4}(?: {1,2}[0-9A-Fa-f]{4})+")
"""As our screens print them; GnuPG puts two spaces into the middle."""
_DIGITS: Final = LatePattern(r"(?:0[xX])?(?P<digits>[0-9A-Fa-f]+)")
_SHOWN: Final = 100
_WHERE: Final = "write the full fingerprint; lockwarden keys prints it"


def read_fingerprint(text: str, *, known: Iterable[str] = ()) -> str:
    """All digits of a fingerprint, upper case; groups of four digits may stand apart.

    A key ID is refused, because anyone can make another key with the same one; the hint names the fingerprint among the
    `known` ones that it is the end of. Raises InvalidFingerprintError.
    """
    match = _DIGITS.fullmatch(text.replace(" ", "") if _GROUPS.fullmatch(text) else text)
    if match is None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InvalidFingerprintError(
            f"“{shown}” is not a key's fingerprint, which has 40 or 64 hexadecimal digits", hint=_WHERE
        )
    digits = match["digits"].upper()
    if len(digits) in _LENGTHS:
        return digits
    raise InvalidFingerprintError(_what_it_is(digits), hint=_to_write(digits, known))


def _what_it_is(digits: str) -> str:
    if len(digits) in _KEY_ID_LENGTHS:
        return f"{digits} is a key ID of {len(digits)} digits, and other keys can have the same one"
    if len(digits) == _VERSION_3_DIGITS:
        return f"{digits} is the fingerprint of a version 3 key, an MD5 that other keys can have too"
    return f"a fingerprint has 40 or 64 hexadecimal digits, and this has {len(digits)}"


def _to_write(digits: str, known: Iterable[str]) -> str:
    """The hint: the one known fingerprint with this key ID, which the later versions take from its beginning."""
    if len(digits) in _KEY_ID_LENGTHS:
        holders = {each for each in known if _has_id(each, digits)}
        if len(holders) == 1:
            return f"write the full fingerprint: {holders.pop()}"
    return _WHERE


def _has_id(fingerprint: str, digits: str) -> bool:
    if len(fingerprint) == _LONGEST:
        return fingerprint.startswith(digits)
    return fingerprint.endswith(digits)

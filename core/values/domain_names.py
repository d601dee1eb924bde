"""Names in the DNS, normalised the way the clients do it: UTS #46 for lookup, non-transitional, with STD3 rules.

The `idna` library supplies the mapping table and the rules for joiners and bidirectional text. Its stricter checks
of IDNA 2008 (no symbols, for example) are not applied, because the clients do not apply them.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import idna

_ACE: Final = "xn--"
_MAX_LABEL: Final = 256
"""Characters in one label that is no ASCII: the clients do not check, and punycode takes quadratic time."""

_CAPITAL_SHARP_S: Final = "\u1e9e"
_REFUSED: Final = frozenset("\u2260\u226e\u226f\u180e")
"""With the sharp s above: what Unicode 15, whose tables the clients have, treats otherwise than the library's newer."""


class DomainNameError(ValueError):
    """The text is not a name that the clients accept; the message says why."""


def normalised_name(text: str) -> tuple[str, str]:
    """The name in its ASCII form (punycode) and in its Unicode form; a dot at the end stays.

    Raises DomainNameError.
    """
    if text.isascii():
        mapped = text.lower()
        if any(not (char.isalnum() or char in "-.") for char in mapped):
            raise DomainNameError(_ONLY)
    else:
        mapped = _mapped(text)
    labels = mapped.split(".")
    if not any(labels):
        raise DomainNameError("it is empty")
    last = len(labels) - 1
    for index, label in enumerate(labels):
        if label:
            _check_label(label)
        elif index != last:
            raise DomainNameError("a part of it is empty")
    if any(not label.isascii() for label in labels):
        _check_bidi(labels)
    return ".".join(_to_ascii(label) for label in labels), mapped


_ONLY: Final = "only letters, digits and dashes are allowed, and no dash at either end"


def _mapped(text: str) -> str:
    if any(char in _REFUSED for char in text):
        raise DomainNameError(_ONLY)
    try:
        return idna.uts46_remap(text.replace(_CAPITAL_SHARP_S, "ss"), std3_rules=True, transitional=False)
    except (idna.IDNAError, UnicodeError) as error:
        raise DomainNameError(_ONLY) from error


def _check_label(label: str) -> None:
    if len(label) > _MAX_LABEL and not label.isascii():
        raise DomainNameError(f"a part of it is longer than {_MAX_LABEL} characters")
    if label.startswith(_ACE):
        raise DomainNameError("punycode is not accepted; write it with the letters that it stands for")
    if label[0] == "-" or label[-1] == "-" or label.encode()[2:4] == b"--":
        raise DomainNameError(_ONLY)
    if label.isascii():
        return
    if unicodedata.category(label[0]).startswith("M"):
        raise DomainNameError("it starts with a combining mark")
    if not all(_joiner_allowed(label, index) for index, char in enumerate(label) if char in "\u200c\u200d"):
        raise DomainNameError("it has a joiner where none may be")


def _joiner_allowed(label: str, index: int) -> bool:
    try:
        return idna.valid_contextj(label, index)
    except (idna.IDNAError, ValueError):
        return False


def _check_bidi(labels: list[str]) -> None:
    if not any(unicodedata.bidirectional(char) in {"R", "AL", "AN"} for label in labels for char in label):
        return
    try:
        for label in filter(None, labels):
            idna.check_bidi(label, check_ltr=True)
    except idna.IDNAError as error:
        raise DomainNameError("it mixes writing directions") from error


def _to_ascii(label: str) -> str:
    return label if label.isascii() else _ACE + label.encode("punycode").decode("ascii")

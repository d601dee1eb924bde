"""Environment variables `TF_TOKEN_…`: which host their names stand for."""

from __future__ import annotations

from typing import Final

from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import InvalidAddressError

PREFIX: Final = "TF_TOKEN_"
_ACE: Final = "xn--"
_DEVIATIONS: Final = str.maketrans({"ß": "ss", "ẞ": "ss", "ς": "\u03c3", "\u200c": None, "\u200d": None})
"""What the clients' first, tolerant reading of a variable's name turns these letters into."""


def host_of_variable(name: str) -> Hostname | None:
    """The host that a variable called `TF_TOKEN_…` is for, or None when it is no such variable or names no host.

    Behind the prefix, two underscores stand for a dash and one for a dot; Unicode and punycode are both understood.
    """
    if not name.startswith(PREFIX):
        return None
    written = name.removeprefix(PREFIX).replace("__", "-").replace("_", ".")
    host, colon, port = written.partition(":")
    readable = ".".join(map(_readable, host.split(".")))
    try:
        return Hostname.parse(readable + colon + port)
    except InvalidAddressError:
        return None


def _readable(label: str) -> str:
    """A part of a host name without punycode."""
    lowered = label.lower()
    if not lowered.startswith(_ACE):
        return label.translate(_DEVIATIONS)
    try:
        return lowered.removeprefix(_ACE).encode("ascii").decode("punycode")
    except UnicodeError:
        return label

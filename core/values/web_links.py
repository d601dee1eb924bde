"""Which addresses a terminal or a browser may be given: those whose text says all of what they lead to. Pure."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 2_000
_LINK: Final = re.compile(
    r"https?://"
    r"(?:[A-Za-z0-9.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::[0-9]{1,5})?"
    r"(?:[/?#][A-Za-z0-9._~!$&()*+,;=:@%/?#\[\]-]*)?"
)
"""No user before the host, which would read as another host; no blank, quote, backslash, bracket of markup, control or
letter beyond ASCII, which a terminal could act on or two readers could read differently."""


def web_link(address: str) -> str:
    """The address, where it may be followed just as it is written; empty for everything else.

    It says nothing of who answers there.
    """
    return address if len(address) <= _LONGEST and _LINK.fullmatch(address) else ""

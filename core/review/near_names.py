"""Names that look like other names: a host or namespace that a hasty reader takes for one that is known.

A near name proves nothing; it asks for a second look. Only names that come in new are held against known ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import DEFAULT_REGISTRIES

KNOWN_NAMESPACES: Final = frozenset({"hashicorp", "opentofu"})
"""Namespaces that everyone knows, whatever else the lock file holds."""

_SHORTEST: Final = 5
"""Characters of a name from which one letter more, less or other makes it near; shorter names are near too often."""
_LOOK_ALIKES: Final = str.maketrans(
    {
        "0": "o",
        "1": "l",
        "3": "e",
        "5": "s",
        "i": "l",
        "-": None,
        "_": None,
        ".": None,
        "а": "a",  # noqa: RUF001 - Cyrillic and Greek letters are the point
        "в": "b",
        "е": "e",  # noqa: RUF001
        "һ": "h",  # noqa: RUF001
        "і": "l",  # noqa: RUF001
        "ј": "j",  # noqa: RUF001
        "к": "k",
        "м": "m",
        "н": "h",
        "о": "o",  # noqa: RUF001
        "р": "p",  # noqa: RUF001
        "с": "c",  # noqa: RUF001
        "т": "t",
        "у": "y",  # noqa: RUF001
        "х": "x",  # noqa: RUF001
        "ѕ": "s",  # noqa: RUF001
        "ӏ": "l",  # noqa: RUF001
        "ԁ": "d",  # noqa: RUF001
        "ԝ": "w",  # noqa: RUF001
        "ı": "l",  # noqa: RUF001
        "ɡ": "g",  # noqa: RUF001
        "α": "a",  # noqa: RUF001
        "ι": "l",  # noqa: RUF001
        "ν": "v",  # noqa: RUF001
        "ο": "o",  # noqa: RUF001
        "ρ": "p",  # noqa: RUF001
        "τ": "t",
    }
)
_LOOK_ALIKE_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))


class NearName(Struct, frozen=True):
    """A part of an address that looks like a known one."""

    part: str
    """`host` or `namespace`."""
    name: str
    known: str


def near_names(address: ProviderAddress, known: Iterable[ProviderAddress]) -> tuple[NearName, ...]:
    """The parts of a new provider's address that look like known ones and are none of them.

    `known` are the providers that were there before; the default registries and a few namespaces are always known.
    """
    return tuple(_near(address, tuple(known)))


def _near(address: ProviderAddress, known: tuple[ProviderAddress, ...]) -> Iterator[NearName]:
    hosts = DEFAULT_REGISTRIES | {each.hostname.display for each in known}
    namespaces = KNOWN_NAMESPACES | {each.namespace for each in known}
    for part, name, others in (("host", address.hostname.display, hosts), ("namespace", address.namespace, namespaces)):
        alike = sorted(each for each in others if looks_like(name, each)) if name not in others else []
        if alike:
            yield NearName(part, name, alike[0])


def foreign_letters(name: str) -> tuple[str, ...]:
    """The letters of a name that are not ASCII, each once, with what it is."""
    foreign = dict.fromkeys(char for char in name if not char.isascii())
    return tuple(f"{char} is {unicodedata.name(char, f'U+{ord(char):04X}')}" for char in foreign)


def looks_like(name: str, other: str) -> bool:
    """Whether two different names are easily taken for each other: look-alike letters, or one slip of the fingers.

    A host with another port looks like the host.
    """
    if name == other:
        return False
    if _skeleton(name) == _skeleton(other):
        return True
    return _one_slip(*_where_they_differ(name, other))


def _where_they_differ(name: str, other: str) -> tuple[str, str]:
    """The one part between dashes that differs, or both names whole: team-a and team-b are told apart at a glance."""
    parts = list(zip(name.split("-"), other.split("-"), strict=False))
    differing = [pair for pair in parts if pair[0] != pair[1]]
    return differing[0] if name.count("-") == other.count("-") and len(differing) == 1 else (name, other)


def _skeleton(name: str) -> str:
    """The name with letters that look alike made equal, and without a port and what separates its parts."""
    decomposed = unicodedata.normalize("NFKD", name.partition(":")[0])
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    text = bare.casefold().translate(_LOOK_ALIKES)
    for pair, letter in _LOOK_ALIKE_PAIRS:
        text = text.replace(pair, letter)
    return text


def _one_slip(name: str, other: str) -> bool:
    """Whether one letter more, less or other, or two letters swapped, make one name the other.

    Another digit is no slip: names are numbered.
    """
    short, long = sorted((name, other), key=len)
    if len(short) < _SHORTEST:
        return False
    start = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[start:] == long[start + 1 :]
    if short[start].isdigit() and long[start].isdigit():
        return False
    swapped = short[start + 1 : start + 2] + short[start : start + 1]
    return short[start + 1 :] == long[start + 1 :] or (
        swapped == long[start : start + 2] and short[start + 2 :] == long[start + 2 :]
    )

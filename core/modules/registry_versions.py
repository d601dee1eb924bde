"""Which version of a registry's module a constraint means, by the rules of the clients for modules.

They are not those for providers: a version may have a `v` before it and any count of numbers, and `~> 1` has no upper
end. A pre-release is taken only where the constraint is that one version. Source: hashicorp/go-version, which both
clients use, and OpenTofu's `internal/initwd/module_install.go`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from msgspec import Struct

_VERSION: Final = (
    r"v?(?P<numbers>[0-9]+(?:\.[0-9]+)*)"
    r"(?:-(?P<dashed>[0-9]+[0-9A-Za-z~-]*(?:\.[0-9A-Za-z~-]+)*)"
    r"|-?(?P<lettered>[A-Za-z~-]+[0-9A-Za-z~-]*(?:\.[0-9A-Za-z~-]+)*))?"
    r"(?P<metadata>\+[0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*)?"
)
_WHOLE: Final = re.compile(_VERSION)
_TERM: Final = re.compile(rf"\s*(?P<operator>=|!=|>=|<=|~>|>|<|)\s*{_VERSION}\s*")
LONGEST: Final = 1_000
"""Characters of a version or constraint that is read."""
_NUMBERS: Final = 3


class ModuleVersion(Struct, frozen=True, kw_only=True):
    """A version as the clients read those of modules."""

    numbers: tuple[int, ...]
    """Three at least."""
    said: int
    """How many of them are written."""
    prerelease: str = ""
    metadata: str = ""
    """With its plus sign."""

    def __str__(self) -> str:
        """As the registry is asked for it."""
        return f"{'.'.join(map(str, self.numbers))}{f'-{self.prerelease}' if self.prerelease else ''}{self.metadata}"


def newest_version(versions: Iterable[str], constraint: str) -> ModuleVersion | None:
    """The newest of the versions that fits; None for none. What is no version is passed over."""
    read = (_WHOLE.fullmatch(each) for each in versions if len(each) <= LONGEST)
    known = [_version(match) for match in read if match is not None]
    terms = [_TERM.fullmatch(each) for each in constraint.split(",")] if constraint.strip() else []
    wanted = [(match["operator"], _version(match)) for match in terms if match is not None]
    if len(wanted) != len(terms) or len(constraint) > LONGEST:
        return None
    fitting = [each for each in known if _fits(each, wanted)]
    return max(fitting, key=lambda each: each.numbers, default=None)


def _version(match: re.Match[str]) -> ModuleVersion:
    numbers = tuple(int(each) for each in match["numbers"].split("."))
    return ModuleVersion(
        numbers=numbers + (0,) * (_NUMBERS - len(numbers)),
        said=len(numbers),
        prerelease=match["dashed"] or match["lettered"] or "",
        metadata=match["metadata"] or "",
    )


def _fits(version: ModuleVersion, terms: list[tuple[str, ModuleVersion]]) -> bool:
    if version.prerelease:
        return len(terms) == 1 and terms[0][0] in {"", "="} and _same(version, terms[0][1])
    return all(_holds(version, operator, boundary) for operator, boundary in terms)


def _same(one: ModuleVersion, other: ModuleVersion) -> bool:
    return _compared(one, other) == 0 and one.prerelease == other.prerelease


def _compared(one: ModuleVersion, other: ModuleVersion) -> int:
    """-1, 0 or 1, by the numbers alone. Numbers that one of the two lacks are 0."""
    for mine, theirs in zip_longest(one.numbers, other.numbers, fillvalue=0):
        if mine != theirs:
            return 1 if mine > theirs else -1
    return 0


def _holds(version: ModuleVersion, operator: str, boundary: ModuleVersion) -> bool:
    """Whether a term of a constraint holds for a version that is no pre-release.

    Such a version comes after every pre-release with the same numbers.
    """
    order = _compared(version, boundary)
    after = order > 0 or (order == 0 and bool(boundary.prerelease))
    equal = order == 0 and not boundary.prerelease
    match operator:
        case "" | "=":
            return equal
        case "!=":
            return not equal
        case ">":
            return after
        case ">=":
            return after or equal
        case "<":
            return not (after or equal)
        case "<=":
            return not after
        case _:
            return (after or equal) and _within(version, boundary)


def _within(version: ModuleVersion, boundary: ModuleVersion) -> bool:
    """The upper end of `~>`: all written numbers but the last are the same."""
    if boundary.prerelease or len(boundary.numbers) > len(version.numbers):
        return False
    kept = boundary.said - 1
    last = len(boundary.numbers) - 1
    return version.numbers[:kept] == boundary.numbers[:kept] and boundary.numbers[last] <= version.numbers[last]

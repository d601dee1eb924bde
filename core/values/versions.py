"""Exact versions of providers: parse, render, order as the clients do."""

from __future__ import annotations

import re
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.errors import InvalidVersionError

MAX_NUMBER: Final = 2**64 - 1
"""The clients keep the three numbers in 64 bits and crash on a larger one."""
MAX_LENGTH: Final = 1024
"""Characters in a version. The clients have no such limit; real versions have a few dozen."""

_MAX_DIGITS: Final = len(str(MAX_NUMBER))
_EXTRA: Final = r"[0-9A-Za-z.-]+"
_VERSION: Final = re.compile(
    rf"(?P<numbers>[0-9]+(?:\.[0-9]+){{0,2}})(?:-(?P<prerelease>{_EXTRA}))?(?:\+(?P<metadata>{_EXTRA}))?"
)
_HINT: Final = "a version looks like 1.2.3 or 1.2.3-beta.1"


class Version(Struct, frozen=True):
    """One exact version. Equality is exact; order ignores the metadata, so `a <= b <= a` does not mean `a == b`."""

    major: int
    minor: int
    patch: int
    prerelease: str = ""
    metadata: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one to three numbers with optional `-PRERELEASE` and `+METADATA`; missing numbers are 0.

        Raises InvalidVersionError, also for numbers beyond 64 bits and for more than MAX_LENGTH characters.
        """
        if len(text) > MAX_LENGTH:
            raise InvalidVersionError(
                f"a version of {len(text)} characters is too long; the limit is {MAX_LENGTH}", hint=_HINT
            )
        match = _VERSION.fullmatch(text)
        if match is None:
            raise InvalidVersionError(f"“{text}” is not a version", hint=_HINT)
        numbers = [parse_number(number) for number in match["numbers"].split(".")]
        major, minor, patch = (*numbers, 0, 0)[:3]
        return cls(major, minor, patch, match["prerelease"] or "", match["metadata"] or "")

    @property
    def unspecified(self) -> bool:
        """Whether it is the clients' sentinel `0.0.0`, which no constraint allows and nobody can install."""
        return self == _UNSPECIFIED

    @property
    def order_key(self) -> tuple[object, ...]:
        """What the order compares: the numbers, then releases above pre-releases, then the pre-release's parts."""
        return (self.major, self.minor, self.patch, *_prerelease_key(self.prerelease))

    def __lt__(self, other: Version) -> bool:
        return self.order_key < other.order_key

    def __le__(self, other: Version) -> bool:
        return self.order_key <= other.order_key

    def __gt__(self, other: Version) -> bool:
        return self.order_key > other.order_key

    def __ge__(self, other: Version) -> bool:
        return self.order_key >= other.order_key

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}{self.suffix}"

    @property
    def suffix(self) -> str:
        """The pre-release and the metadata with their leading signs."""
        pre = f"-{self.prerelease}" if self.prerelease else ""
        return f"{pre}+{self.metadata}" if self.metadata else pre


_UNSPECIFIED: Final = Version(0, 0, 0)


def parse_number(digits: str) -> int:
    """One number of a version. Raises InvalidVersionError when it does not fit into 64 bits."""
    significant = digits.lstrip("0")
    if len(significant) > _MAX_DIGITS or int(significant or "0") > MAX_NUMBER:
        raise InvalidVersionError(
            f"the number {digits[:_MAX_DIGITS]}… in a version is above {MAX_NUMBER}",
            hint="no client can use such a version",
        )
    return int(significant or "0")


def _prerelease_key(prerelease: str) -> tuple[int, tuple[tuple[bool, bool, int, str], ...]]:
    """Where a pre-release stands among those of the same numbers; a release (no pre-release) stands above all.

    Unlike SemVer, the clients look at the number of dots before the content: at every part, the side that has no
    further part is lower. Parts of digits only are below others and compare by length, then by text.
    """
    if not prerelease:
        return (1, ())
    parts = prerelease.split(".")
    last = len(parts) - 1
    return (0, tuple(_part_key(part, more=index != last) for index, part in enumerate(parts)))


def _part_key(part: str, *, more: bool) -> tuple[bool, bool, int, str]:
    numeric = all(char in "0123456789" for char in part)
    return (more, not numeric, len(part) if numeric else 0, part)

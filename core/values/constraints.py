"""Version constraints as lock files record them: comma-separated terms such as `~> 1.2` or `>= 1.0.0`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, Self, assert_never

from msgspec import Struct

from lockwarden.core.values.errors import InvalidVersionError
from lockwarden.core.values.versions import MAX_NUMBER, Version, parse_number

MAX_LENGTH: Final = 64 * 1024
"""Characters in a constraint string. The clients have no limit."""

_NUMBERS: Final = 3
_EXTRA: Final = r"[0-9A-Za-z.-]+"
_TERM: Final = re.compile(
    rf"(?P<operator>[!=<>~]*)(?P<space> ?)(?P<numbers>[0-9]+(?:\.[0-9]+)*)"
    rf"(?:-(?P<prerelease>{_EXTRA}))?(?:\+(?P<metadata>{_EXTRA}))?"
)
_HINT: Final = "constraints look like ~> 1.2 or >= 1.0.0, < 2.0.0"


class Operator(StrEnum):
    """How a term compares; in the order that the canonical form gives to terms with one boundary version."""

    GREATER = ">"
    AT_LEAST = ">="
    EQUAL = "="
    PATCHES = "~> three numbers"
    MINORS = "~> two numbers"
    AT_MOST = "<="
    LESS = "<"
    NOT_EQUAL = "!="


_RANK: Final = {operator: rank for rank, operator in enumerate(Operator)}
_SIGNS: Final = {"": Operator.EQUAL} | {
    operator.value: operator for operator in Operator if operator not in {Operator.PATCHES, Operator.MINORS}
}


class Term(Struct, frozen=True):
    """One term: an operator and the version that it compares with, whose missing numbers are 0."""

    operator: Operator
    boundary: Version

    def allows(self, version: Version) -> bool:
        """Whether the term alone holds for the version, its rule for pre-releases left aside.

        Only the two equality operators look at the metadata.
        """
        match self.operator:
            case Operator.EQUAL:
                return version == self.boundary
            case Operator.NOT_EQUAL:
                return version != self.boundary
            case Operator.GREATER:
                return version > self.boundary
            case Operator.AT_LEAST:
                return version >= self.boundary
            case Operator.LESS:
                return version < self.boundary
            case Operator.AT_MOST:
                return version <= self.boundary
            case Operator.PATCHES:
                return self.boundary <= version < self._next_minor()
            case Operator.MINORS:
                return self.boundary <= version < self._next_major()
            case _ as never:
                assert_never(never)

    def _next_major(self) -> Version:
        return Version((self.boundary.major + 1) % (MAX_NUMBER + 1), 0, 0)

    def _next_minor(self) -> Version:
        return Version(self.boundary.major, (self.boundary.minor + 1) % (MAX_NUMBER + 1), 0)

    def __str__(self) -> str:
        boundary = self.boundary
        match self.operator:
            case Operator.EQUAL:
                return str(boundary)
            case Operator.PATCHES:
                return f"~> {boundary}"
            case Operator.MINORS:
                return f"~> {boundary.major}.{boundary.minor}{boundary.suffix}"
            case _:
                return f"{self.operator.value} {boundary}"


class VersionConstraints(Struct, frozen=True):
    """Terms that must all hold, without repetitions and in canonical order; no terms allow every release."""

    terms: tuple[Term, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read comma-separated terms; the empty text is no constraint, a comma at the end is accepted.

        Raises InvalidVersionError.
        """
        if len(text) > MAX_LENGTH:
            raise InvalidVersionError(
                f"version constraints of {len(text)} characters are too long; the limit is {MAX_LENGTH}", hint=_HINT
            )
        stripped = text.strip()
        if not stripped:
            return cls(())
        pieces = stripped.split(",")
        if len(pieces) > 1 and not pieces[-1].strip():
            pieces.pop()
        terms = {_parse_term(piece.strip()) for piece in pieces}
        return cls(tuple(sorted(terms, key=_canonical_order)))

    def allows(self, version: Version) -> bool:
        """Whether the clients would select the version.

        A pre-release counts only when a term names exactly it; `0.0.0` stands for “no version” and never counts.
        """
        if not all(term.allows(version) for term in self.terms):
            return False
        if version.prerelease:
            return any(term.operator is Operator.EQUAL and term.boundary == version for term in self.terms)
        return not version.unspecified

    def __str__(self) -> str:
        return ", ".join(map(str, self.terms))


def _parse_term(text: str) -> Term:
    match = _TERM.fullmatch(text)
    if match is None:
        raise InvalidVersionError(f"“{text}” is not a version constraint", hint=_HINT)
    numbers = [parse_number(number) for number in match["numbers"].split(".")]
    if len(numbers) > _NUMBERS:
        raise InvalidVersionError(f"“{text}” is not a version constraint: it has too many numbers", hint=_HINT)
    sign = match["operator"]
    if sign == "~>":
        operator = Operator.PATCHES if len(numbers) == _NUMBERS else Operator.MINORS
    elif sign in _SIGNS:
        operator = _SIGNS[sign]
    else:
        raise InvalidVersionError(f"“{text}” is not a version constraint: no operator “{sign}”", hint=_HINT)
    major, minor, patch = (*numbers, 0, 0)[:_NUMBERS]
    return Term(operator, Version(major, minor, patch, match["prerelease"] or "", match["metadata"] or ""))


def _canonical_order(term: Term) -> tuple[object, ...]:
    return (*term.boundary.order_key, term.boundary.metadata, _RANK[term.operator])

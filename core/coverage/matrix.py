"""Coverage as a table for a screen or a report: a row for each platform, a column for each source, and one sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.chain import ChainVerdict, chain_of
from lockwarden.core.coverage.outcomes import Coverage, Installability
from lockwarden.core.evidence.source_answers import Audit, SourceRef
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.platforms import Platform

_NAMED: Final = 3
_SAID: Final[Mapping[Installability, tuple[str, str]]] = {
    Installability.FAILS: ("init would fail on every platform asked, from every source", "init would fail on"),
    Installability.ANYTHING: (
        "would take any package, on every platform asked, from every source",
        "would take any package on",
    ),
    Installability.NEEDS_WRITING: (
        "init would have to add an h1 on every platform asked, from every source",
        "init would have to add an h1 on",
    ),
    Installability.OPEN: ("not known for any platform asked, from any source", "not known for"),
}
"""What is said where it is so everywhere, and what before the names of the places otherwise; the worst first."""


class CoverageMatrix(Struct, frozen=True, kw_only=True, dict=True):
    """One entry of a lock file against all sources of its audit."""

    sources: tuple[SourceRef, ...]
    """The columns, in the order of the audit."""
    rows: tuple[tuple[Coverage, ...], ...]
    """One row for each platform, in the order of popularity; a cell for each source, in their order."""
    chain: tuple[ChainVerdict, ...] = ()
    """What a client meets that goes through the sources as its methods; empty where they are no such chain."""

    @classmethod
    def of(
        cls, entry: LockedProvider, audit: Audit, *, settings: ClientSettings, platforms: Iterable[Platform]
    ) -> Self:
        """The table of an entry; see `coverage_of`."""
        platforms = frozenset(platforms)
        cells = coverage_of(entry, audit, settings=settings, platforms=platforms)
        sources = tuple(answer.source for answer in audit.source_answers)
        rows = (tuple(row) for _, row in groupby(cells, key=lambda cell: cell.platform))
        chain = chain_of(entry, audit, settings=settings, platforms=platforms)
        return cls(sources=sources, rows=tuple(rows), chain=chain)

    @property
    def platforms(self) -> tuple[Platform, ...]:
        """The rows' platforms."""
        return tuple(row[0].platform for row in self.rows)

    @cached_property
    def cells(self) -> Mapping[tuple[Platform, str], Coverage]:
        """Every cell by its platform and its source's id."""
        return {(cell.platform, cell.source): cell for row in self.rows for cell in row}

    @property
    def worst(self) -> Installability:
        """The worst standing of the chain, or of any cell; UNUSED when no package would be installed from any."""
        order = list(Installability)
        if self.chain:
            return min((each.standing for each in self.chain), key=order.index)
        return min((cell.standing for row in self.rows for cell in row), key=order.index, default=Installability.UNUSED)

    @property
    def summary(self) -> str:
        """The whole table in one sentence without a full stop; the worst comes first.

        Of a chain it is what the client meets, the cells being what each source would come to by itself.
        """
        if self.chain:
            return "; ".join(
                f"{each.platform} by the configured methods: {each.word}, {each.reason}" for each in self.chain
            )
        by_standing: defaultdict[Installability, list[Coverage]] = defaultdict(list)
        for row in self.rows:
            for cell in row:
                by_standing[cell.standing].append(cell)
        parts = [self._said(standing, by_standing[standing]) for standing in _SAID if by_standing[standing]]
        if parts:
            return "; ".join(parts)
        if by_standing[Installability.WORKS]:
            return "init would work on every platform asked, from every source"
        return "no source that packages are installed from is among those asked"

    def _said(self, standing: Installability, cells: list[Coverage]) -> str:
        everywhere, on = _SAID[standing]
        if len(cells) == sum(cell.standing is not Installability.UNUSED for row in self.rows for cell in row):
            return everywhere
        places = list(self._places(cells))
        more = f", and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
        return f"{on} {', '.join(places[:_NAMED])}{more}"

    def _places(self, cells: list[Coverage]) -> Iterator[str]:
        for platform in self.platforms:
            sources = [cell.source for cell in cells if cell.platform == platform]
            if sources:
                yield f"{platform} from {' and '.join(sources)}"


def named_platforms(audit: Audit, asked: Iterable[Platform]) -> frozenset[Platform]:
    """The platforms that were asked for or looked at, and those that some source names for the release."""
    found = set(asked)
    for answer in audit.source_answers:
        found |= answer.platforms or frozenset()
        found.update(package.platform for package in answer.packages)
    return frozenset(found)

"""Runs contenders in turn, again and again, so that a slow moment of the machine meets them all."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.processes import Usage
from benchmarks.serving import Registry, Served

Contender = Callable[[], Usage]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One measured run."""

    usage: Usage
    served: Served


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """All measured runs of one contender."""

    name: str
    runs: tuple[Run, ...]

    @property
    def seconds(self) -> float:
        """The median wall time."""
        return statistics.median(run.usage.seconds for run in self.runs)

    @property
    def cpu_seconds(self) -> float:
        """The median processor time."""
        return statistics.median(run.usage.cpu_seconds for run in self.runs)

    @property
    def peak_bytes(self) -> int:
        """The most memory of any run."""
        return max(run.usage.peak_bytes for run in self.runs)

    @property
    def package_bytes(self) -> int:
        """The most package bytes that any run fetched."""
        return max(run.served.package_bytes for run in self.runs)

    @property
    def packages(self) -> int:
        """The most packages that any run asked for."""
        return max(run.served.packages for run in self.runs)

    @property
    def documents(self) -> int:
        """The most documents that any run asked for."""
        return max(run.served.documents for run in self.runs)

    def times_of(self, other: Series) -> float:
        """How many times as long the other takes: the median of the ratios round by round."""
        pairs = zip(self.runs, other.runs, strict=True)
        return statistics.median(theirs.usage.seconds / ours.usage.seconds for ours, theirs in pairs)


def interleaved(
    contenders: Mapping[str, Contender], *, rounds: int, registry: Registry, unmeasured: int = 1
) -> dict[str, Series]:
    """Measure every contender `rounds` times, in turn, after one round, or none, that does not count."""
    runs: dict[str, list[Run]] = {name: [] for name in contenders}
    for number in range(rounds + unmeasured):
        for name, contender in contenders.items():
            registry.take()
            usage = contender()
            if number >= unmeasured:
                runs[name].append(Run(usage=usage, served=registry.take()))
    return {name: Series(name=name, runs=tuple(done)) for name, done in runs.items()}

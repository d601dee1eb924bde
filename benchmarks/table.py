"""The results as one table for people, and as JSON for keeping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.rounds import Series

_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What was to be reached, and what was."""

    text: str
    reached: str
    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One work: what everybody took for it."""

    work: str
    series: Mapping[str, Series]
    goals: tuple[Goal, ...] = ()


def lines(results: Iterable[Result]) -> list[str]:
    """A Markdown table of all contenders, and one of the goals."""
    results = tuple(results)
    rows = [("work", "who", "median s", "x lockwarden", "CPU s", "peak MB", "packages MB", "requests")]
    for result in results:
        every = tuple(result.series.values())
        rows += [
            (
                result.work if each is every[0] else "",
                each.name,
                f"{each.seconds:.3f}",
                f"{every[0].times_of(each):.2f}",
                f"{each.cpu_seconds:.2f}",
                f"{each.peak_bytes / _MEGABYTE:.0f}",
                f"{each.package_bytes / _MEGABYTE:.1f}",
                f"{each.packages} + {each.documents}",
            )
            for each in every
        ]
    goals = [("work", "goal", "reached", "")]
    goals += [
        (each.work, goal.text, goal.reached, "met" if goal.met else "MISSED") for each in results for goal in each.goals
    ]
    return [*_table(rows), "", *_table(goals)]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    told = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return [told[0], "| " + " | ".join("-" * width for width in widths) + " |", *told[1:]]


def as_json(machine: Mapping[str, str], results: Iterable[Result]) -> dict[str, Any]:
    """Every single run, so that other numbers can be made of them later."""
    return {
        "schema": "lockwarden.benchmarks/1",
        "machine": dict(machine),
        "works": [
            {
                "work": result.work,
                "goals": [asdict(goal) for goal in result.goals],
                "contenders": {name: [asdict(run) for run in series.runs] for name, series in result.series.items()},
            }
            for result in results
        ],
    }

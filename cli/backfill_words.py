"""What the steps of a backfill came to, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lockwarden.cli.backfill_progress import duration_in_words
from lockwarden.core.engine.registries.applying import Applied
from lockwarden.core.engine.registries.running import BackfillProgress
from lockwarden.core.registry_metadata.journal_lines import State
from lockwarden.core.registry_metadata.plan import Counts, Plan
from lockwarden.core.values.amounts import counted, in_bytes

_MOST_TOLD: Final = 20


def plan_lines(plan: Plan) -> Iterator[str]:
    """What is to be done, in words."""
    counts = plan.counts
    yield (
        f"Plan: {counted(counts.files, 'file')}, {counted(counts.versions, 'version')},"
        f" {counted(counts.targets, 'target')}: {counts.filled:,} filled, {counts.half_filled:,} half filled,"
        f" {counts.unfilled:,} not filled"
    )
    yield f"  {_coverage(counts)}"
    size = f", {in_bytes(plan.known_bytes)} known" if plan.known_bytes else ""
    estimate = f", about {in_bytes(plan.estimated_bytes)} in all" if plan.estimated_bytes else ""
    yield f"  to fetch: {counted(len(plan.packages), 'package')}{size}{estimate}"
    yield from (f"  from {host}: {counted(number, 'package')}" for host, number in [*plan.hosts.items()][:_MOST_TOLD])
    if len(plan.hosts) > _MOST_TOLD:
        yield f"  and from {len(plan.hosts) - _MOST_TOLD:,} hosts more"
    for state, number in plan.settled.items():
        yield f"  settled before as {state}: {counted(number, 'package')}"
    for reason, number in plan.refused.items():
        yield f"  not asked for, because {reason}: {counted(number, 'target')}"
    if plan.in_other_shards:
        yield f"  in other shards: {counted(plan.in_other_shards, 'package')}"


def _coverage(counts: Counts) -> str:
    return (
        f"versions: {counts.filled_versions:,} filled, {counts.partial_versions:,} partly filled,"
        f" {counts.unfilled_versions:,} not filled"
    )


def run_lines(progress: BackfillProgress) -> Iterator[str]:
    """What a run came to, in words."""
    states = ", ".join(f"{progress.states[each]:,} {each}" for each in State if progress.states[each])
    yield (
        f"Run: {progress.ended:,} of {counted(len(progress.plan.packages), 'package')} in"
        f" {duration_in_words(progress.seconds)}, {in_bytes(progress.received)}, {progress.rate:.1f} a second"
        + (f": {states}" if states else "")
    )
    for state, reason in progress.first_reasons.items():
        if state is not State.DONE:
            more = f" (and {progress.states[state] - 1:,} more)" if progress.states[state] > 1 else ""
            yield f"  {state}: {reason}{more}"
    if progress.spent:
        yield f"  the budget of {progress.spent} is spent; there is more to do"


def applied_lines(applied: Applied, counts: Counts, *, dry_run: bool) -> Iterator[str]:
    """What was filled in, in words."""
    would = "would be " if dry_run else ""
    yield f"Apply: {counted(applied.targets, 'target')} {would}filled in {counted(len(applied.written), 'file')}"
    yield from (f"  {path}" for path in applied.written[:_MOST_TOLD])
    if len(applied.written) > _MOST_TOLD:
        yield f"  and {len(applied.written) - _MOST_TOLD:,} files more"
    yield from (f"  conflict: {each}" for each in applied.conflicts)
    if applied.withheld:
        yield f"  left, because their versions would not be complete: {counted(applied.withheld, 'target')}"
    if not dry_run:
        yield f"  now {_coverage(counts)}"

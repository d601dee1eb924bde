"""Failures of sources that many providers or files met, as of a host that is not there: told once, with all that wait.

What is open for such a failure alone is told with it, and not once for each hash of each provider.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.findings import Finding, LocatedFinding, finding_message
from lockwarden.core.reports.in_several_files import named
from lockwarden.core.reports.reason_lines import ranges
from lockwarden.core.reports.result import FileResult
from lockwarden.core.reports.waiting import failures_met, is_told, name_of, waiting
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.problem_codes import ProblemCode

Waiting = tuple[FileResult, ProviderReview]
"""A provider of a file that waits for something."""
_OPEN: Final = "? "


class FindingsOnce(Struct, frozen=True, kw_only=True):
    """All that a run has to tell, what several providers wait for once."""

    told: tuple[LocatedFinding, ...]
    """In its order; a failure stands where it came first, in the first file that met it."""
    waiting: Mapping[tuple[str, str], tuple[Problem, ...]]
    """By path and address of a provider, the failures that it waits for and that are told elsewhere."""


def failures_of(files: Iterable[FileResult]) -> Mapping[Problem, tuple[Waiting, ...]]:
    """The failures of sources that more than one provider met, or one provider in more than one file."""
    found: defaultdict[Problem, list[Waiting]] = defaultdict(list)
    for file in files:
        for provider in () if file.review is None else file.review.providers:
            for problem in failures_met(provider):
                found[problem].append((file, provider))
    return {problem: tuple(each) for problem, each in found.items() if len(each) > 1}


def in_several_files(files: Iterable[FileResult]) -> Mapping[Problem, tuple[Waiting, ...]]:
    """Those that more than one file met."""
    return {problem: each for problem, each in failures_of(files).items() if len(paths_of(each)) > 1}


def paths_of(waits: Iterable[Waiting]) -> tuple[str, ...]:
    """The files of those that wait, each once."""
    return tuple(dict.fromkeys(file.path for file, _ in waits))


def who_waits(waits: Iterable[Waiting]) -> str:
    """Which providers wait for something, in one line."""
    return waiting(tuple({name_of(provider): provider for _, provider in waits}.values()))


def findings_once(told: Sequence[LocatedFinding], files: Sequence[FileResult]) -> FindingsOnce:
    """The same, with the failures that several met told once, and without what is open for them alone."""
    failures = failures_of(files)
    if not failures:
        return FindingsOnce(told=tuple(told), waiting={})
    waits = {
        (file.path, str(provider.address)): tuple(each for each in failures_met(provider) if each in failures)
        for pairs in failures.values()
        for file, provider in pairs
    }
    by_words = {(problem.code, finding_message(problem)): problem for problem in failures}
    kept: list[LocatedFinding | Problem] = []
    open_: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for each in told:
        place = (each.file.path, "" if each.provider is None else str(each.provider.address))
        problem = by_words.get((each.finding.code, each.finding.message))
        if place in waits and problem in waits[place]:
            kept += [problem] if problem not in kept else []
        elif place in waits and _is_open_for(each.finding, waits[place]):
            open_[place].append(each.finding.line or 1)
        else:
            kept.append(each)
    made = (_of_failure(each, failures[each], open_) if isinstance(each, Problem) else each for each in kept)
    return FindingsOnce(told=tuple(made), waiting=waits)


def _is_open_for(finding: Finding, problems: Sequence[Problem]) -> bool:
    """Whether it says only that something is open, for failures that are told."""
    if finding.code == ProblemCode.INCOMPLETE:
        return not finding.lines
    if finding.code != ProblemCode.UNCHECKED:
        return False
    reasons = [finding.message, *(line.removeprefix(_OPEN) for line in finding.lines if line.startswith(_OPEN))]
    return all(is_told(each, problems) for each in reasons)


def _of_failure(
    problem: Problem, waits: Sequence[Waiting], open_: Mapping[tuple[str, str], Sequence[int]]
) -> LocatedFinding:
    (file, provider), *_ = waits
    paths = paths_of(waits)
    lines = [f"→ {problem.hint}"] if problem.hint else []
    lines.append(who_waits(waits))
    if len(paths) > 1:
        lines.append(f"in {len(paths)} files: {', '.join(named(paths))}")
    for each, one in waits:
        places = sorted(open_.get((each.path, str(one.address)), ()))
        if places:
            where = f"{each.path}: " if len(paths) > 1 else ""
            lines.append(
                f"? {where}{name_of(one)}: {counted(len(places), 'hash', 'hashes')} unchecked, {_lines(places)}"
            )
    message = finding_message(problem)
    found = Finding(
        code=problem.code,
        severity=problem.severity,
        message=message,
        lines=tuple(lines),
        line=provider.entry.line,
        subject=message,
    )
    return LocatedFinding(file=file, provider=None, finding=found)


def _lines(places: Sequence[int]) -> str:
    return f"line{'s'[: len(places) != 1]} {ranges(places)}"

"""What several providers of a lock file have in common that stays open: told once, with all that wait for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceAnswer
from lockwarden.core.reports.reason_lines import by_reasons, ranges, reason_lines
from lockwarden.core.reports.unanswered import unanswered
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.severity import Severity

_OPEN_FOR: Final = (" did not answer: ", " could not be had: ")


class OpenHashes(Struct, frozen=True):
    """Hashes of one provider that are open for the same reasons."""

    provider: ProviderReview
    rows: Sequence[HashRow]


def failures_met(provider: ProviderReview) -> tuple[Problem, ...]:
    """The failures of sources that a provider met: of a silent source, and of one whose packages could not be had."""
    answers = () if provider.audit is None else provider.audit.source_answers
    return tuple(dict.fromkeys(problem for answer in answers for problem in _failures(answer)))


def _failures(answer: SourceAnswer) -> Iterable[Problem]:
    if answer.outcome is Outcome.NO_ANSWER:
        return answer.problems
    details = {each.detail for each in answer.packages if each.outcome is Outcome.NO_ANSWER and each.detail}
    # An error says more than that something could not be had, and stays with its provider.
    open_ = (problem for problem in answer.problems if problem.severity is Severity.WARNING)
    return [problem for problem in open_ if any(problem.message.endswith(f": {each}") for each in details)]


def shared_problems(providers: Iterable[ProviderReview]) -> Mapping[Problem, tuple[ProviderReview, ...]]:
    """The failures of sources that several providers met in the same words, as those of a host that is not there."""
    found: defaultdict[Problem, list[ProviderReview]] = defaultdict(list)
    for provider in providers:
        for problem in failures_met(provider):
            found[problem].append(provider)
    return {problem: tuple(each) for problem, each in found.items() if len(each) > 1}


def shared_reasons(providers: Iterable[ProviderReview]) -> Mapping[tuple[Reason, ...], tuple[OpenHashes, ...]]:
    """The unchecked hashes of several providers that are open for the very same reasons."""
    found: defaultdict[tuple[Reason, ...], list[OpenHashes]] = defaultdict(list)
    for provider in providers:
        for reasons, rows in by_reasons(provider, lambda row: row.verdict is Verdict.UNCHECKED):
            found[reasons].append(OpenHashes(provider, rows))
    return {reasons: tuple(each) for reasons, each in found.items() if len(each) > 1}


def open_lines(provider: ProviderReview) -> tuple[str, ...]:
    """Its questions without an answer that neither its problems tell of nor the reasons of its unchecked hashes."""
    told = [problem.message for problem in provider.problems]
    told += [each.text for row in provider.rows if row.verdict is Verdict.UNCHECKED for each in row.reasons]
    return tuple(unanswered(provider, told=told))


def shared_lines(providers: Iterable[ProviderReview]) -> Mapping[str, tuple[ProviderReview, ...]]:
    """Those that are the same for several providers, as of a mirror that nobody asked."""
    found: defaultdict[str, list[ProviderReview]] = defaultdict(list)
    for provider in providers:
        for line in open_lines(provider):
            found[line].append(provider)
    return {line: tuple(each) for line, each in found.items() if len(each) > 1}


def waiting(providers: Sequence[ProviderReview]) -> str:
    """Which providers wait for something, in one line."""
    wait = "1 provider waits" if len(providers) == 1 else f"{len(providers)} providers wait"
    return f"{wait} for it: {', '.join(map(name_of, providers))}"


def open_hashes(groups: Sequence[OpenHashes]) -> Iterator[str]:
    """How many hashes of which provider are open, and where they stand, a line each."""
    for group in groups:
        lines = ranges(sorted(row.line for row in group.rows if row.line is not None))
        count = len(group.rows)
        yield f"{name_of(group.provider)}: {count} hash{'es' if count > 1 else ''}, line{'s'[: count != 1]} {lines}"


def open_reasons(reasons: Iterable[Reason], told: Collection[Problem]) -> Iterator[str]:
    """The reasons as lines; where problems told all of them already they are not told again, nor their hints."""
    every = tuple(reasons)
    if not all(is_told(reason.text, told) for reason in every if reason.tone is not Tone.ADVICE):
        yield from reason_lines(every)
        return
    hints = {problem.hint for problem in told}
    known = [reason for reason in every if reason.tone is Tone.ADVICE and reason.text not in hints]
    yield from reason_lines(known)
    if not known:
        yield "? see the problems"


def is_told(text: str, told: Collection[Problem]) -> bool:
    """Whether a sentence says no more than that a source did not answer, or a package could not be had, for a reason
    that a problem told.
    """
    details = [detail for mark in _OPEN_FOR if (detail := text.partition(mark)[2])]
    return any(problem.message.endswith(f": {detail}") for problem in told for detail in details)


def name_of(provider: ProviderReview) -> str:
    """A provider version by its whole address."""
    return f"{provider.address} {provider.entry.version}"

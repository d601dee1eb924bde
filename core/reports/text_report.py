"""The report as plain text: the answer first, then what speaks against committing, then what stayed open.

Confirmed hashes appear as counts only, unless every hash is asked for. Text from outside cannot do anything to the
terminal: each line passes through `reveal` on its way out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from lockwarden.core.findings import Finding, Outcome, Problem
from lockwarden.core.printable import reveal
from lockwarden.core.reports.hash_table import provider_table
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.review.review import ProviderReview, Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.severity import Severity

GLYPHS: Final = {
    Verdict.DISOWNED: "✗",
    Verdict.UNEXPLAINED: "✗",
    Verdict.UNCHECKED: "?",
    Verdict.CONFIRMED: "✓",
    Verdict.NEW: "+",
    Verdict.OFFERED: "·",
}
_FINDINGS: Final = frozenset(verdict for verdict in Verdict if verdict.is_finding)
_MARKS: Final = {Tone.FOR: "✓", Tone.AGAINST: "✗", Tone.OPEN: "?", Tone.NOTE: "·", Tone.ADVICE: "→"}
_SHOWN_OF_A_GROUP: Final = 3
_Tell = Callable[[ProviderReview], Iterator[str]]


def text_report(result: RunResult, *, every_hash: bool = False) -> str:
    """The whole report, with a line feed at the end. With `every_hash`, a table of all of them follows.

    Of a lock file that cannot be read it says only that: the reasons, with their lines, belong beside the report.
    """
    lines = [*_answers(result.files)]
    for each in result.files:
        lines += _details(each, named=len(result.files) > 1, every_hash=every_hash)
    return shown(lines)


def shown(lines: Iterable[str]) -> str:
    """Lines as one text that is safe for a terminal."""
    return "".join(f"{reveal(line)}\n" for line in lines)


def _answers(files: Iterable[FileResult]) -> Iterator[str]:
    for each in files:
        if each.review is None:
            yield f"{each.path}: Cannot be read{_why_not(each.problems)}"
        else:
            yield f"{each.path}: {each.review.answer}{_counts(each.review)}"


def _why_not(problems: Sequence[FileProblem]) -> str:
    """The one problem, or how many there are; whoever asked for the report tells all of them elsewhere."""
    if len(problems) == 1:
        return f": {problems[0].message}"
    return f": {len(problems)} errors" if problems else ""


def _counts(review: Review) -> str:
    counts = [f"{review.counts[verdict]} {verdict}" for verdict in Verdict if review.counts.get(verdict)]
    problems = [problem for each in review.providers for problem in each.problems]
    counts += [
        f"{number} {severity}{'s' if number > 1 else ''}"
        for severity in (Severity.ERROR, Severity.WARNING)
        if (number := sum(problem.severity is severity for problem in problems))
    ]
    if not review.providers:
        counts.append("it locks no provider")
    return f": {', '.join(counts)}" if counts else ""


def _details(result: FileResult, *, named: bool, every_hash: bool) -> Iterator[str]:
    sections = list(_sections(result, every_hash=every_hash))
    if named and sections:
        yield from ("", f"== {result.path} ==")
    for title, lines in sections:
        yield from ("", title, *lines)


def _sections(result: FileResult, *, every_hash: bool) -> Iterator[tuple[str, list[str]]]:
    review = result.review
    providers = () if review is None else review.providers
    parts = {
        "Findings": [*_per_provider(providers, _findings)],
        "Problems": [
            *(() if review is None else _file_problems(result.problems)),
            *_per_provider(providers, _problems),
        ],
        "Not checked": [*_per_provider(providers, _incomplete)],
        "To add": [] if review is None else [*_additions(review)],
    }
    if review is not None and every_hash:
        parts["Every hash"] = [line for each in providers for line in provider_table(review, each)]
    yield from ((title, lines) for title, lines in parts.items() if lines)


def _per_provider(providers: Iterable[ProviderReview], tell: _Tell) -> Iterator[str]:
    for provider in providers:
        lines = list(tell(provider))
        if lines:
            yield f"  {provider.address} {provider.entry.version}"
            yield from (f"    {line}" for line in lines)


def _findings(provider: ProviderReview) -> Iterator[str]:
    for reasons, rows in _by_reasons(provider, _FINDINGS):
        yield from map(_row, rows)
        yield from _reasons(reasons)


def _by_reasons(
    provider: ProviderReview, verdicts: frozenset[Verdict]
) -> Iterable[tuple[tuple[Reason, ...], list[HashRow]]]:
    """Rows with one of the verdicts, together where the very same reasons led there."""
    groups: defaultdict[tuple[Reason, ...], list[HashRow]] = defaultdict(list)
    for row in provider.rows:
        if row.verdict in verdicts:
            groups[row.reasons].append(row)
    return groups.items()


def _row(row: HashRow) -> str:
    return f"{GLYPHS[row.verdict]} {row.verdict} {row.hash} ({_place(row)})"


def _reasons(reasons: Iterable[Reason]) -> Iterator[str]:
    for reason in reasons:
        yield f"  {_MARKS[reason.tone]} {reason.text}"
        yield from (f"      {evidence}" for evidence in reason.evidence)


def _place(row: HashRow) -> str:
    where = [f"line {row.line}"] if row.line is not None else []
    return ", ".join([*where, f"platform {row.label}" if row.label else "platform unknown"])


def _file_problems(problems: Iterable[FileProblem]) -> Iterator[str]:
    for problem in problems:
        place = "" if problem.line is None else f"line {problem.line}: "
        yield f"  {place}{problem.severity}: {problem.message}"
        if problem.hint:
            yield f"    → {problem.hint}"


def _problems(provider: ProviderReview) -> Iterator[str]:
    order = list(Severity)
    for problem in sorted(provider.problems, key=lambda each: order.index(each.severity)):
        yield from _problem(problem)


def _problem(problem: Problem) -> Iterator[str]:
    source = f" ({problem.source})" if problem.source else ""
    yield f"{problem.severity}: {problem.message}{source}"
    if problem.hint:
        yield f"  → {problem.hint}"


def _incomplete(provider: ProviderReview) -> Iterator[str]:
    for reasons, rows in _by_reasons(provider, frozenset({Verdict.UNCHECKED})):
        yield from _unchecked(rows)
        yield from _reasons(reasons)
    told = [problem.message for problem in provider.problems]
    for finding in () if provider.audit is None else provider.audit.findings:
        yield from _unanswered(finding, told)


def _unchecked(rows: list[HashRow]) -> Iterator[str]:
    """The hashes that are unchecked for the same reasons; many of them as a number."""
    if len(rows) <= _SHOWN_OF_A_GROUP:
        yield from map(_row, rows)
        return
    lines = sorted(row.line for row in rows if row.line is not None)
    yield f"{GLYPHS[Verdict.UNCHECKED]} {Verdict.UNCHECKED}: {len(rows)} hashes (lines {_ranges(lines)})"


def _ranges(numbers: Iterable[int]) -> str:
    """Numbers with runs joined, as in `3, 7-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _unanswered(finding: Finding, told: Collection[str]) -> Iterator[str]:
    """What a source did not answer, unless some problem in `told` says why already."""
    silent = {Outcome.NO_ANSWER, Outcome.NOT_ASKED}
    questions = [(finding.source.id, finding.outcome, finding.detail)]
    questions += [
        (f"{finding.source.id}, package of {package.platform}", package.outcome, package.detail)
        for package in finding.packages
    ]
    for question, outcome, detail in questions:
        if outcome in silent and not (detail and any(detail in message for message in told)):
            yield f"? {question}: {outcome}{_because(detail)}"


def _because(detail: str) -> str:
    return f": {detail}" if detail else ""


def _additions(review: Review) -> Iterator[str]:
    counts: Mapping[str, int] = {
        f"{each.address} {each.entry.version}": each.counts.get(Verdict.NEW, 0) for each in review.providers
    }
    for provider, count in counts.items():
        if count:
            yield f"  {provider}: {count} new {'hashes' if count > 1 else 'hash'} that a client would record"
    if any(counts.values()):
        yield "  → “lockwarden lock” with the same options adds them"

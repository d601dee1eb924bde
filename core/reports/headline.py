"""The answer of a review on one line, with the loudest class and the counts that lead there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.findings import LocatedFinding, findings_of_file, findings_of_run
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.reports.waiting import shared_problems
from lockwarden.core.review.answers import Answer, answer_for
from lockwarden.core.review.exit_codes import ExitCode, worst
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.reports.located_module_findings import LocatedModuleFinding


def loudest_of(file: FileResult) -> LocatedFinding | None:
    """What a reader of this file's report should see first: the loudest error, else a change that warns, else None."""
    return _loudest(findings_of_file(file))


def loudest_of_run(result: RunResult) -> LocatedFinding | None:
    """The loudest of all files."""
    return _loudest(findings_of_run(result))


def loudest_of_all(result: RunResult) -> LocatedFinding | LocatedModuleFinding | None:
    """The loudest of all files and modules; of equals the file's."""
    of_files = loudest_of_run(result)
    if result.modules is None:
        return of_files
    from lockwarden.core.reports.located_module_findings import findings_of_modules

    of_modules = findings_of_modules(result.modules)
    if not of_modules or of_modules[0].finding.severity is not Severity.ERROR:
        return of_files
    if of_files is not None and of_files.finding.severity is Severity.ERROR:
        return of_files
    return of_modules[0]


def _loudest(sorted_told: Sequence[LocatedFinding]) -> LocatedFinding | None:
    for told in sorted_told:
        finding = told.finding
        if finding.severity is Severity.ERROR or (finding.severity is Severity.WARNING and finding.is_change):
            return told
    return None


def answer_of(file: FileResult) -> Answer:
    """Whether to commit, in words."""
    if file.checked:
        return answer_for(file.exit_code)
    if file.review is None:
        return Answer.UNREADABLE
    return Answer.UNWRITTEN if file.exit_code is ExitCode.UNUSABLE_INPUT else file.review.answer


def answer_of_run(result: RunResult) -> Answer:
    """The answer of the worst file, or of the modules where they are worse; of a run without any, that there is nothing
    to object to.
    """
    code = worst(each.exit_code for each in result.files)
    if result.modules is not None and result.exit_code is not code:
        return answer_for(result.exit_code)
    answers = [answer_of(each) for each in result.files if each.exit_code is code]
    return answers[0] if answers else Answer.GOOD


def headline(file: FileResult) -> str:
    """The answer, the loudest class where the counts do not tell it already, and the counts."""
    return ": ".join((answer_of(file), *headline_details(file)))


def headline_details(file: FileResult) -> Iterator[str]:
    """What follows the answer: the loudest class and the counts, or why the file cannot be read."""
    if file.review is None and file.checked:
        yield ", ".join((*_problem_counts(file.problems), file.checked))
        return
    if file.review is None:
        yield from _why_not(file.problems)
        return
    if (phrase := loudest_phrase(file)) != "":
        yield phrase
    if counts := counts_in_words(file.review):
        yield counts


def loudest_phrase(file: FileResult) -> str:
    """The loudest class and where it is, as in “hashes swapped in acme/widget 1.2.3”.

    Empty where nothing is loud, and where a verdict is the loudest: then the counts begin with it.
    """
    told = loudest_of(file)
    if told is None or told.finding.code.value in set(Verdict):
        return ""
    return f"{told.finding.name} in {told.release}" if told.release else told.finding.name


def _problem_counts(problems: Sequence[Problem | FileProblem]) -> Iterator[str]:
    for severity in (Severity.ERROR, Severity.WARNING):
        if number := sum(problem.severity is severity for problem in problems):
            yield f"{number} {severity}{'s' if number > 1 else ''}"


def _why_not(problems: Sequence[FileProblem]) -> Iterator[str]:
    """The one problem, or how many there are; whoever asked for the report tells all of them elsewhere."""
    if len(problems) == 1:
        yield problems[0].message
    elif problems:
        yield f"{len(problems)} errors"


def verdict_counts(counts: Mapping[Verdict, int], approved: int) -> Iterator[str]:
    """How many hashes have which verdict; `approved` of the unexplained ones are accepted by a record."""
    for verdict in Verdict:
        accepted = approved if verdict is Verdict.UNEXPLAINED else 0
        if number := counts.get(verdict, 0) - accepted:
            yield f"{number} {verdict}"
        if accepted:
            yield f"{accepted} approved"


def counts_in_words(review: Review) -> str:
    """How many hashes have which verdict, and how many problems there are; approved findings are counted apart.

    A failure that several providers met is one problem, as it is told once.
    """
    approved = sum(each.approved for each in review.providers if not each.waiting)
    counts = list(verdict_counts(review.counts, approved))
    shared = shared_problems(review.providers)
    problems = [problem for each in review.providers for problem in each.problems if problem not in shared]
    problems += [*shared, *review.problems]
    counts += _problem_counts(problems)
    if not review.providers:
        counts.append("it locks no provider")
    return ", ".join(counts)

"""The report as plain text: the answer first, then what speaks against committing, then what stayed open.

Confirmed hashes appear as counts only, unless every hash is asked for. Text from outside cannot do anything to the
terminal or in the log of a job: each line passes through `printed` on its way out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.bounds import bounded_text
from lockwarden.core.reports.change_lines import ABOUT_THE_FILE, base_name, change_lines
from lockwarden.core.reports.configuration_lines import configuration_line
from lockwarden.core.reports.coverage_lines import coverage_lines
from lockwarden.core.reports.drift_lines import drift_lines
from lockwarden.core.reports.failures import Waiting, in_several_files, paths_of, who_waits
from lockwarden.core.reports.findings import finding_message, loudest_first
from lockwarden.core.reports.headline import headline
from lockwarden.core.reports.in_several_files import changed_first, in_several, named
from lockwarden.core.reports.reason_lines import by_reasons, reason_lines, row_line, unchecked_lines
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.reports.standards_lines import standards_lines
from lockwarden.core.reports.waiting import (
    failures_met,
    open_hashes,
    open_lines,
    open_reasons,
    shared_lines,
    shared_problems,
    shared_reasons,
    waiting,
)
from lockwarden.core.review.other_signings import signings_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.sentences import Reason
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.printable import printed
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.review.module_review import ModuleReview

MAX_SIZE: Final = 40_000_000
"""Bytes, roughly."""
_AnyProblem = TypeVar("_AnyProblem", Problem, FileProblem)
_Tell = Callable[[ProviderReview], Iterator[str]]


def text_report(result: RunResult, *, every_hash: bool = False) -> str:
    """The whole report, with a line feed at the end. With `every_hash`, a table of all of them follows.

    What the change touches comes first; what is the same in several files is told once, before what each has of its
    own. What the lock files were held against stands last. Of a lock file that cannot be read it says only that: the
    reasons, with their lines, belong beside the report.
    """
    files = changed_first(result.files)
    lines = [f"{each.path}: {headline(each)}" for each in files]
    failures = in_several_files(files)
    module_heads, module_sections, module_locks = _of_modules(result.modules, every_call=every_hash)
    lines += module_heads
    heads = len(lines)
    of_files = {each.path: _details(each, failures, every_hash=every_hash) for each in files}
    alike = in_several((path, entry) for path, entries in of_files.items() for entry in entries)
    shared = [("Problems", _of_failure(each, failures[each])) for each in _by_severity(failures)]
    shared += [(title, (*block, _in_files(paths))) for (title, block), paths in alike.items()]
    lines += _told("In several files", shared)
    for path, entries in of_files.items():
        lines += _told(path if len(files) > 1 else "", [each for each in entries if each not in alike])
    if drift := [*drift_lines(result.drift, result.both_registries)]:
        lines += ["", "Drift", *(f"  {line}" for line in drift)]
    lines += module_sections
    ending = [*([""] if len(lines) > heads else []), *standards_lines(result), *module_locks]
    if result.evidence is not None:
        from lockwarden.core.reports.evidence_lines import evidence_words

        ending.append(f"Evidence: {evidence_words(result.evidence)}")
    if result.configuration is not None:
        ending.append(configuration_line(result.configuration))
    return bounded_text(map(printed, lines), MAX_SIZE) + shown(ending)


def _of_modules(review: ModuleReview | None, *, every_call: bool) -> tuple[list[str], list[str], list[str]]:
    """What is told of modules first, in between and last; nothing where they were not to be checked."""
    if review is None:
        return [], [], []
    from lockwarden.core.reports.module_check_lines import module_headlines, module_lock_lines, module_sections

    sections = [*module_sections(review, every_call=every_call)]
    return [*module_headlines(review)], sections, [*module_lock_lines(review)]


def shown(lines: Iterable[str]) -> str:
    """Lines as one text that is safe for a terminal and for the log of a CI job."""
    return "".join(f"{printed(line)}\n" for line in lines)


_Entry = tuple[str, tuple[str, ...]]
"""The title of a section, and lines of it that belong together: the first one stands out, the others are below it."""


def _of_failure(problem: Problem, waits: Sequence[Waiting]) -> tuple[str, ...]:
    """A failure that several files met, with all that wait for it."""
    return (*(f"  {line}" for line in _problem(problem)), f"    {who_waits(waits)}", _in_files(paths_of(waits)))


def _details(result: FileResult, failures: Collection[Problem], *, every_hash: bool) -> list[_Entry]:
    review = result.review
    sections: Iterable[tuple[str, list[str]]] = ()
    if review is not None:
        sections = _sections(review, result.problems, failures, every_hash=every_hash)
    elif result.checked:
        sections = [("Problems", [*_file_problems(_by_severity(result.problems))])]
    return [(title, block) for title, lines in sections for block in _blocks(lines)]


def _blocks(lines: Iterable[str]) -> Iterator[tuple[str, ...]]:
    block: list[str] = []
    for line in lines:
        if block and not line.startswith("   "):
            yield tuple(block)
            block = []
        block.append(line)
    if block:
        yield tuple(block)


def _told(name: str, entries: Iterable[_Entry]) -> Iterator[str]:
    """Sections below the name of what they are about, if it needs one."""
    by_title: dict[str, list[str]] = {}
    for title, block in entries:
        by_title.setdefault(title, []).extend(block)
    if name and by_title:
        yield from ("", f"== {name} ==")
    for title in sorted(by_title, key=_place):
        yield from ("", title, *by_title[title])


def _place(title: str) -> int:
    """Where a section stands; that of the changes, which names the base, comes first."""
    return _TITLES.index(title) if title in _TITLES else -1


_TITLES = ("Findings", "Problems", "Coverage", "Approved", "Not checked", "Signed otherwise", "To add", "Every hash")


def _in_files(paths: Sequence[str]) -> str:
    return f"    in {len(paths)} files: {', '.join(named(paths))}"


def _sections(
    review: Review, problems: Iterable[FileProblem], failures: Collection[Problem], *, every_hash: bool
) -> Iterator[tuple[str, list[str]]]:
    providers = loudest_first(review)
    shared = {each: waits for each, waits in shared_problems(providers).items() if each not in failures}
    told = (*shared, *failures)
    parts = {
        f"Changes against {base_name(review.standards.sides)}": [f"  {line}" for line in change_lines(review)],
        "Findings": [*_per_provider(providers, _findings)],
        "Problems": [
            *_file_problems(problems),
            *(f"  {line}" for problem in _by_severity(_of_the_file(review)) for line in _problem(problem)),
            *_shared(shared),
            *_per_provider(providers, partial(_problems, told)),
        ],
        "Coverage": [*_per_provider(providers, partial(coverage_lines, review))],
        "Approved": [*_per_provider(providers, _approved)],
        "Not checked": [*_not_checked(providers, told)],
        "Signed otherwise": [*_per_provider(providers, partial(_signed_otherwise, review))],
        "To add": [*_additions(review)],
    }
    if every_hash:
        from lockwarden.core.reports.hash_table import provider_table

        parts["Every hash"] = [line for each in review.providers for line in provider_table(review, each)]
    yield from ((title, lines) for title, lines in parts.items() if lines)


def _per_provider(providers: Iterable[ProviderReview], tell: _Tell) -> Iterator[str]:
    for provider in providers:
        lines = list(tell(provider))
        if lines:
            yield f"  {provider.address} {provider.entry.version}"
            yield from (f"    {line}" for line in lines)


def _findings(provider: ProviderReview) -> Iterator[str]:
    for reasons, rows in by_reasons(provider, lambda row: row.objects):
        yield from map(row_line, rows)
        yield from (f"  {line}" for line in reason_lines(reasons))


def _signed_otherwise(review: Review, provider: ProviderReview) -> Iterator[str]:
    """Signatures beside GPG's that count; those that do not are problems."""
    for each in () if provider.audit is None else signings_of(review.standards, provider.audit):
        if each.signature.counts:
            from lockwarden.core.reports.key_lines import other_line

            yield other_line(each)


def _approved(provider: ProviderReview) -> Iterator[str]:
    """Hashes that a record accepts, and that would be findings, or lack a signature, without it."""
    for reasons, rows in by_reasons(provider, _is_accepted):
        yield from map(row_line, rows)
        yield from (f"  {line}" for line in reason_lines(reasons))


def _is_accepted(row: HashRow) -> bool:
    return row.approval is not None and not row.objects and row.verdict is not Verdict.UNCHECKED


def _file_problems(problems: Iterable[FileProblem]) -> Iterator[str]:
    for problem in problems:
        place = "" if problem.line is None else f"line {problem.line}: "
        yield f"  {place}{problem.severity}: {problem.message}"
        if problem.hint:
            yield f"    → {problem.hint}"


def _problems(shared: Collection[Problem], provider: ProviderReview) -> Iterator[str]:
    """All of them but the changes, which have a section of their own, and those that others share."""
    told = {each.problem for each in provider.changes} | set(shared)
    for problem in _by_severity(each for each in provider.problems if each not in told):
        yield from _problem(problem)


def _shared(shared: Mapping[Problem, Sequence[ProviderReview]]) -> Iterator[str]:
    for problem in _by_severity(shared):
        yield from (f"  {line}" for line in _problem(problem))
        yield f"    {waiting(shared[problem])}"


def _of_the_file(review: Review) -> Iterator[Problem]:
    yield from (each for each in review.problems if each.code not in ABOUT_THE_FILE)


def _by_severity(problems: Iterable[_AnyProblem]) -> list[_AnyProblem]:
    order = list(Severity)
    return sorted(problems, key=lambda each: order.index(each.severity))


def _problem(problem: Problem) -> Iterator[str]:
    yield f"{problem.severity}: {finding_message(problem)}"
    if problem.hint:
        yield f"  → {problem.hint}"


def _not_checked(providers: Sequence[ProviderReview], told: Collection[Problem]) -> Iterator[str]:
    common = shared_reasons(providers)
    for reasons, groups in common.items():
        yield f"  ? {Verdict.UNCHECKED}: {sum(len(each.rows) for each in groups)} hashes of {len(groups)} providers"
        yield from (f"    {line}" for line in open_reasons(reasons, told))
        yield from (f"    {line}" for line in open_hashes(groups))
    lines = shared_lines(providers)
    for line, waits in lines.items():
        yield f"  ? {line}"
        yield f"    {waiting(waits)}"
    yield from _per_provider(providers, partial(_incomplete, common, lines, told))


def _incomplete(
    common: Collection[tuple[Reason, ...]],
    shared: Collection[str],
    known: Collection[Problem],
    provider: ProviderReview,
) -> Iterator[str]:
    for reasons, rows in by_reasons(provider, lambda row: row.verdict is Verdict.UNCHECKED):
        if reasons not in common:
            yield from unchecked_lines(rows)
            yield from (f"  {line}" for line in open_reasons(reasons, (*known, *failures_met(provider))))
    yield from (f"? {line}" for line in open_lines(provider) if line not in shared)


def _additions(review: Review) -> Iterator[str]:
    counts: Mapping[str, int] = {
        f"{each.address} {each.entry.version}": each.counts.get(Verdict.NEW, 0) for each in review.providers
    }
    beyond = {
        f"{each.address} {each.entry.version}": sum(row.beyond_the_client for row in each.rows)
        for each in review.providers
    }
    for provider, count in counts.items():
        if by_client := count - beyond[provider]:
            yield f"  {provider}: {by_client} new {'hashes' if by_client > 1 else 'hash'} that a client would record"
        if by_signature := beyond[provider]:
            yield f"  {provider}: {counted(by_signature, 'new hash', 'new hashes')} by a signature that no client reads"
    if any(counts.values()):
        yield "  → “lockwarden lock” with the same options adds them"

"""The report as Markdown, made for a comment on a pull request and for the summary of a CI job.

The first line is the answer. When all is well it is the only line that is not folded away; otherwise what changed and
what speaks against committing follow, the loudest first, with the reasons and what to do. Nothing from outside can be
markup, a link or a mention, and the whole stays within what GitHub takes as a comment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.alike_findings import GROUPED, AlikeFindings, changed_providers, found_by_several
from lockwarden.core.reports.bounds import first_of
from lockwarden.core.reports.change_lines import ABOUT_THE_FILE, base_name, file_change_lines
from lockwarden.core.reports.configuration_lines import file_words, replaced_words, settings_words
from lockwarden.core.reports.decision_lines import decided
from lockwarden.core.reports.drift_lines import both_head, both_lines, drift_head, form_line
from lockwarden.core.reports.evidence_lines import evidence_words
from lockwarden.core.reports.failures import paths_of, who_waits
from lockwarden.core.reports.findings import LocatedFinding, finding_message, findings_of_file, loudest_first
from lockwarden.core.reports.headline import answer_of, headline_details, loudest_of_run
from lockwarden.core.reports.in_several_files import changed_first, is_changed, named
from lockwarden.core.reports.located_module_findings import lock_line
from lockwarden.core.reports.markdown_modules import module_part
from lockwarden.core.reports.markdown_page import MarkdownPage, Rank
from lockwarden.core.reports.markdown_tables import provider_row, removed_row, table_head
from lockwarden.core.reports.markdown_text import code, prose
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.reports.reason_lines import by_reasons, ranges
from lockwarden.core.reports.result import FileResult, RunResult, UsedConfiguration
from lockwarden.core.reports.standards_lines import by_standards
from lockwarden.core.reports.unanswered import unanswered
from lockwarden.core.reports.waiting import open_hashes, open_reasons, shared_problems, shared_reasons, waiting
from lockwarden.core.review.changes import comparable
from lockwarden.core.review.exit_codes import WORST_FIRST, ExitCode
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

LIMIT: Final = 60_000
"""Bytes. GitHub takes 65,536 characters; a bot may want to put a line of its own before them."""
_SIGNS: Final = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.NOTE: "·"}
_TOLD_BY_THE_BASE: Final = ABOUT_THE_FILE | {ProblemCode.PROVIDER_REMOVED}
_MAX_LINES: Final = 14
_TABLE_SHARE: Final = 0.4
_NAMES: Final = {Rank.LOUD: "changes", Rank.UNCHANGED: "unchanged providers"}
"""What is counted where it does not fit."""


def markdown_report(result: RunResult) -> str:
    """The whole report, with a line feed at the end."""
    page = MarkdownPage(limit=LIMIT)
    files = _worst_first(result)
    alike = AlikeFindings.of(files)
    if not files and result.modules is None:
        page.section(["**Nothing to object to**: no lock file was named"])
    for place, file in enumerate(files):
        matters = not place or is_changed(file) or file.exit_code is ExitCode.FINDINGS
        rank = Rank.ANSWER if matters else Rank.UNCHANGED
        page.section([*([""] if place else []), _first_line(file)], rank=rank, name="lock files")
        if not place:
            _told_once(page, alike)
        if file.review is None:
            _unreadable(page, file)
        else:
            _details(page, file, file.review, alike)
    if result.modules is not None:
        module_part(page, result.modules, first=not files)
    _folded(page, "Drift between the lock files", [*_drift(result)])
    _folded(page, "Not looked at", [[f"- {prose(each.message)}"] for each in result.left_out])
    if result.evidence is not None:
        page.section(["", f"Evidence: {prose(evidence_words(result.evidence))}"])
    _folded(page, "Held against", [*_standards(result)])
    _configuration(page, result.configuration)
    return str(page)


def _worst_first(result: RunResult) -> Sequence[FileResult]:
    """The file with the loudest of all first, then by exit code, and of these what changed; else as they were given."""
    loudest = loudest_of_run(result)
    return sorted(
        changed_first(result.files),
        key=lambda each: (loudest is None or each is not loudest.file, WORST_FIRST.index(each.exit_code)),
    )


def _told_once(page: MarkdownPage, alike: AlikeFindings) -> None:
    """What is the same in several files. Wherever its files come, it comes first."""
    rows = [[f"- {row.strip('| ')}", f"  - {_in_files(paths)}"] for row, paths in alike.rows.items()]
    if rows:
        page.section(
            ["", "#### Changed alike in several files", ""], rows, count=len(rows), rank=Rank.LOUD, name="changes"
        )
    told = [
        [*_failure(problem, who_waits(waits)), f"  - {_in_files(paths_of(waits))}"]
        for problem, waits in alike.failures.items()
    ]
    for words, paths in alike.told.items():
        first, *below = _item(alike.examples[words], with_line=False)
        told.append([first, f"  - {_in_files(paths)}", *below])
    if told:
        page.section(["", "#### The same in several files", ""], told, count=len(told), rank=Rank.LOUD, name="findings")


def _in_files(paths: Sequence[str]) -> str:
    return f"in {len(paths)} files: {', '.join(map(code, named(paths)))}"


def _first_line(file: FileResult) -> str:
    details = ": ".join(headline_details(file))
    return f"**{answer_of(file)}**{f': {prose(details)}' if details else ''} ({code(file.path)})"


def _unreadable(page: MarkdownPage, file: FileResult) -> None:
    told = findings_of_file(file)
    page.section([""], map(_item, told), count=len(told), rank=Rank.LOUD, name="problems")


def _details(page: MarkdownPage, file: FileResult, review: Review, alike: AlikeFindings) -> None:
    told = findings_of_file(file)
    providers = loudest_first(review)
    shared = {each: waits for each, waits in shared_problems(providers).items() if each not in alike.failures}
    by_several = found_by_several((*shared, *alike.failures))
    loud = [each for each in told if each.finding.severity is Severity.ERROR]
    warn = [
        each
        for each in told
        if each.finding.severity is Severity.WARNING
        and each.finding.code not in GROUPED
        and (each.finding.code, each.finding.message) not in by_several
    ]
    decisions = [[f"- {word} {code(hash_)} of {code(whose)}"] for word, hash_, whose in decided(review)]
    _titled(page, "Decided, and not in the lock file yet", decisions, Rank.LOUD)
    well = not loud and not warn and not shared and file.exit_code is ExitCode.NOTHING_TO_OBJECT
    rest = [each for each in providers if not each.changes]
    if review.standards.sides:
        _changes(page, review, alike, folded=well)
    _titled(page, "What speaks against committing", [*map(_item, alike.without(loud))], Rank.LOUD)
    _titled(page, "What to look at", [*_shared(shared), *map(_item, alike.without(warn))], Rank.OPEN)
    _folded(page, "Not checked", [*_not_checked(providers, (*shared, *alike.failures))])
    _folded(page, "Approved", [_item(each) for each in told if each.finding.approval is not None])
    _folded(page, "Notes", [_item(each) for each in told if _is_note(each)])
    _folded(page, "To add", [*_additions(providers)])
    title = "Unchanged" if review.standards.sides else "All providers"
    _table(page, title, [provider_row(review, each) for each in rest], folded=True, rank=Rank.UNCHANGED)


def _titled(page: MarkdownPage, title: str, items: Sequence[Sequence[str]], rank: Rank) -> None:
    if items:
        page.section(["", f"#### {title}", ""], items, count=len(items), rank=rank, name="findings")


def _shared(shared: Mapping[Problem, Sequence[ProviderReview]]) -> Iterator[list[str]]:
    """Each failure that several providers met, once, with those that wait for it."""
    for problem, providers in shared.items():
        yield _failure(problem, waiting(providers))


def _failure(problem: Problem, who: str) -> list[str]:
    name = f"{_SIGNS[problem.severity]} **{prose(meaning_of(problem.code).name)}**"
    hint = [f"→ {problem.hint}"] if problem.hint else []
    return [f"- {name}: {prose(finding_message(problem))}", *_below([*hint, who])]


def _changes(page: MarkdownPage, review: Review, alike: AlikeFindings, *, folded: bool) -> None:
    sides = review.standards.sides
    rows = [provider_row(review, each) for each in changed_providers(review)]
    own = [row for row in rows if row not in alike.rows] + [removed_row(each) for each in review.removed]
    above = len(rows) + len(review.removed) - len(own)
    nothing = "" if rows or own or not comparable(sides) else ": nothing changed"
    about = [prose(f"Against {base_name(sides)}{nothing}")]
    about += [prose(line) for line in file_change_lines(sides)]
    if above:
        about.append(f"{above} {'changes' if above > 1 else 'change'} listed above, the same in several files")
    rank = Rank.LOUD if review.changed else Rank.UNCHANGED
    page.section(["", *_lines_of_one_paragraph(about)], rank=rank, name="lock files" if review.changed else "")
    _table(page, "Changed", own, folded=folded, rank=Rank.LOUD)


def _lines_of_one_paragraph(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"{line}  " for line in lines[:-1])
    yield lines[-1]


def _table(page: MarkdownPage, title: str, rows: Sequence[str], *, folded: bool, rank: Rank) -> None:
    if not rows:
        return
    head, tail = ([*_opening(title, len(rows)), *table_head()], _CLOSING) if folded else (["", *table_head()], ())
    share = _TABLE_SHARE if rank is Rank.LOUD else 1.0
    page.section(head, [[row] for row in rows], tail, count=len(rows), share=share, rank=rank, name=_NAMES[rank])


_CLOSING: Final = ("", "</details>")


def _opening(title: str, count: int) -> tuple[str, ...]:
    return ("", "<details>", f"<summary>{title}: {count}</summary>", "")


def _folded(page: MarkdownPage, title: str, items: Sequence[Sequence[str]]) -> None:
    if items:
        page.section(_opening(title, len(items)), items, _CLOSING, count=len(items), name=title.lower())


def _is_note(told: LocatedFinding) -> bool:
    finding = told.finding
    return finding.severity is Severity.NOTE and finding.approval is None and finding.code not in _TOLD_BY_THE_BASE


def _item(told: LocatedFinding, *, with_line: bool = True) -> list[str]:
    """One thing with its class, its place, its sentence, and below it what led there and what to do."""
    finding = told.finding
    where = "" if told.provider is None else f" in {_release(told.provider)}"
    line = "" if finding.line is None or not with_line else f", line {finding.line}"
    return [
        f"- {_SIGNS[finding.severity]} **{prose(finding.name)}**{where}{line}: {prose(finding.message)}",
        *_below(finding.lines),
    ]


def _release(provider: ProviderReview) -> str:
    return code(f"{provider.address} {provider.entry.version}")


def _below(lines: Iterable[str]) -> Iterator[str]:
    for line in first_of(tuple(lines), _MAX_LINES):
        depth = "    " if line.startswith(" ") else "  "
        yield f"{depth}- {prose(line)}"


def _not_checked(providers: Sequence[ProviderReview], told: Collection[Problem]) -> Iterator[list[str]]:
    """Hashes that stay open for the same reasons together, then the questions that got no answer."""
    common = shared_reasons(providers)
    for reasons, groups in common.items():
        count = f"{sum(len(each.rows) for each in groups)} hashes of {len(groups)} providers"
        yield [f"- ? {count}", *_below([*open_reasons(reasons, told), *open_hashes(groups)])]
    for provider in providers:
        known = [problem.message for problem in provider.problems]
        for reasons, rows in by_reasons(provider, lambda row: row.verdict is Verdict.UNCHECKED):
            known += [reason.text for reason in reasons]
            if reasons in common:
                continue
            lines = ranges(sorted(row.line for row in rows if row.line is not None))
            count = f"{len(rows)} hashes" if len(rows) > 1 else code(rows[0].hash.text)
            yield [f"- ? {count} of {_release(provider)}, line {lines}", *_below(open_reasons(reasons, told))]
        yield from ([f"- ? {_release(provider)}: {prose(each)}"] for each in unanswered(provider, told=known))


def _drift(result: RunResult) -> Iterator[list[str]]:
    for each in result.drift:
        yield [f"- {prose(drift_head(each))}", *_below(form_line(each, form) for form in each.forms)]
    for both in result.both_registries:
        yield [f"- {prose(both_head(both))}", *_below(both_lines(both))]


def _configuration(page: MarkdownPage, used: UsedConfiguration | None) -> None:
    if used is None:
        return
    lines = [[f"- {prose(file_words(each))}"] for each in used.files] or [["- no CLI configuration file"]]
    if used.replaced_hosts:
        lines.append([f"- {prose(replaced_words(used))}"])
    if used.settings is not None:
        lines.append([f"- {prose(settings_words(used.settings))}"])
    page.section(("", "<details>", "<summary>Configuration</summary>", ""), lines, _CLOSING, count=len(lines))


def _standards(result: RunResult) -> Iterator[list[str]]:
    """By what the lock files were judged, each distinct set once with the files that it is of."""
    for lock in () if result.modules is None else result.modules.locks:
        yield [f"- {prose(f'module lock {lock_line(lock)}')}"]
    for line, paths in by_standards(result).items():
        yield [f"- {prose(line)}", *_below([] if len(result.files) < 2 else paths)]


def _additions(providers: Iterable[ProviderReview]) -> Iterator[list[str]]:
    for each in providers:
        count = each.counts.get(Verdict.NEW, 0)
        if count:
            what = f"{count} new {'hashes' if count > 1 else 'hash'} of {_release(each)} that a client would record"
            yield [f"- {what}; `lockwarden lock` with the same options adds {'them' if count > 1 else 'it'}"]

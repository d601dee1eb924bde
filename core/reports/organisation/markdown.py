"""The report about many repositories as Markdown: what is wrong first, within a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lockwarden.core.reports.bounds import first_of
from lockwarden.core.reports.markdown_page import MarkdownPage, Rank
from lockwarden.core.reports.markdown_text import code, prose, table_row
from lockwarden.core.reports.organisation.phrases import (
    answer_in_words,
    answers_line,
    counts_in_words,
    drift_words,
    numbers_of,
    standards_words,
    trust_words,
)
from lockwarden.core.reports.organisation.rows import SEVERITY_SIGNS, OrganisationTables, RepositoryRow
from lockwarden.core.reports.organisation.shared_findings import SharedFinding
from lockwarden.core.review.across_repositories import KeyReliance, ProviderUse
from lockwarden.core.values.severity import Severity

LIMIT: Final = 60_000
"""Bytes: less than the comment of a pull request may have."""
_NAMES: Final = 10
_REASONS: Final = 8
_SHARE: Final = 0.6


def markdown_organisation(tables: OrganisationTables, *, limit: int = LIMIT) -> str:
    """The whole report. What matters most has room first; what is left out is counted."""
    result = tables.result
    page = MarkdownPage(limit=limit)
    head = [
        f"## Lockwarden: {prose(answer_in_words(result))}",
        "",
        f"{prose(counts_in_words(tables))}  ",
        prose(answers_line(tables)),
    ]
    page.section(head, rank=Rank.ANSWER)
    errors = [each for each in tables.findings if each.finding.severity is Severity.ERROR]
    _list(page, "Findings", map(_finding, errors), len(errors), rank=Rank.LOUD)
    _table(
        page,
        "Repositories",
        ("Repository", "Commit", "Lock files", "Answer", "What was found"),
        [_repository(each) for each in tables.repositories],
        rank=Rank.LOUD,
    )
    others = [each for each in tables.findings if each.finding.severity is not Severity.ERROR]
    _list(page, "Warnings, approvals and what was not checked", map(_finding, others), len(others), rank=Rank.OPEN)
    _table(
        page,
        "Signing keys",
        ("Key ID", "Says it is", "State", "Policy", "Repositories", "Providers", "Locked hashes"),
        [_key(each) for each in result.reliance.keys],
    )
    _table(
        page,
        "Providers",
        ("Provider", "Versions", "Signed", "Repositories", "Lock files"),
        [_provider(each) for each in result.reliance.providers],
    )
    drift = [
        table_row(
            (
                code(str(row.drift.address)),
                code(str(row.form.version)),
                str(len(row.form.hashes)),
                prose(drift_words(row.form)),
                _names(row.labels),
            )
        )
        for row in tables.drift
    ]
    _table(page, "Drift", ("Provider", "Version", "Hashes", "Differs in", "Repositories"), drift)
    page.section(["", f"Held against: {prose(standards_words(result))}"], rank=Rank.QUIET)
    return str(page)


def _list(page: MarkdownPage, title: str, items: Iterable[Sequence[str]], count: int, *, rank: Rank) -> None:
    if count:
        page.section(["", f"### {title}: {count}", ""], items, count=count, share=_SHARE, rank=rank, name=title.lower())


def _table(
    page: MarkdownPage, title: str, columns: Sequence[str], rows: Sequence[str], *, rank: Rank = Rank.QUIET
) -> None:
    if not rows:
        return
    head = [
        "",
        "<details>",
        f"<summary>{title}: {len(rows)}</summary>",
        "",
        table_row(columns),
        table_row("---" for _ in columns),
    ]
    tail = ["", "</details>"]
    page.section(head, [[row] for row in rows], tail, count=len(rows), share=_SHARE, rank=rank, name=title.lower())


def _finding(shared: SharedFinding) -> list[str]:
    finding = shared.finding
    about = f" in {code(shared.release)}" if shared.release else ""
    lines = (
        f"- {SEVERITY_SIGNS[finding.severity]} **{prose(finding.name)}**{about}: {prose(shared.message)}",
        *(f"  - {prose(line)}" for line in first_of(finding.lines, _REASONS)),
        f"  - {_names(shared.labels)}",
    )
    return list(lines)


def _repository(row: RepositoryRow) -> str:
    repository = row.repository
    told = [*numbers_of(row), *(each.message for each in repository.problems)]
    return table_row(
        (
            code(repository.label),
            code(repository.commit[:12]),
            str(row.files),
            f"{row.answer.sign} {row.answer}",
            "; ".join(map(prose, told)) or "-",
        )
    )


def _key(reliance: KeyReliance) -> str:
    key = reliance.key
    return table_row(
        (
            code(key.key_id),
            ", ".join(map(code, key.user_ids[:3])) or "nobody",
            str(key.state),
            prose(trust_words(reliance)),
            str(len(reliance.repositories)),
            str(len(reliance.providers)),
            str(reliance.hashes),
        )
    )


def _provider(use: ProviderUse) -> str:
    return table_row(
        (
            code(str(use.address)),
            ", ".join(code(str(each.version)) for each in use.releases),
            str(use.signing),
            f"only {code(use.repositories[0])}" if use.lone else str(len(use.repositories)),
            str(use.files),
        )
    )


def _names(names: Sequence[str]) -> str:
    return ", ".join(_named(names)) or "-"


def _named(names: Sequence[str]) -> Iterator[str]:
    yield from map(code, names[:_NAMES])
    if len(names) > _NAMES:
        yield f"{len(names) - _NAMES} more"

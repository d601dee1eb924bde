"""The report about many repositories as plain text: what is wrong first, and nothing of repositories that are well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lockwarden.core.reports.bounds import bounded_text, first_of
from lockwarden.core.reports.configuration_lines import configuration_line
from lockwarden.core.reports.organisation.phrases import (
    amount,
    answer_in_words,
    answers_line,
    counts_in_words,
    drift_words,
    numbers_of,
    some_of,
    standards_words,
    trust_words,
)
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import SEVERITY_SIGNS, OrganisationTables, RepositoryAnswer
from lockwarden.core.reports.organisation.shared_findings import SharedFinding
from lockwarden.core.review.signing import Signing
from lockwarden.core.values.printable import printed
from lockwarden.core.values.severity import Severity

MAX_SIZE: Final = 40_000_000
_NAMES: Final = 5
"""Repositories that are named in a line; the JSON report and the page name all."""
_REASONS: Final = 8
_WELL: Final = frozenset({RepositoryAnswer.GOOD, RepositoryAnswer.EMPTY})


def text_organisation(tables: OrganisationTables) -> str:
    """The whole report, with a line feed at the end."""
    result = tables.result
    lines = [f"{answer_in_words(result)}: {counts_in_words(tables)}", answers_line(tables)]
    for title, section in (
        ("Repositories", _repositories(tables)),
        ("Findings", _findings(tables, Severity.ERROR)),
        ("Warnings and what was not checked", _findings(tables, Severity.WARNING)),
        ("Approved", _findings(tables, Severity.NOTE)),
        ("Unsigned", _unsigned(tables)),
        ("Drift", _drift(tables)),
        ("Signing keys", _keys(result)),
        ("Used by one repository only", _lone(result)),
    ):
        told = list(section)
        lines += ["", title, *(f"  {line}" for line in told)] if told else []
    lines += ["", f"Held against: {standards_words(result)}"]
    if result.run.configuration is not None:
        lines.append(configuration_line(result.run.configuration))
    return bounded_text(map(printed, lines), MAX_SIZE)


def _repositories(tables: OrganisationTables) -> Iterator[str]:
    for row in tables.repositories:
        if row.answer in _WELL:
            continue
        numbers = ", ".join(numbers_of(row))
        yield f"{row.answer.sign} {row.repository.label}: {row.answer}{f': {numbers}' if numbers else ''}"
        for problem in row.repository.problems:
            yield f"    {problem.severity}: {problem.message}"
            yield from _hint(problem.hint)


def _findings(tables: OrganisationTables, severity: Severity) -> Iterator[str]:
    for each in tables.findings:
        if each.finding.severity is severity:
            about = f" in {each.release}" if each.release else ""
            yield f"{SEVERITY_SIGNS[severity]} {each.finding.name}{about}: {each.message}"
            yield from (f"    {line}" for line in first_of(each.finding.lines, _REASONS))
            yield f"    {_held_by(each)}"


def _held_by(shared: SharedFinding) -> str:
    labels = shared.labels
    return f"in {amount(len(labels), 'repository', 'repositories')}: {some_of(labels, _NAMES)}"


def _unsigned(tables: OrganisationTables) -> Iterator[str]:
    for use in tables.unsigned:
        for release in use.releases:
            if release.signing is Signing.UNSIGNED:
                yield f"{use.address} {release.version}: {some_of(release.labels, _NAMES)}"


def _drift(tables: OrganisationTables) -> Iterator[str]:
    last = None
    for row in tables.drift:
        if row.drift is not last:
            yield str(row.drift.address)
            last = row.drift
        hashes = amount(len(row.form.hashes), "hash", "hashes")
        yield f"  {row.form.version} with {hashes}, {drift_words(row.form)}: {some_of(row.labels, _NAMES)}"


def _keys(result: OrganisationResult) -> Iterator[str]:
    for each in result.reliance.keys:
        names = ", ".join(each.key.user_ids) or "no user ID"
        yield f"{each.key.key_id}  {names}"
        yield f"    {each.key.fingerprint}, {each.key.state} now; {trust_words(each)}"
        yield (
            f"    {amount(len(each.repositories), 'repository', 'repositories')}, {amount(each.files, 'lock file')},"
            f" {amount(len(each.providers), 'provider')}, {amount(each.releases, 'version')},"
            f" {amount(each.hashes, 'locked hash', 'locked hashes')}"
        )


def _lone(result: OrganisationResult) -> Iterator[str]:
    for use in result.reliance.lone:
        versions = ", ".join(str(each.version) for each in use.releases)
        yield f"{use.address} {versions}: {use.repositories[0]}"


def _hint(hint: str) -> Iterable[str]:
    return (f"    → {hint}",) if hint else ()

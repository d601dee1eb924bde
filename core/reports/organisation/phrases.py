"""What is said of many repositories in words, alike in every form of the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockwarden.core.reports.drift_lines import DRIFT_WORDS
from lockwarden.core.reports.organisation.result import OrganisationResult
from lockwarden.core.reports.organisation.rows import OrganisationTables, RepositoryRow
from lockwarden.core.reports.standards_lines import files_line
from lockwarden.core.review.across_repositories import KeyReliance
from lockwarden.core.review.drift import DriftForm
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.trusted_keys import trust_in_words

_ANSWERS = {
    ExitCode.UNUSABLE_INPUT: "Not every repository could be read",
    ExitCode.FINDINGS: "Something speaks against what is locked",
    ExitCode.INCOMPLETE: "Not everything was checked",
    ExitCode.NOTHING_TO_OBJECT: "Nothing to object to",
}
NOTHING_READ = "No lock file was found"


def amount(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def answer_in_words(result: OrganisationResult) -> str:
    """What the whole organisation comes to."""
    if not any(each.files for each in result.repositories):
        return NOTHING_READ
    return _ANSWERS[result.exit_code]


def counts_in_words(tables: OrganisationTables) -> str:
    """How much was looked at, in one line."""
    result = tables.result
    reliance = result.reliance
    releases = sum(len(each.releases) for each in reliance.providers)
    parts = (
        amount(len(result.repositories), "repository", "repositories"),
        amount(len(result.run.files), "lock file"),
        amount(len(reliance.providers), "provider"),
        amount(releases, "version"),
        amount(len(reliance.keys), "signing key"),
    )
    return ", ".join(parts)


def answers_line(tables: OrganisationTables) -> str:
    """How many repositories come to what, as in “Findings: 3; Nothing to object to: 40”."""
    order = {row.answer: None for row in tables.repositories}
    return "; ".join(f"{each}: {tables.counts[each]}" for each in order)


def numbers_of(row: RepositoryRow) -> Iterator[str]:
    """What there is to say of a repository in numbers; nothing of what is none."""
    for number, one, many in (
        (row.disowned, "disowned hash", "disowned hashes"),
        (row.unexplained, "unexplained hash", "unexplained hashes"),
        (row.errors, "other error", "other errors"),
        (row.unchecked, "unchecked hash", "unchecked hashes"),
        (row.unsigned, "unsigned entry", "unsigned entries"),
        (row.drifting, "drifting entry", "drifting entries"),
        (row.approved, "approved hash", "approved hashes"),
    ):
        if number:
            yield amount(number, one, many)


def some_of(names: Sequence[str], limit: int) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{more}"


def drift_words(form: DriftForm) -> str:
    """In what a way differs from the usual one; that it is the usual one where it does not."""
    return " and ".join(DRIFT_WORDS[kind] for kind in form.kinds) or "usual"


def trust_words(reliance: KeyReliance) -> str:
    """What the policies say of a key, also where they say nothing."""
    if reliance.trusted is False:
        return "the policies name other keys for these providers"
    return trust_in_words(reliance.trusted) or "no policy names it"


def standards_words(result: OrganisationResult) -> str:
    """Whose policy and approvals count."""
    policy = files_line("the organisation's policy", result.policy_files) or "no policy of the organisation"
    return f"{policy}; policies and approvals of repositories as they are at {result.standards_at}"

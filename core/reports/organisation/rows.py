"""The tables of the report about many repositories, as values that every form shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Final

from msgspec import Struct

from lockwarden.core.reports.organisation.result import OrganisationResult, RepositoryResult
from lockwarden.core.reports.organisation.shared_findings import SharedFinding, shared_findings
from lockwarden.core.reports.standards_lines import standards_line
from lockwarden.core.review.across_repositories import ProviderUse
from lockwarden.core.review.drift import Drift, DriftForm
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.signing import Signing, signing_of
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.severity import Severity


class RepositoryAnswer(StrEnum):
    """What a repository comes to; the worst first."""

    UNREADABLE = "Cannot be read"
    PARTLY = "Not all of it can be read"
    FINDINGS = "Findings"
    INCOMPLETE = "Not everything was checked"
    GOOD = "Nothing to object to"
    EMPTY = "No lock file"
    NOT_LOOKED_AT = "Not looked at"

    @property
    def sign(self) -> str:
        """A sign that stands beside the words."""
        return _SIGNS[self]


_SIGNS: Final = {
    RepositoryAnswer.UNREADABLE: "✗",
    RepositoryAnswer.PARTLY: "✗",
    RepositoryAnswer.FINDINGS: "✗",
    RepositoryAnswer.INCOMPLETE: "?",
    RepositoryAnswer.GOOD: "✓",
    RepositoryAnswer.EMPTY: "·",
    RepositoryAnswer.NOT_LOOKED_AT: "·",
}
_NOTHING: Final = (0, 0, 0, 0, 0, 0)
SEVERITY_SIGNS: Final = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.NOTE: "·"}


def answer_of_repository(repository: RepositoryResult) -> RepositoryAnswer:
    """What a repository comes to, in words. One that was not looked at is never called good."""
    read = any(each.result.review is not None for each in repository.files)
    match repository.exit_code:
        case ExitCode.UNUSABLE_INPUT:
            return RepositoryAnswer.PARTLY if read else RepositoryAnswer.UNREADABLE
        case ExitCode.FINDINGS:
            return RepositoryAnswer.FINDINGS
        case ExitCode.INCOMPLETE:
            return RepositoryAnswer.INCOMPLETE
        case _:
            if read:
                return RepositoryAnswer.GOOD
            return RepositoryAnswer.EMPTY if repository.commit else RepositoryAnswer.NOT_LOOKED_AT


class RepositoryRow(Struct, frozen=True, kw_only=True):
    """One repository at one revision, in numbers."""

    repository: RepositoryResult
    answer: RepositoryAnswer
    files: int
    disowned: int
    """Hashes, as with the next three."""
    unexplained: int
    approved: int
    unchecked: int
    unsigned: int
    """Entries, as with the next."""
    drifting: int
    errors: int
    """Other things that speak against what is locked."""
    standards: tuple[str, ...]
    """By what its lock files were judged, each distinct once."""


class DriftRow(Struct, frozen=True, kw_only=True):
    """One way in which a provider is locked that others lock in another way."""

    drift: Drift
    form: DriftForm
    labels: tuple[str, ...]


class OrganisationTables(Struct, frozen=True, kw_only=True, dict=True):
    """What the report shows, worked out once."""

    result: OrganisationResult

    @cached_property
    def repositories(self) -> tuple[RepositoryRow, ...]:
        """The worst first; of equals in the order in which they were given."""
        entries = _Entries()
        drifting = self._drifting
        rows = [_row(each, entries, drifting) for each in self.result.repositories]
        order = list(RepositoryAnswer)
        return tuple(sorted(rows, key=lambda row: (order.index(row.answer), -row.disowned, -row.unexplained)))

    @cached_property
    def findings(self) -> tuple[SharedFinding, ...]:
        """Errors first, then warnings and what was not checked, then what records accept."""
        return shared_findings(self.result)

    @cached_property
    def drift(self) -> tuple[DriftRow, ...]:
        """Every way of each provider of which some way stands out."""
        labels = self.result.labels
        return tuple(
            DriftRow(drift=drift, form=form, labels=tuple(dict.fromkeys(labels[path].label for path in form.paths)))
            for drift in self.result.drift
            if any(form.stands_out for form in drift.forms)
            for form in drift.forms
        )

    @cached_property
    def unsigned(self) -> tuple[ProviderUse, ...]:
        """The providers of which some locked version is not signed."""
        return tuple(each for each in self.result.reliance.providers if each.signing is Signing.UNSIGNED)

    @cached_property
    def counts(self) -> Mapping[RepositoryAnswer, int]:
        """How many repositories come to what."""
        found: dict[RepositoryAnswer, int] = {}
        for row in self.repositories:
            found[row.answer] = found.get(row.answer, 0) + 1
        return found

    @cached_property
    def _drifting(self) -> Mapping[str, frozenset[ProviderAddress]]:
        found: defaultdict[str, set[ProviderAddress]] = defaultdict(set)
        for row in self.drift:
            if row.form.stands_out:
                for path in row.form.paths:
                    found[path].add(row.drift.address)
        return {path: frozenset(addresses) for path, addresses in found.items()}


class _Entries:
    """Numbers of entries; those of equal entries are worked out once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, ...]] = {}

    def of(self, provider: ProviderReview) -> tuple[int, ...]:
        # Entries that follow another one share its counts (`Judging`), which the result keeps: no other gets their id.
        key = id(provider.counts)
        if key not in self._known:
            self._known[key] = (
                provider.counts.get(Verdict.DISOWNED, 0),
                sum(row.objects for row in provider.rows if row.verdict is Verdict.UNEXPLAINED),
                provider.approved,
                provider.counts.get(Verdict.UNCHECKED, 0),
                int(provider.audit is not None and signing_of(provider.audit) is Signing.UNSIGNED),
                sum(each.severity is Severity.ERROR for each in provider.problems),
            )
        return self._known[key]


def _row(
    repository: RepositoryResult, entries: _Entries, drifting: Mapping[str, frozenset[ProviderAddress]]
) -> RepositoryRow:
    reviews = [each.result.review for each in repository.files if each.result.review is not None]
    numbers = [entries.of(provider) for review in reviews for provider in review.providers]
    disowned, unexplained, approved, unchecked, unsigned, errors = map(sum, zip(_NOTHING, *numbers, strict=True))
    about_files = sum(each.severity is Severity.ERROR for review in reviews for each in review.problems)
    return RepositoryRow(
        repository=repository,
        answer=answer_of_repository(repository),
        files=len(repository.files),
        disowned=disowned,
        unexplained=unexplained,
        approved=approved,
        unchecked=unchecked,
        unsigned=unsigned,
        drifting=sum(len(drifting.get(each.result.path, ())) for each in repository.files),
        errors=errors + about_files,
        standards=tuple(dict.fromkeys(standards_line(review.standards) for review in reviews)),
    )

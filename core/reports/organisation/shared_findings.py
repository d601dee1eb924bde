"""What speaks against what many repositories lock: each thing once, with all the places that have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from msgspec import Struct

from lockwarden.core.reports.findings import Finding, file_findings, provider_findings, rank_of
from lockwarden.core.reports.organisation.result import OrganisationResult, RepositoryFile, RepositoryResult
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version


class Where(Struct, frozen=True):
    """One lock file that has it."""

    label: str
    """Of the repository at its revision."""
    path: str
    """In the repository."""
    line: int | None


class SharedFinding(Struct, frozen=True, kw_only=True, dict=True):
    """One thing to tell, wherever it stands."""

    finding: Finding
    """As the first place has it."""
    address: ProviderAddress | None
    """None for what is about a lock file itself."""
    version: Version | None
    message: str
    where: tuple[Where, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The repositories, each once."""
        return tuple(dict.fromkeys(each.label for each in self.where))

    @property
    def release(self) -> str:
        """The provider and its version; empty for what is about a lock file."""
        return "" if self.address is None else f"{self.address} {self.version}"


def shared_findings(result: OrganisationResult) -> tuple[SharedFinding, ...]:
    """Everything that is an error, a warning or an approval, the loudest first; of equals what most places have."""
    found: dict[Hashable, _Collected] = {}
    known = _Known()
    for repository, file in result.files:
        for provider, finding in _told(file, known):
            if finding.severity is Severity.NOTE and finding.approval is None:
                continue
            key = _key(provider, finding)
            if key not in found:
                found[key] = _Collected(provider, finding)
            found[key].add(repository, file, finding)
    return tuple(sorted((each.shared() for each in found.values()), key=_order))


class _Known:
    """Findings of entries that were told: equal entries of many files are one value."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[Finding, ...]] = {}

    def of(self, provider: ProviderReview) -> tuple[Finding, ...]:
        # The result keeps every review, so that no other one can get its identity.
        if id(provider) not in self._told:
            self._told[id(provider)] = provider_findings(provider)
        return self._told[id(provider)]


class _Collected:
    def __init__(self, provider: ProviderReview | None, finding: Finding) -> None:
        self._provider = provider
        self._finding = finding
        self._where: dict[Where, None] = {}
        self._reasons: Counter[str] = Counter()
        self._hashes: set[str] = set()

    def add(self, repository: RepositoryResult, file: RepositoryFile, finding: Finding) -> None:
        unchecked = finding.code is ProblemCode.UNCHECKED
        self._where.setdefault(Where(repository.label, file.path, None if unchecked else finding.line))
        if unchecked and finding.subject not in self._hashes:
            self._hashes.add(finding.subject)
            self._reasons[finding.message.partition(": ")[2]] += 1

    def shared(self) -> SharedFinding:
        entry = None if self._provider is None else self._provider.entry
        message = self._finding.message
        if self._hashes:
            count = len(self._hashes)
            (why, _), *others = self._reasons.most_common()
            more = f", and {len(others)} other reasons" if len(others) > 1 else ", and another reason" if others else ""
            message = f"{count} {'hashes were' if count > 1 else 'hash was'} not checked: {why}{more}"
        return SharedFinding(
            finding=self._finding,
            address=None if entry is None else entry.address,
            version=None if entry is None else entry.version,
            message=message,
            where=tuple(self._where),
        )


def _told(file: RepositoryFile, known: _Known) -> Iterator[tuple[ProviderReview | None, Finding]]:
    for finding in file_findings(file.result):
        yield None, finding
    review = file.result.review
    for provider in () if review is None else review.providers:
        for finding in known.of(provider):
            yield provider, finding


def _key(provider: ProviderReview | None, finding: Finding) -> Hashable:
    """What makes two findings one. Hashes of one release that were not checked are told together."""
    release = None if provider is None else (provider.address, provider.entry.version)
    if finding.code is ProblemCode.UNCHECKED:
        return release, finding.code
    return release, finding.code, finding.severity, finding.subject, finding.message


def _order(shared: SharedFinding) -> tuple[object, ...]:
    address = () if shared.address is None else shared.address.sort_key
    return (rank_of(shared.finding), -len(shared.labels), address, shared.message)

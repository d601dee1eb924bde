"""What speaks against what many repositories lock: each thing once, with all the places that have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from msgspec import Struct

from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.reports.findings import Finding, file_findings, provider_findings, rank_of
from lockwarden.core.reports.organisation.result import OrganisationResult
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
    def kind(self) -> str:
        """What the page calls its sort: the verdict of a hash, what a record accepts, what is open, or its weight."""
        if self.finding.approval is not None:
            return "approved"
        if self.finding.code in {ProblemCode.DISOWNED, ProblemCode.UNEXPLAINED}:
            return self.finding.code.value
        return "open" if self.finding.is_open else self.finding.severity.value

    @property
    def release(self) -> str:
        """The provider and its version; empty for what is about a lock file."""
        return "" if self.address is None else f"{self.address} {self.version}"


def shared_findings(result: OrganisationResult) -> tuple[SharedFinding, ...]:
    """Everything that is an error, a warning or an approval, the loudest first; of equals what most places have."""
    found: dict[Hashable, _Collected] = {}
    known = _Known()
    for repository, file in result.files:
        for finding in file_findings(file.result):
            if _counts(finding):
                told = _Told(key=_key(None, finding), finding=finding, entry=None)
                found.setdefault(told.key, _Collected(told)).add(told, Where(repository.label, file.path, finding.line))
        for provider in () if file.result.review is None else file.result.review.providers:
            for told in known.of(provider):
                where = Where(repository.label, file.path, _line(told, provider))
                found.setdefault(told.key, _Collected(told)).add(told, where)
    return tuple(sorted((each.shared() for each in found.values()), key=_order))


class _Told(Struct, frozen=True, kw_only=True):
    """One thing that is told of entries that are judged alike, wherever they stand."""

    key: Hashable
    finding: Finding
    entry: LockedProvider | None
    reasons: tuple[tuple[str, str], ...] = ()
    """The hashes that were not checked, each with why."""


class _Known:
    """What is told of entries: it is worked out once for those that were judged as one."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[_Told, ...]] = {}

    def of(self, provider: ProviderReview) -> tuple[_Told, ...]:
        # Entries that follow another one share its counts (`Judging`), which the result keeps: no other gets their id.
        key = id(provider.counts)
        if key not in self._told:
            self._told[key] = tuple(_of_entry(provider))
        return self._told[key]


def _of_entry(provider: ProviderReview) -> Iterator[_Told]:
    """What is told of an entry; its hashes that were not checked together."""
    entry, unchecked = provider.entry, list[Finding]()
    for finding in filter(_counts, provider_findings(provider)):
        if finding.code is ProblemCode.UNCHECKED:
            unchecked.append(finding)
        else:
            yield _Told(key=_key(entry, finding), finding=finding, entry=entry)
    if unchecked:
        reasons = tuple((each.subject, each.message.partition(": ")[2]) for each in unchecked)
        yield _Told(
            key=(entry.address, entry.version, ProblemCode.UNCHECKED),
            finding=unchecked[0],
            entry=entry,
            reasons=reasons,
        )


class _Collected:
    """One thing with the places that have it."""

    def __init__(self, told: _Told) -> None:
        self._first = told
        self._taken: set[int] = set()
        self._where: dict[Where, None] = {}
        self._reasons: dict[str, str] = {}

    def add(self, told: _Told, where: Where) -> None:
        self._where.setdefault(where)
        if told.reasons and id(told) not in self._taken:
            self._taken.add(id(told))
            self._reasons |= told.reasons

    def shared(self) -> SharedFinding:
        entry, message = self._first.entry, self._first.finding.message
        if self._reasons:
            count = len(self._reasons)
            (why, _), *others = Counter(self._reasons.values()).most_common()
            more = f", and for {len(others)} other reasons" if others else ""
            message = f"{count} {'hashes were' if count > 1 else 'hash was'} not checked: {why}{more}"
        return SharedFinding(
            finding=self._first.finding,
            address=None if entry is None else entry.address,
            version=None if entry is None else entry.version,
            message=message,
            where=tuple(self._where),
        )


def _counts(finding: Finding) -> bool:
    return finding.severity is not Severity.NOTE or finding.approval is not None


def _key(entry: LockedProvider | None, finding: Finding) -> Hashable:
    """What makes two findings one."""
    release = None if entry is None else (entry.address, entry.version)
    return release, finding.code, finding.severity, finding.subject, finding.message


def _line(told: _Told, provider: ProviderReview) -> int | None:
    """Where it stands in this file: the line of the hash, or where the entry begins."""
    if told.reasons:
        return None
    subject = told.finding.subject
    return next((row.line for row in provider.rows if row.hash.text == subject), provider.entry.line)


def _order(shared: SharedFinding) -> tuple[object, ...]:
    address = () if shared.address is None else shared.address.sort_key
    return (rank_of(shared.finding), -len(shared.labels), address, shared.message)

"""The report about many repositories as JSON, `lockwarden.organisation/1`: full values in a stable order."""

from __future__ import annotations

from typing import Final, Literal, Self

from msgspec import UNSET, Struct, UnsetType

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.bounds import Room
from lockwarden.core.reports.configuration_lines import ConfigurationJson
from lockwarden.core.reports.json_standards import ApprovalJson, StandardFileJson
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import ProblemJson, SourceJson, ToolJson
from lockwarden.core.reports.organisation.json_reliance import DriftingJson, KeyRelianceJson, ProviderUseJson
from lockwarden.core.reports.organisation.phrases import answer_in_words
from lockwarden.core.reports.organisation.result import RepositoryFile, RepositoryProblem
from lockwarden.core.reports.organisation.rows import OrganisationTables, RepositoryAnswer, RepositoryRow
from lockwarden.core.reports.organisation.shared_findings import SharedFinding, Where
from lockwarden.core.reports.result import FileProblem
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.severity import Severity

MAX_SIZE: Final = 16_000_000
"""Bytes before the text is indented, which makes it up to three times as large: less than 50 MB in the end."""


class RepositoryProblemJson(Struct, frozen=True, kw_only=True):
    """Something about a repository itself: why it was not looked at, or what of it was not."""

    code: str
    """A stable word; docs/problem-codes.md explains each."""
    severity: Severity
    message: str
    hint: str
    """What to do about it; may be empty."""

    @classmethod
    def of(cls, problem: RepositoryProblem) -> Self:
        """One problem."""
        return cls(code=problem.code, severity=problem.severity, message=problem.message, hint=problem.hint)


class RepositoryFileJson(Struct, frozen=True, kw_only=True):
    """One lock file of a repository."""

    path: str
    """In the repository."""
    exit_code: ExitCode
    """What lockwarden check would end with for this file alone."""
    problems: list[ProblemJson]
    """What is wrong with the file itself, and with what it is held against."""
    policies: list[StandardFileJson]
    """Every policy that counts."""
    approvals: list[StandardFileJson]

    @classmethod
    def of(cls, file: RepositoryFile) -> Self:
        """One file, with what it was held against."""
        review = file.result.review
        problems: list[Problem | FileProblem] = [*file.result.problems, *(() if review is None else review.problems)]
        return cls(
            path=file.path,
            exit_code=file.result.exit_code,
            problems=[ProblemJson.of(each) for each in problems],
            policies=[] if review is None else [StandardFileJson.of(each) for each in review.standards.policy_files],
            approvals=[] if review is None else [StandardFileJson.of(each) for each in review.standards.approval_files],
        )


class RepositoryJson(Struct, frozen=True, kw_only=True):
    """One repository at one revision."""

    name: str
    revision: str
    """As it was asked for; empty for what the clone stands on."""
    label: str
    """Name and revision, as the rest of the report calls it."""
    commit: str
    """The full ID; empty where none was found."""
    answer: RepositoryAnswer
    exit_code: ExitCode
    disowned: int
    """Hashes that the origin disowns."""
    unexplained: int
    """Hashes that nobody vouches for and that no record accepts."""
    approved: int
    """Hashes that nobody vouches for and that a record accepts."""
    unchecked: int
    """Hashes that were not checked."""
    unsigned: int
    """Entries whose release is not signed."""
    drifting: int
    """Entries that differ from what most lock files have, in more than h1 hashes."""
    errors: int
    """Other things that speak against what is locked."""
    problems: list[RepositoryProblemJson]
    lock_files: list[RepositoryFileJson]

    @classmethod
    def of(cls, row: RepositoryRow) -> Self:
        """One row."""
        repository = row.repository
        return cls(
            name=repository.name,
            revision=repository.revision,
            label=repository.label,
            commit=repository.commit,
            answer=row.answer,
            exit_code=repository.exit_code,
            disowned=row.disowned,
            unexplained=row.unexplained,
            approved=row.approved,
            unchecked=row.unchecked,
            unsigned=row.unsigned,
            drifting=row.drifting,
            errors=row.errors,
            problems=[RepositoryProblemJson.of(each) for each in repository.problems],
            lock_files=[RepositoryFileJson.of(each) for each in repository.files],
        )


class WhereJson(Struct, frozen=True, kw_only=True):
    """One lock file that has it."""

    repository: str
    """The label of the repository at its revision."""
    path: str
    line: int | None
    """Line in the lock file, from 1; null where no line is to blame."""

    @classmethod
    def of(cls, where: Where) -> Self:
        """One place."""
        return cls(repository=where.label, path=where.path, line=where.line)


class SharedFindingJson(Struct, frozen=True, kw_only=True):
    """One thing that speaks against what is locked, or leaves it open, with all the places that have it."""

    code: str
    """Of a problem, or a verdict."""
    severity: Severity
    """An error objects; a warning may leave the answer open; a note is a finding that a record accepts."""
    name: str
    """The code in a few words."""
    address: str | None
    """Null when it is about a lock file itself."""
    version: str | None
    hash: str
    """Empty when it is about no single one."""
    message: str
    lines: list[str]
    """What led there and what to do."""
    approval: ApprovalJson | None
    """The record that accepts it; null without one."""
    where: list[WhereJson]

    @classmethod
    def of(cls, shared: SharedFinding) -> Self:
        """One finding."""
        finding = shared.finding
        alone = shared.message == finding.message
        return cls(
            code=finding.code,
            severity=finding.severity,
            name=finding.name,
            address=None if shared.address is None else str(shared.address),
            version=None if shared.version is None else str(shared.version),
            hash=finding.subject if alone else "",
            message=shared.message,
            lines=list(finding.lines),
            approval=None if finding.approval is None else ApprovalJson.of(finding.approval),
            where=[WhereJson.of(each) for each in shared.where],
        )


class OrganisationJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden organisation --format json` writes. Members may be added; none is removed or changes its meaning
    within version 1."""

    schema: Literal["lockwarden.organisation/1"] = "lockwarden.organisation/1"
    answer: str
    """What all repositories come to, in words."""
    exit_code: ExitCode
    """0 nothing to object to, 1 findings, 2 a repository or a lock file cannot be read, or there is none, 3 something
    could not be verified and nothing worse was found."""
    policies: list[StandardFileJson]
    """The organisation's own; empty where none was named."""
    standards_at: str
    """The revision of each repository at which its own policy and approvals count."""
    sources: list[SourceJson]
    configuration: ConfigurationJson | None
    """Null where none was looked for."""
    repositories: list[RepositoryJson]
    """The worst first."""
    findings: list[SharedFindingJson]
    """The loudest first."""
    providers: list[ProviderUseJson]
    keys: list[KeyRelianceJson]
    """Those that most repositories rely on first."""
    drift: list[DriftingJson]
    tool: ToolJson
    omitted: int | UnsetType = UNSET
    """How many things are left out because the report would be too large; absent when nothing is."""


def json_organisation(tables: OrganisationTables, *, version: str = "", limit: int = MAX_SIZE) -> str:
    """The whole report as one JSON object, indented, with a line feed at the end. It is plain ASCII.

    Where it would be larger than some `limit` bytes, before they are indented, what comes last in its list is left out
    first, and counted.
    """
    result = tables.result
    room = Room(limit)
    findings = room.taken("findings", map(SharedFindingJson.of, tables.findings))
    repositories = room.taken("repositories", map(RepositoryJson.of, tables.repositories))
    keys = room.taken("keys", map(KeyRelianceJson.of, result.reliance.keys))
    providers = room.taken("providers", map(ProviderUseJson.of, result.reliance.providers))
    drift = room.taken("drift", map(DriftingJson.of, tables.drift))
    document = OrganisationJson(
        answer=answer_in_words(result),
        exit_code=result.exit_code,
        policies=[StandardFileJson.of(each) for each in result.policy_files],
        standards_at=result.standards_at,
        sources=[SourceJson.of(each) for each in result.run.sources],
        configuration=ConfigurationJson.of(result.run.configuration),
        repositories=repositories,
        findings=findings,
        providers=providers,
        keys=keys,
        drift=drift,
        tool=ToolJson(version=version),
        omitted=sum(room.omitted.values()) or UNSET,
    )
    return json_text(document)

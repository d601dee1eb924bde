"""What one run over many repositories found, ready to be told: the value that every form of the report is made from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.review.across_repositories import HeldFile, Reliance, reliance_of
from lockwarden.core.review.drift import Drift
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.standards import StandardFile
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class RepositoryProblem(Struct, frozen=True, kw_only=True):
    """Something about a repository itself: why it was not looked at, or what of it was not."""

    code: ProblemCode
    severity: Severity
    message: str
    hint: str = ""


class RepositoryFile(Struct, frozen=True, kw_only=True):
    """One lock file of a repository."""

    path: str
    """In the repository, with slashes."""
    result: FileResult
    """Its path is unique in the run."""


class RepositoryResult(Struct, frozen=True, kw_only=True, dict=True):
    """One repository at one revision."""

    name: str
    label: str
    """Name and revision: what it is called where both matter. Unique in the run."""
    revision: str
    """As it was asked for; empty for what the clone stands on."""
    commit: str
    """The full ID; empty where none was found."""
    files: tuple[RepositoryFile, ...] = ()
    problems: tuple[RepositoryProblem, ...] = ()

    @cached_property
    def exit_code(self) -> ExitCode:
        """The worst of its lock files, and of what is wrong with the repository."""
        own = code_for(unusable=any(each.severity is Severity.ERROR for each in self.problems))
        return worst((own, *(each.result.exit_code for each in self.files)))


class OrganisationResult(Struct, frozen=True, kw_only=True, dict=True):
    """All repositories of a run, in the order in which they were given."""

    repositories: tuple[RepositoryResult, ...]
    run: RunResult
    """The same lock files without their repositories, and the sources that were asked."""
    policy_files: tuple[StandardFile, ...] = ()
    """The organisation's policy; empty where none was named."""
    standards_at: str = ""
    """The revision at which each repository's own policy and approvals count."""

    @property
    def files(self) -> Iterator[tuple[RepositoryResult, RepositoryFile]]:
        """Every lock file with its repository."""
        for repository in self.repositories:
            for file in repository.files:
                yield repository, file

    @cached_property
    def exit_code(self) -> ExitCode:
        """The worst of the repositories. A run that found no lock file has looked at nothing, and is never good."""
        nothing = code_for(unusable=not any(each.files for each in self.repositories))
        return worst((nothing, *(each.exit_code for each in self.repositories)))

    @cached_property
    def reliance(self) -> Reliance:
        """What the repositories rely on together: providers, versions and keys."""
        return reliance_of(
            HeldFile(repository=repository.name, label=repository.label, review=file.result.review)
            for repository, file in self.files
            if file.result.review is not None
        )

    @property
    def drift(self) -> tuple[Drift, ...]:
        """How the lock files differ in what they lock, the loudest first."""
        return self.run.drift

    @cached_property
    def labels(self) -> dict[str, RepositoryResult]:
        """The repository that holds each lock file, by the file's path in the run."""
        return {file.result.path: repository for repository, file in self.files}

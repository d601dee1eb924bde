"""What one run over some lock files found, ready to be told: the value that every report is made from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.source_answers import SourceRef
from lockwarden.core.review.drift import BothRegistries, Drift, drift_of, loudest_drift_first, under_both_registries
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.open_codes import OPEN_METADATA
from lockwarden.core.review.review import Review
from lockwarden.core.values.origins import UsedFile
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.review.module_review import ModuleReview


class FileProblem(Struct, frozen=True, kw_only=True):
    """Something about a lock file itself, as it lies on disk."""

    code: ProblemCode
    severity: Severity
    message: str
    hint: str = ""
    line: int | None = None
    """Line in the lock file, from 1; None where no line is to blame."""


class FileResult(Struct, frozen=True, kw_only=True):
    """One lock file: its review, or None with the problems that tell why it cannot be reviewed.

    Also a file, or a folder of files, that is no lock file and of which problems are all there is to tell.
    """

    path: str
    review: Review | None = None
    problems: tuple[FileProblem, ...] = ()
    checked: str = ""
    """What of something that is no lock file was looked at, in a few words; empty for a lock file."""

    @property
    def unreadable(self) -> bool:
        """Whether nothing can be said of it but why."""
        return self.review is None and not self.checked

    @property
    def exit_code(self) -> ExitCode:
        """What this file alone would tell a script."""
        if self.checked:
            return code_for(
                objected=any(each.severity is Severity.ERROR for each in self.problems),
                incomplete=any(each.code in OPEN_METADATA for each in self.problems),
            )
        unusable = self.review is None or any(each.severity is Severity.ERROR for each in self.problems)
        return code_for(unusable=unusable) if self.review is None or unusable else self.review.exit_code


class UsedSettings(Struct, frozen=True, kw_only=True):
    """The user's settings, where they decided whom an audit asks, or for which platforms."""

    file: UsedFile
    sources: bool = False
    platforms: bool = False


class UsedConfiguration(Struct, frozen=True, kw_only=True):
    """What of the CLI configuration a run went by."""

    files: tuple[UsedFile, ...] = ()
    """In the order in which they count; none is a configuration, too."""
    replaced_hosts: tuple[str, ...] = ()
    """Hosts in comparison form whose services a `host` block names, so that they are not asked for them."""
    settings: UsedSettings | None = None
    """None where they decided nothing."""


class LeftOut(Struct, frozen=True, kw_only=True):
    """What a search through folders did not look at, or could not tell."""

    count: int
    """How many files or links; 0 where it is about none in particular."""
    message: str


class RunResult(Struct, frozen=True, kw_only=True, dict=True):
    """All lock files of a run, in the order in which they were given, and the sources that were asked."""

    sources: tuple[SourceRef, ...]
    files: tuple[FileResult, ...]
    configuration: UsedConfiguration | None = None
    """None where none was looked for."""
    left_out: tuple[LeftOut, ...] = ()
    evidence: RecordedEvidence | None = None
    """The evidence bundle that answered in the sources' place; None where they were asked."""
    modules: ModuleReview | None = None
    """The modules of the configurations; None where they were not to be checked."""

    @property
    def reviews(self) -> tuple[Review, ...]:
        """Those of the files that could be read."""
        return tuple(each.review for each in self.files if each.review is not None)

    @property
    def exit_code(self) -> ExitCode:
        """The worst of the files, and of the modules."""
        of_modules = () if self.modules is None else (self.modules.exit_code,)
        return worst((*(each.exit_code for each in self.files), *of_modules))

    @cached_property
    def drift(self) -> tuple[Drift, ...]:
        """How the files differ in what they lock, the loudest first. It objects to nothing."""
        return loudest_drift_first(drift_of(each.lock_file for each in self.reviews))

    @cached_property
    def both_registries(self) -> tuple[BothRegistries, ...]:
        """The providers that the files lock under both default registries. It objects to nothing, either."""
        return under_both_registries(each.lock_file for each in self.reviews)

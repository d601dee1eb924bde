"""What the Markdown report tells once for several lock files, and what of a file stands open in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.failures import Waiting, in_several_files
from lockwarden.core.reports.findings import LocatedFinding, finding_message, findings_of_file, loudest_first
from lockwarden.core.reports.in_several_files import in_several
from lockwarden.core.reports.markdown_tables import provider_row
from lockwarden.core.reports.result import FileResult
from lockwarden.core.reports.waiting import shared_problems
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

GROUPED: Final = frozenset({ProblemCode.UNCHECKED, ProblemCode.INCOMPLETE})
"""What is told of whole groups under “Not checked”."""
_Words = tuple[str, str, str, tuple[str, ...]]


class AlikeFindings(Struct, frozen=True):
    """What is told once, each with the files that it is of."""

    rows: Mapping[str, tuple[str, ...]]
    """Rows of providers that changed."""
    told: Mapping[_Words, tuple[str, ...]]
    """Errors and warnings, by all that is said of each but for the line that it stands in."""
    examples: Mapping[_Words, LocatedFinding]
    """One of each."""
    failures: Mapping[Problem, tuple[Waiting, ...]]
    """Failures of sources that several files met."""

    @classmethod
    def of(cls, files: Sequence[FileResult]) -> AlikeFindings:
        """What several of these files have in common."""
        if len(files) < 2:
            return cls({}, {}, {}, {})
        reviews = [(each.path, each.review) for each in files if each.review is not None]
        rows = ((path, provider_row(review, each)) for path, review in reviews for each in changed_providers(review))
        failures = in_several_files(files)
        told = [(each.path, one) for each in files for one in own_findings(each, failures) if stands_open(one)]
        words = ((path, _words_of(one)) for path, one in told if one.provider is not None)
        return cls(in_several(rows), in_several(words), {_words_of(one): one for _, one in reversed(told)}, failures)

    def without(self, told: Iterable[LocatedFinding]) -> list[LocatedFinding]:
        """What is not told once for several files."""
        return [each for each in told if _words_of(each) not in self.told]


def own_findings(file: FileResult, failures: Iterable[Problem]) -> list[LocatedFinding]:
    """What is told of a file by itself, without the failures that several of its providers, or other files, met."""
    own = () if file.review is None else shared_problems(loudest_first(file.review))
    shared = found_by_several((*own, *failures))
    return [each for each in findings_of_file(file) if (each.finding.code, each.finding.message) not in shared]


def found_by_several(shared: Iterable[Problem]) -> frozenset[tuple[ProblemCode, str]]:
    """Code and sentence of each failure that several providers met."""
    return frozenset((problem.code, finding_message(problem)) for problem in shared)


def changed_providers(review: Review) -> list[ProviderReview]:
    """The providers that the change touches, the loudest first."""
    return [each for each in loudest_first(review) if each.changes]


def stands_open(told: LocatedFinding) -> bool:
    """Whether it is never folded away: an error, or a warning that no group tells of."""
    finding = told.finding
    return finding.severity is Severity.ERROR or (finding.severity is Severity.WARNING and finding.code not in GROUPED)


def _words_of(told: LocatedFinding) -> _Words:
    """All that is said of it but for the line that it stands in, which each file has its own of."""
    release = "" if told.provider is None else f"{told.provider.address} {told.provider.entry.version}"
    return told.finding.code, release, told.finding.message, told.finding.lines

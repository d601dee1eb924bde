"""What a run has to tell of modules, as one list for every format, the loudest first; without secrets of addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.reports.bounds import shortened
from lockwarden.core.reports.findings import Finding
from lockwarden.core.reports.module_report import call_name
from lockwarden.core.review.answers import Answer, answer_for
from lockwarden.core.review.exit_codes import ExitCode, code_of_finding, worst
from lockwarden.core.review.module_findings import ModuleFinding, exit_code_of, findings_of
from lockwarden.core.review.module_review import LockReview, ModuleReview
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.source_redaction import redacted_source

_LOUDEST: Final = (ProblemCode.MODULE_RELOCKED, ProblemCode.MODULE_LOCK_FALSE, ProblemCode.MODULE_MOVED)
_SEVERITIES: Final = {severity: place for place, severity in enumerate(Severity)}
_DIGITS: Final = 12
"""Of a commit ID or a digest, as many are told; the JSON report has all of them."""


class LocatedModuleFinding(Struct, frozen=True, kw_only=True):
    """One finding with its place: a call in a file of the configuration, or an entry of the module lock."""

    path: str
    finding: Finding
    name: str = ""
    """The call's; empty for what is about no call."""
    source: str = ""
    """Its address, without what may be a secret."""

    @property
    def release(self) -> str:
        """What short sentences call it, or the empty string."""
        return f"module {self.name}" if self.name else ""

    @property
    def about(self) -> str:
        """By what it is known again, wherever it stands."""
        return f"module {self.name} {self.source}"


def findings_of_modules(review: ModuleReview) -> tuple[LocatedModuleFinding, ...]:
    """Everything that any format tells of the modules of a run."""
    told = [each for listing in review.listings for each in findings_of_listing(listing)]
    return loudest_modules_first((*(each for lock in review.locks for each in findings_of_lock(lock)), *told))


def loudest_modules_first(told: Iterable[LocatedModuleFinding]) -> tuple[LocatedModuleFinding, ...]:
    """By severity, then a call that stayed while what it is locked as did not, and a source that moved."""
    return tuple(sorted(told, key=lambda each: module_rank(each.finding)))


def module_rank(finding: Finding) -> tuple[int, int]:
    """How loud a finding is; smaller is louder."""
    place = _LOUDEST.index(finding.code) if finding.code in _LOUDEST else len(_LOUDEST)
    return _SEVERITIES[finding.severity], place


def findings_of_listing(listing: ModuleListing) -> tuple[LocatedModuleFinding, ...]:
    """What is to tell of one configuration."""
    return loudest_modules_first(_of_listing(listing))


def _of_listing(listing: ModuleListing) -> Iterator[LocatedModuleFinding]:
    for problem in listing.problems:
        unread = Finding(
            code=ProblemCode.MODULE_CONFIGURATION_UNREADABLE,
            severity=Severity.ERROR,
            message=problem.message,
            line=problem.line or None,
        )
        yield LocatedModuleFinding(path=problem.path, finding=unread)
    for listed in listing.calls:
        yield from findings_of_call(listed)


def findings_of_call(listed: ListedCall) -> Iterator[LocatedModuleFinding]:
    """What is to tell of one call, in the order of the rules."""
    call = listed.call
    source = redacted_source(call.source) if call.source else ""
    for found in findings_of(listed):
        finding = _finding(found, call.line, f"source {source}" if source else "")
        yield LocatedModuleFinding(path=call.path, finding=finding, name=call_name(listed), source=source)


def findings_of_lock(lock: LockReview) -> Iterator[LocatedModuleFinding]:
    """What is to tell of entries of a module lock that no call has which was looked at."""
    for line, change, found in lock.findings:
        source = redacted_source(change.entry.source)
        yield LocatedModuleFinding(path=lock.path, finding=_finding(found, line, f"source {source}"), source=source)


def _finding(found: ModuleFinding, line: int, source: str) -> Finding:
    return Finding(
        code=found.code,
        severity=found.severity,
        message=found.message,
        lines=(*([source] if source else []), f"→ {found.hint}"),
        line=line or None,
    )


def answer_of_listing(listing: ModuleListing) -> Answer:
    """Whether to commit, as far as the modules of one configuration go."""
    return answer_for(exit_code_of([listing]))


def lock_code(lock: LockReview) -> ExitCode:
    """What a module lock leads to, as far as no call has its entries."""
    return worst(code_of_finding(finding.severity) for _, _, finding in lock.findings)


def listing_headline(listing: ModuleListing) -> str:
    """The answer of one configuration, its loudest class and the counts, on one line."""
    told = findings_of_listing(listing)
    counts = Counter(each.finding.severity for each in told)
    words = [f"{counts[each]} {each}{'s'[: counts[each] != 1]}" for each in Severity if counts[each]]
    total = len(listing.calls)
    words.append(f"{total} module call{'s'[: total != 1]}")
    if listing.not_installed:
        words.append(f"{listing.not_installed} not installed, and not looked into")
    first = told[0] if told and told[0].finding.severity is not Severity.NOTE else None
    loudest = [] if first is None else [f"{first.finding.name}{f' in {first.name}' if first.name else ''}"]
    return ": ".join([answer_of_listing(listing), *loudest, ", ".join(words)])


def lock_line(lock: LockReview) -> str:
    """Which module lock counted, as one sentence without a full stop."""
    where = f"{lock.revision}, {lock.commit[:_DIGITS]}" if lock.revision else "working tree"
    what = f"sha256 {lock.digest[:_DIGITS]}" if lock.digest else "there is none"
    return f"{shortened(lock.path, 200)} ({where}, {what})"

"""The rules: one cell for each platform and source.

Each source is judged as if it were the only one to install from: how several are combined is the CLI configuration's
business. Rules: OpenTofu, `internal/providercache`, since 1.10; Terraform's are the same where it has such a source.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lockwarden.core.coverage import reasons
from lockwarden.core.coverage.case import CACHES, Case
from lockwarden.core.coverage.checks import NOTHING_KNOWN, Allowed, Check
from lockwarden.core.coverage.evidence import CoverageEvidence
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceKind
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.platforms import Platform, by_popularity

_OUTCOMES = {
    Check.PASSES: CoverageOutcome.ACCEPTED,
    Check.FAILS: CoverageOutcome.REFUSED,
    Check.COMPARES_NOTHING: CoverageOutcome.ACCEPTS_ANYTHING,
}


def coverage_of(
    entry: LockedProvider, audit: Audit, *, settings: ClientSettings, platforms: Iterable[Platform]
) -> tuple[Coverage, ...]:
    """Whether the client would install what `entry` locks, by platform in the order of popularity, then by source.

    `audit` is what the sources said of the entry's provider and version, without what a policy makes of it. That a
    package is accepted says that the lock file holds one of its hashes, not that anybody vouches for it.
    """
    evidence, allowed = CoverageEvidence(audit), Allowed.of(entry)
    return tuple(
        with_readonly(
            _cell(
                Case(
                    entry=entry,
                    allowed=allowed,
                    answer=answer,
                    platform=platform,
                    client=settings.client,
                    evidence=evidence,
                )
            ),
            entry,
        )
        for platform in sorted(frozenset(platforms), key=by_popularity)
        for answer in audit.source_answers
    )


def _cell(case: Case) -> Coverage:
    if case.kind is SourceKind.OCI_MIRROR and case.client is Client.TERRAFORM:
        return _made(case, CoverageOutcome.REFUSED, reasons.wrong_client(case))
    if case.kind in CACHES:
        return _in_cache(case)
    if case.absent:
        return _made(case, CoverageOutcome.NOT_THERE, reasons.absent(case))
    package, check = case.package, case.check(case.known)
    if package is not None and package.client_refusal:
        return _made(case, CoverageOutcome.REFUSED, reasons.refused_package(case, package.client_refusal))
    if check is Check.FAILS:
        return _made(case, CoverageOutcome.REFUSED, reasons.mismatch(case))
    # Without the folder's hash the package's content was not looked at, and it may be that it cannot be unpacked.
    if check is Check.OPEN or not case.folder_h1:
        return _open(case)
    return _installed(case, check)


def _installed(case: Case, check: Check) -> Coverage:
    run = case.allowed.at_run(case.folder_h1)
    why = reasons.anything(case) if check is Check.COMPARES_NOTHING else reasons.matched(case, runs=run is Check.PASSES)
    (h1,) = case.folder_h1
    return Coverage(
        platform=case.platform,
        source=case.answer.source.id,
        outcome=_OUTCOMES[check],
        runtime=_OUTCOMES[run],
        completing_h1=None if h1 in case.allowed.hashes else h1,
        reason=why.reason,
        remedy=why.remedy,
    )


def _open(case: Case) -> Coverage:
    """A package of which too little is known; what is certain, or to be expected, is said all the same."""
    expected = _OUTCOMES.get(case.check(case.likely))
    runs_fail = expected is not CoverageOutcome.REFUSED and case.allowed.at_run(NOTHING_KNOWN) is Check.FAILS
    return _made(
        case,
        _how_open(case),
        reasons.opened(case, expected=expected, runs_fail=runs_fail),
        runtime=CoverageOutcome.REFUSED if runs_fail else None,
        expected=expected,
    )


def _how_open(case: Case) -> CoverageOutcome:
    package = case.package
    if case.answer.outcome is Outcome.NOT_ASKED:
        return CoverageOutcome.NOT_ASKED
    if case.answer.outcome is Outcome.NO_ANSWER or (package is not None and package.outcome is Outcome.NO_ANSWER):
        return CoverageOutcome.NO_ANSWER
    return CoverageOutcome.UNKNOWN


def _in_cache(case: Case) -> Coverage:
    """A plugin cache, or what is installed: used when its `h1` is locked, otherwise passed over.

    That a cache is used without any comparison, where the CLI configuration lets it break the lock file, is not told.
    """
    refusal = "" if case.package is None else case.package.client_refusal
    if case.folder_h1 & case.allowed.hashes:
        return _used_from_cache(case, refusal)
    if case.absent or case.folder_h1 or refusal or case.allowed.at_run(NOTHING_KNOWN) is not Check.OPEN:
        return _made(case, CoverageOutcome.PASSED_OVER, reasons.passed_over(case), runtime=_run_of_installed(case))
    return _made(case, _how_open(case), reasons.opened(case, expected=None, runs_fail=False))


def _used_from_cache(case: Case, refusal: str) -> Coverage:
    if not refusal:
        accepted = CoverageOutcome.ACCEPTED
        return _made(case, accepted, reasons.matched(case, runs=True), runtime=accepted)
    why = reasons.refused_cache(refusal)
    if case.kind is SourceKind.INSTALLED:  # `init` does not look for the program in what is there already
        return _made(case, CoverageOutcome.ACCEPTED, why, runtime=CoverageOutcome.REFUSED)
    return _made(case, CoverageOutcome.REFUSED, why)


def _run_of_installed(case: Case) -> CoverageOutcome | None:
    """What a run says of an installed package before `init` has replaced it; a plugin cache is no such package."""
    if case.kind is not SourceKind.INSTALLED or case.package is None or not case.folder_h1:
        return None
    return CoverageOutcome.REFUSED if case.package.client_refusal else _OUTCOMES[case.allowed.at_run(case.folder_h1)]


def _made(
    case: Case,
    outcome: CoverageOutcome,
    why: reasons.Why,
    *,
    runtime: CoverageOutcome | None = None,
    expected: CoverageOutcome | None = None,
) -> Coverage:
    return Coverage(
        platform=case.platform,
        source=case.answer.source.id,
        outcome=outcome,
        runtime=runtime,
        expected=expected,
        reason=why.reason,
        remedy=why.remedy,
    )


def with_readonly(cell: Coverage, entry: LockedProvider) -> Coverage:
    """The cell with what a first install meets that may not write; unchanged where that makes no difference.

    The set of providers changes as soon as the file is read, and is compared with what is required after the install.
    Rule: OpenTofu, `internal/command/init.go`, since 1.10.
    """
    if entry.read_as is not None:
        why = f"OpenTofu takes the entry for {entry.read_as} as well"
    elif entry.moved_from is not None and not entry.beside_old:
        why = f"the file has only {entry.moved_from}, which OpenTofu takes for this"
    else:
        return cell
    return replace(cell, reason=f"{cell.reason}; with -lockfile=readonly init fails, since {why}")

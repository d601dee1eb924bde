"""The modules of a run: every configuration's calls, the module locks that count, and the answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.lock_changes import LockChange, LockChangeKind
from lockwarden.core.review.exit_codes import ExitCode, code_of_finding, worst
from lockwarden.core.review.module_findings import ModuleFinding, exit_code_of, relocked
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class LockReview(Struct, frozen=True, kw_only=True):
    """One module lock that calls were held against, and what the change does to entries that no call of them has."""

    path: str
    """As people know it."""
    digest: str = ""
    """SHA-256 of the one that counts; empty where there is none."""
    revision: str = ""
    """The base that it was read at; empty for the working tree."""
    commit: str = ""
    changes: tuple[LockChange, ...] = ()

    @property
    def findings(self) -> tuple[tuple[int, LockChange, ModuleFinding], ...]:
        """What is to be said of these entries, each with its line in the change's file; 0 for one that is gone."""
        return tuple(_of_uncalled(self.changes))


class ModuleReview(Struct, frozen=True, kw_only=True):
    """All configurations of a run, in the order in which they were named."""

    listings: tuple[ModuleListing, ...]
    locks: tuple[LockReview, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """The worst of all."""
        of_locks = (code_of_finding(finding.severity) for lock in self.locks for _, _, finding in lock.findings)
        return worst((exit_code_of(self.listings), *of_locks))


def _of_uncalled(changes: Iterable[LockChange]) -> Iterator[tuple[int, LockChange, ModuleFinding]]:
    for change in changes:
        line = 0 if change.after is None else change.after.line
        if change.kind is LockChangeKind.RELOCKED:
            yield line, change, relocked(change)
        elif change.kind is LockChangeKind.ADDED:
            finding = ModuleFinding(
                code=ProblemCode.MODULE_LOCK_UNCHECKED,
                severity=Severity.NOTE if change.counts else Severity.WARNING,
                message="this change locks a source of which no call was looked at, so nobody asked what it means",
                hint="take the block out, or look at all configurations with --recursive",
            )
            yield line, change, finding


def placed(review: ModuleReview, path_of: Callable[[str], str]) -> ModuleReview:
    """The same with the paths of files and folders as `path_of` has them."""
    return replace(
        review,
        listings=tuple(
            replace(
                listing,
                path=path_of(listing.path),
                calls=tuple(_placed(each, path_of) for each in listing.calls),
                problems=tuple(replace(each, path=path_of(each.path)) for each in listing.problems),
            )
            for listing in review.listings
        ),
        locks=tuple(replace(each, path=path_of(each.path)) for each in review.locks),
    )


def _placed(listed: ListedCall, path_of: Callable[[str], str]) -> ListedCall:
    call = dataclasses.replace(listed.call, path=path_of(listed.call.path))
    return replace(listed, call=call)

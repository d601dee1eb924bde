"""What speaks against the module calls of a configuration, as their text and the disk tell, and the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.module_lock import HeldAgainst
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.reading import ListedCall, ModuleListing
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.exit_codes import ExitCode, code_for, code_of_finding, worst
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_ELSEWHERE: Final = (
    "give git, .netrc or the CLI configuration the secret, take it out of the source, and have it replaced: whoever"
    " can read the file has it"
)
_AGAIN: Final = "tofu init installs it anew"


class ModuleFinding(Struct, frozen=True, kw_only=True):
    """One thing about a call that somebody has to look at. An error leads to exit code 1, a warning to 3."""

    code: ProblemCode
    severity: Severity
    message: str
    """A sentence without its end."""
    hint: str


def findings_of(listed: ListedCall) -> tuple[ModuleFinding, ...]:
    """What speaks against one call. That a source floats is told by its class, and no finding."""
    return tuple(_findings(listed))


def _findings(listed: ListedCall) -> Iterator[ModuleFinding]:
    found = listed.classified
    if found.pinning is Pinning.REFUSED:
        yield ModuleFinding(
            code=ProblemCode.MODULE_REFUSED,
            severity=Severity.ERROR,
            message=f"the client does not install it: {found.reason}",
            hint="correct the call",
        )
    if found.secrets:
        yield ModuleFinding(
            code=ProblemCode.MODULE_SECRET,
            severity=Severity.ERROR,
            message=f"its address holds what may be a secret: {', '.join(found.secrets)}",
            hint=_ELSEWHERE,
        )
    if found.unverifiable_transport:
        yield ModuleFinding(
            code=ProblemCode.MODULE_TRANSPORT,
            severity=Severity.ERROR,
            message=f"nobody can tell where it comes from: {found.unverifiable_transport}",
            hint="fetch it by https or ssh, or call it as a local module",
        )
    if found.pinning is Pinning.UNKNOWN:
        yield ModuleFinding(
            code=ProblemCode.MODULE_UNKNOWN,
            severity=Severity.WARNING,
            message=f"what it installs is not known: {found.reason}",
            hint="write the source and the version as plain texts",
        )
    if listed.installed is InstalledState.MISSING:
        yield ModuleFinding(
            code=ProblemCode.MODULE_MISSING,
            severity=Severity.ERROR,
            message=f"it is only listed as installed: there is no folder {listed.folder}",
            hint=_AGAIN,
        )
    if listed.installed is InstalledState.OTHER_SOURCE:
        yield ModuleFinding(
            code=ProblemCode.MODULE_OTHER_SOURCE,
            severity=Severity.WARNING,
            message=f"what lies in {listed.folder} was installed from another source, so it was not looked into",
            hint=_AGAIN,
        )
    if isinstance(listed.resolution, Unresolved):
        said = listed.resolution
        yield ModuleFinding(
            code=ProblemCode.MODULE_ABSENT if said.absent else ProblemCode.MODULE_UNRESOLVED,
            severity=Severity.ERROR if said.absent else Severity.WARNING,
            message=f"what it means today is not known: {said.reason}",
            hint=said.hint,
        )
    if listed.held_against is not None:
        yield from _against_lock(listed, listed.held_against)


def _against_lock(listed: ListedCall, held: HeldAgainst) -> Iterator[ModuleFinding]:
    entry, today = held.entry, listed.resolution
    if entry is None:
        yield ModuleFinding(
            code=ProblemCode.MODULE_NOT_LOCKED,
            severity=Severity.ERROR,
            message="the module lock has no entry for its source",
            hint="when you have looked at it, lockwarden modules --lock adds one",
        )
        return
    if isinstance(today, Resolved) and entry.revision and today.revision != entry.revision:
        yield ModuleFinding(
            code=ProblemCode.MODULE_MOVED,
            severity=Severity.ERROR,
            message=f"its source means something else: {entry.revision} when it was locked, {today.revision} today",
            hint="find out who moved it and why; to accept it, remove its block from the module lock and lock again",
        )
    if held.differences:
        yield ModuleFinding(
            code=ProblemCode.MODULE_CHANGED,
            severity=Severity.ERROR,
            message=f"what is installed is not what was locked: {'; '.join(held.differences)}",
            hint=f"remove {listed.folder} and install it anew; if that changes nothing, its source has other files now",
        )
    if held.open:
        yield ModuleFinding(
            code=ProblemCode.MODULE_NOT_COMPARED,
            severity=Severity.WARNING,
            message=f"what is installed was not held against the module lock: {held.open}",
            hint="remove its block from the module lock, install the module, and lock again",
        )


def exit_code_of(listings: Iterable[ModuleListing]) -> ExitCode:
    """2 when something could not be read, 1 for errors, 3 for what is not known."""
    return worst(code for listing in listings for code in _codes(listing))


def _codes(listing: ModuleListing) -> Iterator[ExitCode]:
    yield code_for(unusable=bool(listing.problems))
    for call in listing.calls:
        yield from (code_of_finding(finding.severity) for finding in findings_of(call))

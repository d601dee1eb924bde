"""What speaks against the module calls of a configuration, as their text and the disk tell, and the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from msgspec import Struct

from lockwarden.core.modules.comparison import CopyComparison, CopyState
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.lock_changes import FilesOfEntry, LockChange, LockChangeKind
from lockwarden.core.modules.module_lock import HeldAgainst
from lockwarden.core.modules.pinning import Classified, Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.exit_codes import ExitCode, code_for, code_of_finding, worst
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_ELSEWHERE: Final = (
    "give git, .netrc or the CLI configuration the secret, take it out of the source, and have it replaced: whoever"
    " can read the file has it"
)
_AGAIN: Final = "tofu init installs it anew"
_MOVED: Final = "find out who moved it and why; to accept it, remove its block from the module lock and lock again"
_RELOCKED: Final = (
    "find out who moved it and why, and read what is new with lockwarden modules --diff; whoever may merge it past the"
    " check accepts it"
)


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
    yield from _of_source(listed.classified)
    yield from _of_copy(listed)
    if isinstance(listed.resolution, Unresolved):
        said = listed.resolution
        yield ModuleFinding(
            code=ProblemCode.MODULE_ABSENT if said.absent else ProblemCode.MODULE_UNRESOLVED,
            severity=Severity.ERROR if said.absent else Severity.WARNING,
            message=f"what it means today is not known: {said.reason}",
            hint=said.hint,
        )
    if listed.lock_change is not None:
        yield _of_change(listed, listed.lock_change)
    if listed.held_against is not None:
        yield from _against_lock(listed, listed.held_against)
    if listed.comparison is not None:
        yield from _compared(listed, listed.comparison)


def _of_source(found: Classified) -> Iterator[ModuleFinding]:
    """What its source says of itself."""
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


def _of_copy(listed: ListedCall) -> Iterator[ModuleFinding]:
    """What its installed copy, or the lack of one, says."""
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


def _against_lock(listed: ListedCall, held: HeldAgainst) -> Iterator[ModuleFinding]:
    entry, today, change = held.entry, listed.resolution, listed.lock_change
    if entry is None:
        if change is None:
            yield ModuleFinding(
                code=ProblemCode.MODULE_NOT_LOCKED,
                severity=Severity.ERROR,
                message="the module lock has no entry for its source",
                hint="when you have looked at it, lockwarden modules --lock adds one",
            )
        return
    relocked = change is not None and change.kind is LockChangeKind.RELOCKED and not change.counts
    if not relocked and isinstance(today, Resolved) and entry.revision and today.revision != entry.revision:
        yield ModuleFinding(
            code=ProblemCode.MODULE_MOVED,
            severity=Severity.ERROR,
            message=f"its source means something else: {entry.revision} when it was locked, {today.revision} today",
            hint=_MOVED,
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


def _of_change(listed: ListedCall, change: LockChange) -> ModuleFinding:
    """What a change writes into the module lock for the source of a call, beside what the source means today."""
    today = listed.resolution.revision if isinstance(listed.resolution, Resolved) else ""
    if change.kind is LockChangeKind.ADDED:
        return _of_added(change.entry.revision, today, listed.locked_files)
    accepted = Severity.NOTE if change.counts else Severity.ERROR
    if change.kind is LockChangeKind.REMOVED:
        return ModuleFinding(
            code=ProblemCode.MODULE_UNLOCKED,
            severity=accepted,
            message="this change takes its source out of the module lock, and the call stays",
            hint="leave the entry in, or take out the call as well",
        )
    return relocked(change, today)


def relocked(change: LockChange, today: str = "") -> ModuleFinding:
    """That a change locks a source as something else; `today` is what it means, empty where that is not known."""
    before, after = change.before, change.after
    moved = before is not None and after is not None and today not in {"", before.revision}
    if moved and after is not None and today == after.revision:
        how = "it was moved, and its new digest comes with this change: "
    elif moved:
        how = f"neither is what it means today, {today}: "
    elif today and after is not None and today != after.revision:
        how = "it still means what the base has: "
    else:
        how = ""
    spelling = "in another spelling, the source is" if change.respelled else "the source is"
    return ModuleFinding(
        code=ProblemCode.MODULE_RELOCKED,
        severity=Severity.NOTE if change.counts else Severity.ERROR,
        message=f"{spelling} the one that the base has, and this change locks it as something else: {how}"
        f"{change.difference}",
        hint=_RELOCKED,
    )


def _of_added(revision: str, today: str, files: FilesOfEntry) -> ModuleFinding:
    false = revision and today and revision != today
    if false or files is FilesOfEntry.OTHERS:
        what = f"{revision}, and it means {today} today" if false else "files that are not those of its package"
        return ModuleFinding(
            code=ProblemCode.MODULE_LOCK_FALSE,
            severity=Severity.ERROR,
            message=f"what this change locks for its source is not true: {what}",
            hint="remove the block, install the module anew, lock again, and look at what differs",
        )
    if not today or not revision or files is FilesOfEntry.OPEN:
        what = "what it means today is not known"
        if today:
            what = f"its files could not be held against its package, {revision}"
        if today and not revision:
            what = f"it names no revision, and its source means {today} today"
        return ModuleFinding(
            code=ProblemCode.MODULE_LOCK_UNCHECKED,
            severity=Severity.WARNING,
            message=f"this change locks its source, and whether that is true is not known: {what}",
            hint="lock it where its source answers: lockwarden modules --lock writes down what it means",
        )
    return ModuleFinding(
        code=ProblemCode.MODULE_LOCK_ADDED,
        severity=Severity.NOTE,
        message=f"this change locks its source as {revision}, which is what it means today",
        hint="look at the module before you accept the change",
    )


def _compared(listed: ListedCall, found: CopyComparison) -> Iterator[ModuleFinding]:
    differences = "; ".join(found.differences)
    anew = f"remove {listed.folder} and install it anew"
    match found.state:
        case CopyState.EQUAL:
            return
        case CopyState.CHANGED:
            code, severity = ProblemCode.MODULE_CHANGED, Severity.ERROR
            message, hint = f"what is installed was changed here: {differences}", anew
        case CopyState.DIFFERENT:
            code, severity = ProblemCode.MODULE_DIFFERENT, Severity.ERROR
            message = f"what is installed is not what its source gives today: {differences}"
            hint = f"{anew}; whether it was changed here, or its source moved, nobody wrote down"
        case CopyState.OTHER_REVISION:
            code, severity = ProblemCode.MODULE_OTHER_REVISION, Severity.ERROR
            message, hint = f"what is installed is of another revision: {found.reason}", _MOVED
        case CopyState.UNKNOWN:
            code, severity = ProblemCode.MODULE_NOT_COMPARED, Severity.WARNING
            message = f"what is installed was not held against the package of its source: {found.reason}"
            hint = "ask again when it answers"
        case _:
            assert_never(found.state)
    yield ModuleFinding(code=code, severity=severity, message=message, hint=hint)


def exit_code_of(listings: Iterable[ModuleListing]) -> ExitCode:
    """2 when something could not be read, 1 for errors, 3 for what is not known."""
    return worst(code for listing in listings for code in _codes(listing))


def _codes(listing: ModuleListing) -> Iterator[ExitCode]:
    yield code_for(unusable=bool(listing.problems))
    for call in listing.calls:
        yield from (code_of_finding(finding.severity) for finding in findings_of(call))

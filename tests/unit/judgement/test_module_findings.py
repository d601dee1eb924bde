"""What speaks against module calls, and the exit code that it leads to."""

from __future__ import annotations

from datetime import UTC, datetime

from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.comparison import CopyComparison, CopyState
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.modules.lock_changes import FilesOfEntry, LockChange, LockChangeKind
from lockwarden.core.modules.module_lock import HeldAgainst, LockedModule
from lockwarden.core.modules.pinning import Classified, Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.answers import answer_for
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.module_findings import exit_code_of, findings_of
from lockwarden.core.review.module_review import LockReview, ModuleReview, placed
from lockwarden.core.values.clients import Client

PLAIN = ListedCall(
    key="m",
    call=ModuleCall(name="m", path="main.tf", line=2, source="./m"),
    classified=Classified(kind="git", pinning=Pinning.FLOATING, reason="it floats"),
    folder="m",
)


def listing(*calls: ListedCall, problems: tuple[ReadingProblem, ...] = ()) -> ModuleListing:
    return ModuleListing(path=".", client=Client.OPENTOFU, calls=calls, problems=problems)


@table("pinning", [Pinning.IMMUTABLE, Pinning.NAMED, Pinning.FLOATING, Pinning.LOCAL])
@table("installed", [None, InstalledState.INSTALLED, InstalledState.NOT_INSTALLED])
def test_a_class_is_no_finding(pinning: Pinning, installed: InstalledState | None) -> None:
    call = replace(PLAIN, classified=replace(PLAIN.classified, pinning=pinning), installed=installed)
    assert findings_of(call) == ()
    assert exit_code_of([listing(call)]) is ExitCode.NOTHING_TO_OBJECT


@table(
    ("classified", "installed", "code", "exit_code"),
    [
        ({"pinning": Pinning.REFUSED}, None, "module-refused", ExitCode.FINDINGS),
        ({"secrets": ("“token”",)}, None, "module-secret", ExitCode.FINDINGS),
        ({"unverifiable_transport": "plain http"}, None, "module-transport", ExitCode.FINDINGS),
        ({"pinning": Pinning.UNKNOWN}, None, "module-unknown", ExitCode.INCOMPLETE),
        ({}, InstalledState.MISSING, "module-missing", ExitCode.FINDINGS),
        ({}, InstalledState.OTHER_SOURCE, "module-other-source", ExitCode.INCOMPLETE),
    ],
)
def test_each_finding_has_its_code_and_leads_to_its_exit_code(
    classified: dict[str, object], installed: InstalledState | None, code: str, exit_code: ExitCode
) -> None:
    call = replace(PLAIN, classified=replace(PLAIN.classified, **classified), installed=installed)
    (finding,) = findings_of(call)
    assert (finding.code, bool(finding.hint)) == (code, True)
    assert exit_code_of([listing(PLAIN), listing(call)]) is exit_code


def test_what_a_source_means_today_is_no_finding_and_that_it_is_not_known_is_one() -> None:
    resolved = Resolved(revision="abc", how="its tag")
    assert findings_of(replace(PLAIN, resolution=resolved)) == ()
    for absent, code, exit_code in (
        (True, "module-absent", ExitCode.FINDINGS),
        (False, "module-unresolved", ExitCode.INCOMPLETE),
    ):
        call = replace(PLAIN, resolution=Unresolved(reason="it is down", hint="try later", absent=absent))
        (finding,) = findings_of(call)
        assert (finding.code, finding.hint) == (code, "try later")
        assert exit_code_of([listing(call)]) is exit_code


LOCKED = LockedModule(source="s", revision="a" * 40, by="Ada", at=datetime(2026, 11, 28, tzinfo=UTC))
SAME, MOVED = (Resolved(revision=each * 40, how="its tag") for each in "ab")


@table(
    ("held", "today", "codes", "exit_code"),
    [
        (HeldAgainst(entry=LOCKED), None, [], ExitCode.NOTHING_TO_OBJECT),
        (HeldAgainst(entry=LOCKED), SAME, [], ExitCode.NOTHING_TO_OBJECT),
        (HeldAgainst(entry=replace(LOCKED, revision="")), MOVED, [], ExitCode.NOTHING_TO_OBJECT),
        (HeldAgainst(entry=LOCKED), MOVED, ["module-moved"], ExitCode.FINDINGS),
        (HeldAgainst(entry=None), MOVED, ["module-not-locked"], ExitCode.FINDINGS),
        (HeldAgainst(entry=LOCKED, differences=("a is new",)), SAME, ["module-changed"], ExitCode.FINDINGS),
        (HeldAgainst(entry=LOCKED, open="it is damaged"), SAME, ["module-not-compared"], ExitCode.INCOMPLETE),
    ],
)
def test_a_call_is_held_against_the_module_lock(
    held: HeldAgainst, today: Resolved | None, codes: list[str], exit_code: ExitCode
) -> None:
    call = replace(PLAIN, held_against=held, resolution=today)
    assert [each.code for each in findings_of(call)] == codes
    assert all(each.hint for each in findings_of(call))
    assert exit_code_of([listing(call)]) is exit_code


def test_a_source_that_moved_is_told_with_both_revisions() -> None:
    (finding,) = findings_of(replace(PLAIN, held_against=HeldAgainst(entry=LOCKED), resolution=MOVED))
    assert LOCKED.revision in finding.message
    assert MOVED.revision in finding.message


def test_what_cannot_be_read_counts_for_more_than_anything_else() -> None:
    refused = replace(PLAIN, classified=replace(PLAIN.classified, pinning=Pinning.REFUSED))
    problem = ReadingProblem(path="main.tf", message="it cannot be read")
    assert exit_code_of([listing(refused, problems=(problem,))]) is ExitCode.UNUSABLE_INPUT


DIGEST = "c" * 64
WITH_FILES = replace(LOCKED, files=(("main.tf", DIGEST),))
OTHER = replace(LOCKED, revision="b" * 40)


def changed(
    kind: LockChangeKind, before: LockedModule | None, after: LockedModule | None, *, counts: bool = False
) -> LockChange:
    return LockChange(kind=kind, before=before, after=after, counts=counts)


RELOCKED = changed(LockChangeKind.RELOCKED, LOCKED, OTHER)


@table(
    ("today", "says"),
    [
        (MOVED, "it was moved, and its new digest comes with this change: "),
        (SAME, "it still means what the base has: "),
        (Resolved(revision="d" * 40, how="x"), f"neither is what it means today, {'d' * 40}: "),
        (None, "as something else: aaaa"),
        (Unresolved(reason="down", hint="x"), "as something else: aaaa"),
    ],
)
def test_what_a_change_locks_as_something_else_is_told_once_with_what_it_means_today(
    today: Resolved | Unresolved | None, says: str
) -> None:
    call = replace(PLAIN, held_against=HeldAgainst(entry=LOCKED), lock_change=RELOCKED, resolution=today)
    found = [each for each in findings_of(call) if each.code.startswith("module-re")]
    assert [(each.code, each.severity) for each in found] == [("module-relocked", "error")]
    assert says in found[0].message
    assert f"{'a' * 40} before, {'b' * 40} with it" in found[0].message
    assert "module-moved" not in {each.code for each in findings_of(call)}
    assert exit_code_of([listing(call)]) is ExitCode.FINDINGS


def test_where_the_policy_lets_the_change_count_it_is_noted_and_the_source_is_held_against_it() -> None:
    change = changed(LockChangeKind.RELOCKED, LOCKED, OTHER, counts=True)
    call = replace(PLAIN, held_against=HeldAgainst(entry=OTHER), lock_change=change, resolution=MOVED)
    assert [(each.code, each.severity) for each in findings_of(call)] == [("module-relocked", "note")]
    assert exit_code_of([listing(call)]) is ExitCode.NOTHING_TO_OBJECT
    call = replace(call, resolution=Resolved(revision="d" * 40, how="x"))
    assert [each.code for each in findings_of(call)] == ["module-relocked", "module-moved"]
    gone = changed(LockChangeKind.REMOVED, LOCKED, None, counts=True)
    call = replace(PLAIN, held_against=HeldAgainst(entry=None), lock_change=gone)
    assert [(each.code, each.severity) for each in findings_of(call)] == [("module-unlocked", "note")]


def test_an_entry_that_a_change_takes_out_is_an_error_while_the_call_stays() -> None:
    gone = changed(LockChangeKind.REMOVED, LOCKED, None)
    call = replace(PLAIN, held_against=HeldAgainst(entry=LOCKED), lock_change=gone, resolution=SAME)
    assert [(each.code, each.severity) for each in findings_of(call)] == [("module-unlocked", "error")]


@table(
    ("entry", "files", "today", "code", "exit_code"),
    [
        (LOCKED, FilesOfEntry.NONE, SAME, "module-lock-added", ExitCode.NOTHING_TO_OBJECT),
        (WITH_FILES, FilesOfEntry.TRUE, SAME, "module-lock-added", ExitCode.NOTHING_TO_OBJECT),
        (WITH_FILES, FilesOfEntry.OPEN, SAME, "module-lock-unchecked", ExitCode.INCOMPLETE),
        (WITH_FILES, FilesOfEntry.OTHERS, SAME, "module-lock-false", ExitCode.FINDINGS),
        (LOCKED, FilesOfEntry.NONE, MOVED, "module-lock-false", ExitCode.FINDINGS),
        (replace(LOCKED, revision=""), FilesOfEntry.NONE, SAME, "module-lock-unchecked", ExitCode.INCOMPLETE),
        (LOCKED, FilesOfEntry.NONE, None, "module-lock-unchecked", ExitCode.INCOMPLETE),
    ],
)
def test_an_entry_that_a_change_adds_is_noted_only_where_it_is_true(
    entry: LockedModule, files: FilesOfEntry, today: Resolved | None, code: str, exit_code: ExitCode
) -> None:
    change = changed(LockChangeKind.ADDED, None, entry)
    call = replace(
        PLAIN, held_against=HeldAgainst(entry=None), lock_change=change, resolution=today, locked_files=files
    )
    (finding,) = findings_of(call)
    assert (finding.code, bool(finding.hint)) == (code, True)
    assert exit_code_of([listing(call)]) is exit_code


@table(
    ("state", "code", "exit_code"),
    [
        (CopyState.EQUAL, None, ExitCode.NOTHING_TO_OBJECT),
        (CopyState.CHANGED, "module-changed", ExitCode.FINDINGS),
        (CopyState.DIFFERENT, "module-different", ExitCode.FINDINGS),
        (CopyState.OTHER_REVISION, "module-other-revision", ExitCode.FINDINGS),
        (CopyState.UNKNOWN, "module-not-compared", ExitCode.INCOMPLETE),
    ],
)
def test_an_installed_copy_beside_its_package(state: CopyState, code: str | None, exit_code: ExitCode) -> None:
    found = CopyComparison(state=state, differences=("main.tf is changed",), reason="why")
    call = replace(PLAIN, comparison=found)
    assert [each.code for each in findings_of(call)] == ([] if code is None else [code])
    assert exit_code_of([listing(call)]) is exit_code
    if state in {CopyState.CHANGED, CopyState.DIFFERENT}:
        assert "main.tf is changed" in findings_of(call)[0].message


def test_entries_that_no_call_has_are_told_where_they_stand() -> None:
    added = changed(LockChangeKind.ADDED, None, replace(LOCKED, line=7))
    gone = changed(LockChangeKind.REMOVED, LOCKED, None)
    for changes, told, exit_code in (
        ((), [], ExitCode.NOTHING_TO_OBJECT),
        ((gone,), [], ExitCode.NOTHING_TO_OBJECT),
        ((added, gone), [(7, "module-lock-unchecked", "warning")], ExitCode.INCOMPLETE),
        ((replace(added, counts=True),), [(7, "module-lock-unchecked", "note")], ExitCode.NOTHING_TO_OBJECT),
        ((RELOCKED,), [(0, "module-relocked", "error")], ExitCode.FINDINGS),
    ):
        lock = LockReview(path=".lockwarden/modules.hcl", changes=changes)
        assert [(line, found.code, found.severity) for line, _, found in lock.findings] == told
        review = ModuleReview(listings=(listing(PLAIN),), locks=(lock,))
        assert review.exit_code is exit_code
        assert answer_for(review.exit_code)
    assert ModuleReview(listings=()).exit_code is ExitCode.NOTHING_TO_OBJECT


def test_places_can_be_told_from_elsewhere() -> None:
    problem = ReadingProblem(path="a.tf", message="x")
    review = ModuleReview(
        listings=(listing(PLAIN, problems=(problem,)),), locks=(LockReview(path=".lockwarden/modules.hcl"),)
    )
    found = placed(review, lambda path: f"infra/{path}")
    assert found.listings[0].path == "infra/."
    assert found.listings[0].calls[0].call.path == "infra/main.tf"
    assert found.listings[0].problems[0].path == "infra/a.tf"
    assert found.locks[0].path == "infra/.lockwarden/modules.hcl"

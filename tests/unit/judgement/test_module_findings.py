"""What speaks against module calls, and the exit code that it leads to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.module_lock import HeldAgainst, LockedModule
from lockwarden.core.modules.pinning import Classified, Pinning
from lockwarden.core.modules.reading import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.module_findings import exit_code_of, findings_of
from lockwarden.core.values.clients import Client

PLAIN = ListedCall(
    key="m",
    call=ModuleCall(name="m", path="main.tf", line=2, source="./m"),
    classified=Classified(kind="git", pinning=Pinning.FLOATING, reason="it floats"),
    folder="m",
)


def listing(*calls: ListedCall, problems: tuple[ReadingProblem, ...] = ()) -> ModuleListing:
    return ModuleListing(path=".", client=Client.OPENTOFU, calls=calls, problems=problems)


@pytest.mark.parametrize("pinning", [Pinning.IMMUTABLE, Pinning.NAMED, Pinning.FLOATING, Pinning.LOCAL])
@pytest.mark.parametrize("installed", [None, InstalledState.INSTALLED, InstalledState.NOT_INSTALLED])
def test_a_class_is_no_finding(pinning: Pinning, installed: InstalledState | None) -> None:
    call = replace(PLAIN, classified=replace(PLAIN.classified, pinning=pinning), installed=installed)
    assert findings_of(call) == ()
    assert exit_code_of([listing(call)]) is ExitCode.NOTHING_TO_OBJECT


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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

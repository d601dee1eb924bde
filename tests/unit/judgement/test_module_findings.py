"""What speaks against module calls, and the exit code that it leads to."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.installed import InstalledState
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


def test_what_cannot_be_read_counts_for_more_than_anything_else() -> None:
    refused = replace(PLAIN, classified=replace(PLAIN.classified, pinning=Pinning.REFUSED))
    problem = ReadingProblem(path="main.tf", message="it cannot be read")
    assert exit_code_of([listing(refused, problems=(problem,))]) is ExitCode.UNUSABLE_INPUT

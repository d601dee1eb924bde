"""The modules of a run in every form of the report: valid, the loudest first, inert, and without a secret."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from builders.reported import swapped, well
from builders.run_results import run_of
from builders.schema import violations
from msgspec.structs import replace
from unit.reports.test_junit import schema
from unit.reports.test_markdown import tokens
from unit.reports.test_module_report import listing
from unit.reports.test_sarif import VALIDATOR

from lockwarden.core.modules.calls import ModuleCall
from lockwarden.core.modules.comparison import CopyComparison, CopyState
from lockwarden.core.modules.listing import DiffedCall, ListedCall, ModuleListing
from lockwarden.core.modules.lock_changes import LockChange, LockChangeKind
from lockwarden.core.modules.module_lock import HeldAgainst, LockedModule
from lockwarden.core.modules.package_diff import PackageFile, PackageTree, package_diff
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.reports.json_modules import modules_json
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.junit import junit_report
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.module_report import module_lines
from lockwarden.core.reports.package_diff_lines import diff_lines
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.sarif import rooted, sarif_report
from lockwarden.core.reports.text_report import shown, text_report
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.module_review import LockReview, ModuleReview
from lockwarden.core.values.clients import Client

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA, MODULES_SCHEMA = (
    json.loads((DOCS / name).read_text(encoding="utf-8")) for name in ("report.schema.json", "modules.schema.json")
)
AT = datetime(2026, 11, 28, tzinfo=UTC)
SECRET = "git::https://ada:s3cret@example.test/vpc.git?ref=v1&sshkey=s3cret"
BEFORE = LockedModule(source=SECRET, revision="a" * 40, by="Ada", at=AT, line=4)
AFTER = replace(BEFORE, revision="b" * 40, line=9)
RELOCKED = LockChange(kind=LockChangeKind.RELOCKED, before=BEFORE, after=AFTER)
ADDED = LockChange(kind=LockChangeKind.ADDED, before=None, after=AFTER)


def call(name: str, source: str = SECRET, **changes: Any) -> ListedCall:
    made = ModuleCall(name=name, path="infra/main.tf", line=3, source=source)
    found = ListedCall(key=name, call=made, classified=made.classified("registry.opentofu.org"))
    return replace(found, **changes)


QUIET = call("quiet", "./local")
MOVED = call(
    "moved",
    held_against=HeldAgainst(entry=BEFORE),
    resolution=Resolved(revision="b" * 40, how="its tag v1", pinned=SECRET),
)
NOTED = call(
    "noted",
    f"oci://example.test/vpc?digest=sha256:{'a' * 64}",
    held_against=HeldAgainst(entry=None),
    lock_change=replace(ADDED, after=replace(AFTER, revision="c" * 40)),
    resolution=Resolved(revision="c" * 40, how="x"),
    comparison=CopyComparison(state=CopyState.EQUAL, installed="h1:x", package="h1:x"),
)
OPEN = call("open", "oci://example.test/vpc", resolution=Unresolved(reason="it is down", hint="later"))
EVIL = call("##vso[x]\x1b[2J<b>", "https://example.test/`x`.zip", lock_change=RELOCKED, resolution=None)


def configuration(*calls: ListedCall, path: str = "infra") -> ModuleListing:
    return ModuleListing(path=path, client=Client.OPENTOFU, calls=calls, problems=())


LOCK = LockReview(
    path=".lockwarden/modules.hcl", digest="d" * 64, revision="main", commit="e" * 40, changes=(RELOCKED, ADDED)
)
CASES = {
    "well": ModuleReview(listings=(configuration(QUIET, NOTED),), locks=(replace(LOCK, changes=()),)),
    "moved": ModuleReview(listings=(configuration(QUIET, OPEN, MOVED, EVIL), configuration(NOTED, path="b"))),
    "open": ModuleReview(listings=(configuration(OPEN),), locks=(LockReview(path="x"),)),
    "unreadable": ModuleReview(listings=(listing(),)),
    "uncalled": ModuleReview(listings=(configuration(QUIET),), locks=(LOCK,)),
    "nothing": ModuleReview(listings=()),
}
FORMS = {
    "text": text_report,
    "every hash": lambda result: text_report(result, every_hash=True),
    "markdown": markdown_report,
    "sarif": lambda result: sarif_report(rooted(result, "/a", "/a"), version="1"),
    "junit": junit_report,
    "json": json_report,
}


def result(name: str, *, alone: bool = False) -> RunResult:
    base = RunResult(sources=(), files=()) if alone else run_of(well())
    return replace(base, modules=CASES[name])


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_every_form_is_valid_and_holds_no_secret_and_nothing_that_acts(name: str, alone: bool) -> None:
    run = result(name, alone=alone)
    said = {form: make(run) for form, make in FORMS.items()}
    assert list(violations(json.loads(said["json"]), SCHEMA)) == []
    assert [error.message for error in VALIDATOR.iter_errors(json.loads(said["sarif"]))] == []
    assert [str(error) for error in schema().iter_errors(said["junit"])] == []
    for text in said.values():
        assert "s3cret" not in text
        assert "\x1b" not in text
        assert "##vso[" not in text
    tags = {each.content.strip() for each in tokens(said["markdown"]) if each.type.startswith("html")}
    assert all(re.fullmatch(r"(</?details>|<summary>[^<]*</summary>|\n)*", each) for each in tags), tags


@pytest.mark.parametrize(
    ("name", "code", "answer"),
    [
        ("well", ExitCode.NOTHING_TO_OBJECT, "Nothing to object to"),
        ("moved", ExitCode.FINDINGS, "Do not commit yet"),
        ("open", ExitCode.INCOMPLETE, "Not everything was checked"),
        ("unreadable", ExitCode.UNUSABLE_INPUT, "Cannot be read"),
        ("uncalled", ExitCode.FINDINGS, "Do not commit yet"),
        ("nothing", ExitCode.NOTHING_TO_OBJECT, "Nothing to object to"),
    ],
)
def test_the_answer_and_the_exit_code_are_those_of_the_worst(name: str, code: ExitCode, answer: str) -> None:
    for run in (result(name), result(name, alone=True)):
        document = json.loads(json_report(run))
        assert (run.exit_code, document["exit_code"], document["answer"]) == (code, code, answer)
        assert document["modules"]["answer"] == answer
        (sarif,) = json.loads(sarif_report(run, version="1"))["runs"]
        assert sarif["invocations"][0]["executionSuccessful"] is (name in {"well", "nothing"})
    worse = replace(run_of(swapped()), modules=CASES[name])
    assert worse.exit_code in {ExitCode.FINDINGS, code}
    assert json.loads(json_report(worse))["loudest"]["code"] == "change-hashes-swapped"


def test_the_loudest_comes_first_and_its_place_is_that_of_the_call() -> None:
    document = json.loads(json_report(result("moved")))
    assert (document["loudest"]["code"], document["loudest"]["path"]) == ("module-relocked", "infra/main.tf")
    assert document["loudest"]["address"] is None
    assert json.loads(json_report(result("open")))["loudest"] is None
    lines = text_report(result("moved")).splitlines()
    assert lines[1].startswith("modules of infra: Do not commit yet: module locked as something else in #<U+0023>")
    found = [line for line in lines if line.startswith("  infra/main.tf:3")]
    assert "module locked as something else" in found[0]
    assert "secret in a module's address" in "\n".join(found)
    assert lines[-1].startswith("Held against: ")
    text = text_report(result("uncalled"), every_hash=True)
    assert "  .lockwarden/modules.hcl:9  error: module locked as something else: " in text
    assert "    source git::https://(secret)@example.test/vpc.git?ref=v1&sshkey=(secret)\n" in text
    assert text.endswith("Module lock: .lockwarden/modules.hcl (main, eeeeeeeeeeee, sha256 dddddddddddd)\n")
    assert "Every module call\n  infra: 1 module call; 1 local\n" in text
    assert "modules: there is no configuration" in text_report(result("nothing"))
    assert "Module lock: x (working tree, there is none)" in text_report(result("open"))


def test_sarif_points_at_the_call_from_the_repositorys_root() -> None:
    placed = rooted(result("moved", alone=True), "/a", "/a/deep")
    (run,) = json.loads(sarif_report(placed, version="1"))["runs"]
    places = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"]}
    assert places == {"deep/infra/main.tf"}
    assert run["results"][0]["level"] == "error"
    assert [each["level"] for each in run["results"]][-1] == "note"
    assert len({each["partialFingerprints"]["lockwarden/v1"] for each in run["results"]}) == len(run["results"])


def test_that_modules_were_not_looked_into_is_told_in_every_form() -> None:
    run = result("unreadable", alone=True)
    assert "4 module calls, 1 not installed, and not looked into" in text_report(run)
    for form in ("markdown", "junit", "sarif"):
        assert "1 not installed, and not looked into" in FORMS[form](run), form


def test_junit_has_a_case_for_every_call() -> None:
    root = ET.fromstring(junit_report(result("moved", alone=True)))
    (infra, b) = root.iter("testsuite")
    assert (infra.get("name"), infra.get("tests"), infra.get("failures"), infra.get("skipped")) == (
        "modules of infra",
        "4",
        "2",
        "1",
    )
    assert {each.get("name") for each in b.iter("testcase")} == {"module noted"}
    root = ET.fromstring(junit_report(result("uncalled", alone=True)))
    (lock, _) = root.iter("testsuite")
    assert [each.get("name") for each in lock.iter("testcase")] == ["the configuration and the module lock"]


def test_markdown_folds_notes_away_and_shows_what_objects() -> None:
    text = markdown_report(result("well", alone=True))
    assert text.startswith("**Nothing to object to**: 1 note, 2 module calls (`modules of infra`)\n")
    assert "<summary>Notes: 1</summary>" in text
    text = markdown_report(result("uncalled", alone=True))
    assert text.startswith("**Do not commit yet**: entries that no call has (`.lockwarden/modules.hcl`)\n")
    assert "- ✗ **module locked as something else**, `.lockwarden/modules.hcl:9`" in text
    assert "no configuration, and so no module, was looked at" in markdown_report(result("nothing", alone=True))


def test_the_difference_of_packages_is_shown_with_its_bounds_and_without_secrets() -> None:
    def tree(name: str, **files: bytes) -> PackageTree:
        return PackageTree(name=name, files={path: PackageFile.of(content) for path, content in files.items()})

    known = package_diff(tree("a" * 40, main=b"1\n", same=b""), tree("b" * 40, main=b"\x1b2\n", same=b"", new=b"\0"))
    diffs = [
        DiffedCall(listed=MOVED, diff=replace(known, left_out=3)),
        DiffedCall(listed=OPEN, diff=Unresolved(reason="it is down", hint="later")),
    ]
    text = shown(diff_lines(diffs))
    assert "s3cret" not in text
    assert "\x1b" not in text
    assert f"  - {'a' * 40}\n  + {'b' * 40}\n  5 files differ, 1 alike\n  changed: main, 2 → 3 bytes\n" in text
    assert "    -1\n    +<U+001B>2\n  added: new, 1 bytes\n    … it is no text\n    + sha256 6e34" in text
    assert "  … 3 more files differ\n" in text
    assert "  ? what is new in it is not known: it is down\n    → later\n" in text
    assert list(diff_lines(None)) == []
    document = json.loads(modules_json([configuration(MOVED)], ExitCode.FINDINGS, diffs=diffs))
    assert list(violations(document, MODULES_SCHEMA)) == []
    assert [each["unknown"] for each in document["diffs"]] == [None, "it is down"]
    assert document["diffs"][0]["files"][1]["before"] is None
    unsized = package_diff(PackageTree(name="x", files={"a": PackageFile(digest="a" * 64)}), tree("y"))
    assert "  removed: a\n" in shown(diff_lines([DiffedCall(listed=MOVED, diff=unsized)]))
    assert "is its package, file by file: h1:x" in shown(module_lines([configuration(NOTED)]))

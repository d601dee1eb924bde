"""The JSON report says everything, in full and in order, and is what its published schema describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders.audits import (
    DARWIN,
    FINGERPRINT,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    SUMS,
    VERSION,
    WINDOWS,
    answer,
    audit,
    computed,
    h1,
    listed,
    origin_with,
    package,
    reported,
    signed,
    trusted,
    zh,
    zh_list,
)
from builders.run_results import KEY, SIGNATURE, locked, review_of, run_of
from builders.schema import violations
from fakes.oci_mirrors import CREDENTIALS, OCI, WIDGET, chain, oci_mirror
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem, SourceAnswer
from lockwarden.core.reports.json_keys import json_keys
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.key_use import key_uses
from lockwarden.core.values.severity import Severity

DOCS = Path(__file__).parents[3] / "docs"
STRANGE = zh("nobody made this")


def of(result: RunResult) -> Any:
    return json.loads(json_report(result))


def everything() -> SourceAnswer:
    """An origin's finding with every kind of evidence in it."""
    return SourceAnswer(
        source=ORIGIN,
        outcome=Outcome.ANSWERED,
        observations=(
            (zh("a"), signed(LINUX, file_name="widget_linux.zip")),
            (zh("a"), reported(LINUX)),
            (h1("a"), reported(LINUX, shape=ListShape.PACKAGES)),
            (h1("a"), computed(LINUX, package_zh=zh("a"))),
        ),
        packages=(package(LINUX, zh=zh("a"), h1=h1("a")), package(DARWIN, outcome=Outcome.NO_ANSWER, detail="503")),
        platforms=frozenset({LINUX, DARWIN}),
        lists=(zh_list(zh("a")),),
        signatures=(SIGNATURE,),
        keys=(KEY,),
        problems=(Problem(code="some-code", severity=Severity.WARNING, message="odd", hint="look", source="direct"),),
    )


def whole() -> RunResult:
    mirror = answer(MIRROR, (zh("b"), listed(LINUX)), (h1("b"), trusted(LINUX)), platforms=None)
    folder = answer(FOLDER, outcome=Outcome.NOT_THERE, detail="not in there", platforms=None)
    review = review_of([locked(zh("a"), h1("a"), STRANGE)], audit(everything(), mirror, folder))
    note = FileProblem(code="byte-order-mark", severity=Severity.NOTE, message="it begins with a mark", line=1)
    broken = FileProblem(
        code="unsupported-argument", severity=Severity.ERROR, message="no such thing", hint="no", line=3
    )
    return RunResult(
        sources=(ORIGIN, MIRROR, FOLDER),
        files=(
            FileResult(path="a/.terraform.lock.hcl", review=review, problems=(note,)),
            FileResult(path="b/.terraform.lock.hcl", problems=(broken,)),
        ),
    )


def test_the_report_is_what_the_published_schema_describes() -> None:
    schema = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
    assert list(violations(of(whole()), schema)) == []


def through_oci() -> RunResult:
    said = oci_mirror(WIDGET, downloaded=["linux_amd64"], listed=["darwin_arm64"])
    entry = locked(WIDGET.zh("linux_amd64"), address=WIDGET.address)
    found = Audit(address=WIDGET.address, version=VERSION, source_answers=(said,))
    return replace(run_of(review_of([entry], found)), sources=(OCI,))


def test_the_chain_of_an_oci_mirror_is_there_step_by_step() -> None:
    report = of(through_oci())
    schema = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
    assert list(violations(report, schema)) == []
    (said,) = report["lock_files"][0]["providers"][0]["findings"]
    way = chain(WIDGET, "linux_amd64")
    assert said["chains"][0] == {
        "repository": "registry.example.test/providers/acme/widget",
        "tag": "1.4.0",
        "index_digest": way.index_digest,
        "platform": "linux_amd64",
        "manifest_digest": way.manifest_digest,
        "layers": [{"digest": way.layer_digests[0], "zh": WIDGET.zh("linux_amd64").text}],
        "credentials": CREDENTIALS,
    }
    assert [each["platform"] for each in said["chains"]] == ["linux_amd64", "darwin_arm64"]


@pytest.mark.parametrize("spoil", [{"verdict": "fine"}, {"locked": 1}, {"line": "7"}, {"reasons": [1]}, {"extra": 0}])
def test_the_check_against_the_schema_finds_what_is_wrong(spoil: dict[str, Any]) -> None:
    schema = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
    report = of(whole())
    report["lock_files"][0]["providers"][0]["hashes"][0].update(spoil)
    assert len(list(violations(report, schema))) == 1


def test_the_keys_are_what_their_published_schema_describes() -> None:
    schema = json.loads((DOCS / "keys.schema.json").read_text(encoding="utf-8"))
    text = json_keys(whole(), key_uses([audit(everything())]), ExitCode.NOTHING_TO_OBJECT)
    document = json.loads(text)
    assert list(violations(document, schema)) == []
    assert document["keys"][0]["fingerprint"] == FINGERPRINT
    assert document["keys"][0]["signed_hashes"] == [zh("a").text]


def test_the_report_has_the_members_of_its_version() -> None:
    report = of(whole())
    assert list(report) == [
        "schema",
        "answer",
        "loudest",
        "exit_code",
        "sources",
        "configuration",
        "lock_files",
        "drift",
        "left_out",
        "tool",
    ]
    assert report["schema"] == "lockwarden.report/1"
    assert report["sources"][0] == {"id": "direct", "kind": "direct", "location": "origin registries"}
    provider = report["lock_files"][0]["providers"][0]
    assert (provider["address"], provider["version"]) == ("registry.example.test/acme/widget", "1.2.3")
    assert provider["summary"] == "signed"
    row = next(each for each in provider["hashes"] if each["hash"] == zh("a").text)
    assert row["verdict"] == "confirmed"
    assert row["decision"] == "keep"
    assert row["signed_by_fingerprints"] == [FINGERPRINT]
    assert row["signed_by_gpg_key_ids"] == [FINGERPRINT[-16:]]
    assert row["reported_by_registry"] is True
    assert row["verified_locally"] is False
    assert row["platforms"] == ["linux_amd64"]
    assert row["observations"][0]["kind"] == "signed by"
    assert row["observations"][0]["scheme"] == "gpg"
    assert row["observations"][0]["signed_at"] == "2026-05-01T00:00:00Z"


def test_a_finding_carries_its_reasons_and_its_line() -> None:
    rows = of(whole())["lock_files"][0]["providers"][0]["hashes"]
    row = next(each for each in rows if each["hash"] == STRANGE.text)
    assert (row["verdict"], row["locked"], row["line"], row["decision"]) == ("disowned", True, 7, "undecided")
    assert "this is not one of them" in row["reasons"][0]


def test_the_evidence_of_a_disowned_hash_is_in_the_report() -> None:
    finding_ = of(whole())["lock_files"][0]["providers"][0]["findings"][0]
    assert finding_["lists"][0]["documents"][0]["sha256"] == SUMS.sha256
    assert finding_["lists"][0]["signed_by_fingerprints"] == [FINGERPRINT]
    assert finding_["packages"][1] == {
        "platform": "darwin_arm64",
        "outcome": "no answer",
        "location": "",
        "basis": "archive",
        "size": None,
        "zh": None,
        "h1_archive": None,
        "h1_directory": None,
        "client_refusal": "",
        "detail": "503",
    }


def test_a_file_that_cannot_be_read_has_problems_with_lines_and_no_providers() -> None:
    report = of(whole())
    broken = report["lock_files"][1]
    assert broken["providers"] == []
    assert broken["problems"] == [
        {
            "code": "unsupported-argument",
            "severity": "error",
            "message": "no such thing",
            "hint": "no",
            "source": "",
            "line": 3,
        }
    ]
    assert report["exit_code"] == 2


def test_hostile_text_is_exact_and_inert() -> None:
    hostile = "a\x1b]0;title\x07\x7f\u202e[bold]\ud800"
    result = RunResult(
        sources=(),
        files=(FileResult(path=hostile, problems=(FileProblem(code="x", severity=Severity.ERROR, message=hostile),)),),
    )
    text = json_report(result)
    assert all(char == "\n" or " " <= char < "\x7f" for char in text)
    assert json.loads(text)["lock_files"][0]["path"] == hostile


def test_the_same_result_gives_the_same_bytes() -> None:
    first = review_of([locked(zh("linux_amd64"))], audit(origin_with(LINUX, DARWIN, WINDOWS)))
    second = review_of([locked(zh("linux_amd64"))], audit(origin_with(LINUX, DARWIN, WINDOWS)))
    assert json_report(run_of(first)) == json_report(run_of(second))

"""The JSON report says first what is loudest, and what the lock file was held against."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from builders.audits import ADDRESS, FINGERPRINT, LINUX, VERSION, audit, zh
from builders.reported import GADGET, RIGHT, STRANGE, attacked, origin, silent, swapped, unreadable, well
from builders.run_results import locked, review_of, run_of
from builders.schema import violations
from builders.standards import COMMIT, approval, side, standards, trusting
from msgspec.structs import replace

from lockwarden.core.approvals.model import ApprovalSignature
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.json_keys import json_keys
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.json_standards import StandardsJson
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.standards_lines import standards_line
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.key_use import key_uses
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import StandardFile
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
KEYS_SCHEMA = json.loads((DOCS / "keys.schema.json").read_text(encoding="utf-8"))


def of(*reviews: Review) -> Any:
    report = json.loads(json_report(run_of(*reviews)))
    assert list(violations(report, SCHEMA)) == []
    return report


def provider(review: Review) -> Any:
    return of(review)["lock_files"][0]["providers"][0]


def row(review: Review, hash_: str) -> Any:
    (found,) = [each for each in provider(review)["hashes"] if each["hash"] == hash_]
    return found


def merged() -> Review:
    sides = (side(locked(zh("ours")), name="HEAD"), side(locked(zh("theirs")), name="MERGE_HEAD"))
    return well(standards(*sides))


@pytest.mark.parametrize("review", [well(), swapped(), silent(), merged(), review_of([])])
def test_every_report_is_what_the_published_schema_describes(review: Review) -> None:
    assert of(review)["schema"] == "lockwarden.report/1"


def test_a_report_of_hostile_text_is_what_the_schema_describes() -> None:
    assert list(violations(json.loads(json_report(attacked())), SCHEMA)) == []


def test_the_answer_and_the_loudest_come_right_after_the_schema() -> None:
    report = of(well(), swapped())
    assert list(report)[:3] == ["schema", "answer", "loudest"]
    assert report["answer"] == "Do not commit yet"
    assert {name: value for name, value in report["loudest"].items() if name != "message"} == {
        "code": "change-hashes-swapped",
        "severity": "error",
        "name": "hashes swapped",
        "path": "a b/.terraform.lock.hcl",
        "address": str(ADDRESS),
        "version": str(VERSION),
    }
    assert report["loudest"]["message"].startswith("version 1.2.3 stays and h1 hashes are swapped")


def test_each_file_has_its_own_answer() -> None:
    report = of(well(), swapped())
    assert [each["answer"] for each in report["lock_files"]] == ["Nothing to object to", "Do not commit yet"]
    assert report["lock_files"][0]["loudest"] is None
    assert report["lock_files"][1]["loudest"] == report["loudest"]


def test_a_verdict_is_the_loudest_where_nothing_else_is() -> None:
    report = of(review_of([locked(zh("made up"))], audit(origin())))
    assert (report["loudest"]["code"], report["loudest"]["name"]) == ("disowned", "disowned hash")
    assert report["loudest"]["message"].startswith(zh("made up").text)


def test_a_file_that_cannot_be_read_is_the_loudest() -> None:
    files = (*run_of(swapped()).files, unreadable())
    report = json.loads(json_report(RunResult(sources=(), files=files)))
    assert list(violations(report, SCHEMA)) == []
    assert (report["answer"], report["exit_code"]) == ("Cannot be read", 2)
    assert (report["loudest"]["code"], report["loudest"]["address"]) == ("unsupported-argument", None)
    assert report["lock_files"][1]["base"] is None


def test_without_files_there_is_nothing_to_object_to() -> None:
    report = json.loads(json_report(RunResult(sources=(), files=())))
    assert (report["answer"], report["loudest"]) == ("Nothing to object to", None)


def test_without_a_base_there_is_none_and_nothing_moved() -> None:
    report = of(well())
    assert report["lock_files"][0]["base"] is None
    assert provider(well())["changes"] == []
    assert row(well(), RIGHT[0].text)["moved"] is None


def test_the_base_has_its_sides_and_what_is_gone() -> None:
    held = standards(side(locked(*RIGHT), locked(RIGHT[0], address=GADGET), renamed_from="old/.terraform.lock.hcl"))
    assert of(well(held))["lock_files"][0]["base"] == {
        "sides": [
            {
                "name": "origin/main",
                "ref": "",
                "commit": COMMIT,
                "present": True,
                "unreadable": "",
                "renamed_from": "old/.terraform.lock.hcl",
            }
        ],
        "removed": [{"address": str(GADGET), "version": "1.2.3", "hashes": [RIGHT[0].text]}],
    }
    assert [each["name"] for each in of(merged())["lock_files"][0]["base"]["sides"]] == ["HEAD", "MERGE_HEAD"]
    (new,) = of(well(standards(side(present=False))))["lock_files"][0]["base"]["sides"]
    assert new["present"] is False


def test_changes_come_heaviest_first_with_their_words() -> None:
    (changes,) = [each["changes"] for each in of(swapped())["lock_files"][0]["providers"] if each["changes"]]
    assert [(each["kind"], each["severity"]) for each in changes] == [
        ("hashes swapped", "error"),
        ("protection removed", "warning"),
    ]
    assert changes[0]["hint"]


def test_a_hash_says_how_it_moved() -> None:
    held = standards(side(locked(RIGHT[0], zh("older"))))
    review = review_of([locked(*RIGHT)], audit(origin()), standards=held)
    moved = {each["hash"]: (each["moved"], each["locked"]) for each in provider(review)["hashes"]}
    assert moved[RIGHT[1].text] == ("added", True)
    assert moved[zh("older").text] == ("removed", False)
    assert moved[RIGHT[0].text] == (None, True)


@pytest.mark.parametrize("until", [date(2026, 12, 31), None])
def test_an_approval_says_who_when_until_when_and_why(until: date | None) -> None:
    held = standards(approvals=[approval(STRANGE, until=until)])
    review = review_of([locked(*RIGHT, STRANGE)], audit(origin()), standards=held)
    assert row(review, STRANGE.text)["approval"] == {
        "by": "Ada Example <ada@example.test>",
        "at": "2026-05-20T10:00:00Z",
        "until": "2027-05-20" if until is None else "2026-12-31",
        "reason": "built by us from the released sources",
        "record": ".lockwarden/approvals.hcl line 2",
        "platform": None,
        "signature": None,
    }
    assert row(review, RIGHT[0].text)["approval"] is None
    assert of(review)["exit_code"] == 0


def test_a_signed_approval_says_whose_key_has_signed_it_and_by_which_rule_that_counts() -> None:
    signature = ApprovalSignature(
        scheme=SignatureScheme.SSHSIG, signer="SHA256:lbms", owner="Ada", serial=7, rules=(".lockwarden.hcl line 3",)
    )
    record = replace(approval(STRANGE), signature=signature, platform=LINUX)
    review = review_of([locked(*RIGHT, STRANGE)], audit(origin()), standards=standards(approvals=[record]))
    told = row(review, STRANGE.text)
    assert told["approval"]["platform"] == "linux_amd64"
    assert told["approval"]["signature"] == {
        "scheme": "sshsig",
        "signer": "SHA256:lbms",
        "owner": "Ada",
        "serial": 7,
        "rules": [".lockwarden.hcl line 3"],
    }
    assert {"scheme": "sshsig", "signer": "SHA256:lbms"} in told["signed_by"]


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (
            DocumentVerdict(state=EvidenceState.GOOD, signer="SHA256:x", owner="Ada", serial=7),
            "signed by Ada (SHA256:x)",
        ),
        (
            DocumentVerdict(state=EvidenceState.GOOD, replayed="it is older"),
            "its signature does not count: an older file",
        ),
        (DocumentVerdict(state=EvidenceState.BAD, detail="changed"), "its signature does not count: bad signature"),
    ],
)
def test_the_file_of_approvals_says_what_came_of_its_signature(verdict: DocumentVerdict, line: str) -> None:
    file = StandardFile(path=".lockwarden/approvals.hcl", digest="0" * 64, signature=verdict)
    held = replace(standards(), approval_files=(file,))
    (told,) = StandardsJson.of(held).approvals
    assert told.signature is not None
    assert (told.signature.counts, told.signature.detail) == (verdict.counts, verdict.detail or verdict.replayed)
    assert line in standards_line(held)


@pytest.mark.parametrize(
    ("named", "expected"),
    [((), None), ((FINGERPRINT,), ".lockwarden.hcl line 3"), (("F" * 40,), False)],
)
def test_a_key_says_which_rule_trusts_it(named: tuple[str, ...], expected: object) -> None:
    held = standards(policy=trusting(*named)) if named else standards()
    found = provider(well(held))
    assert [key["trusted"] for key in found["keys"]] == [expected]
    assert found["alarmed"] is (expected is False)


def test_what_the_policy_refuses_says_why() -> None:
    found = row(well(standards(policy=trusting("F" * 40))), RIGHT[0].text)
    (signed,) = [each for each in found["observations"] if each["kind"] == "signed by"]
    assert (signed["vouches"], signed["refused"]) == (
        False,
        ".lockwarden.hcl line 3 does not name this key for the provider",
    )


def test_problems_of_policy_and_base_are_those_of_the_file() -> None:
    changed = Problem(
        code=ProblemCode.APPROVALS_CHANGED, severity=Severity.ERROR, message="the policy changes, too", hint="read it"
    )
    report = of(well(standards(problems=[changed])))
    (told,) = report["lock_files"][0]["problems"]
    assert (told["code"], told["line"], told["source"]) == ("approvals-changed", None, "")
    assert (report["exit_code"], report["loudest"]["code"]) == (1, "approvals-changed")


@pytest.mark.parametrize(
    ("named", "expected"),
    [((), None), ((FINGERPRINT,), ".lockwarden.hcl line 3"), (("F" * 40,), False)],
)
def test_the_keys_of_a_run_say_which_rule_trusts_them_too(named: tuple[str, ...], expected: object) -> None:
    uses = key_uses([audit(origin())])
    result = run_of(well(standards(policy=trusting(*named)) if named else standards()))
    document = json.loads(json_keys(result, uses, ExitCode.NOTHING_TO_OBJECT))
    assert list(violations(document, KEYS_SCHEMA)) == []
    assert document["keys"][0]["trusted"] == expected


def test_a_rule_of_any_file_is_enough_to_name_a_key() -> None:
    uses = key_uses([audit(origin())])
    result = run_of(well(standards(policy=trusting("F" * 40))), well(standards(policy=trusting())))
    files = (*result.files, unreadable())
    document = json.loads(json_keys(RunResult(sources=(), files=files), uses, ExitCode.NOTHING_TO_OBJECT))
    assert document["keys"][0]["trusted"] == ".lockwarden.hcl line 3"


def test_the_same_result_gives_the_same_bytes() -> None:
    assert json_report(run_of(swapped())) == json_report(run_of(swapped()))
    assert json_report(run_of(well(standards(policy=trusting())))) == json_report(
        run_of(well(standards(policy=trusting())))
    )

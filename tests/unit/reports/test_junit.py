"""The JUnit report is valid, has a case for each provider, begins with the loudest and skips what was not checked."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from builders.audits import LINUX, VERSION, audit, h1, origin_with, zh
from builders.reported import (
    ATTACK,
    GADGET,
    RIGHT,
    STRANGE,
    attacked,
    half_answered,
    of_widget,
    origin,
    silent,
    swapped,
    unreadable,
    well,
)
from builders.run_results import PATH, locked, review_of, run_of
from builders.standards import approval, side, standards
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.junit import junit_report
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.review.review import Review
from lockwarden.core.values.printable import reveal
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    import xmlschema


@cache
def schema() -> xmlschema.XMLSchema:
    import xmlschema  # here because every worker reads this module, and few validate

    return xmlschema.XMLSchema(str(Path(__file__).parents[2] / "data" / "junit.xsd"))


def approved() -> Review:
    held = standards(approvals=[approval(STRANGE)])
    return review_of([locked(*RIGHT, STRANGE)], audit(origin_with(LINUX)), standards=held)


CASES = {
    "well": run_of(well()),
    "swapped": run_of(swapped()),
    "silent": run_of(silent()),
    "half answered": run_of(half_answered()),
    "approved": run_of(approved()),
    "nothing": RunResult(sources=(), files=()),
    "unreadable": RunResult(sources=(), files=(unreadable(), FileResult(path="x"))),
    "waiting": run_of(review_of([locked(*RIGHT)])),
    "no provider": run_of(review_of([])),
    "attacked": attacked(),
}


def suites(result: RunResult) -> list[ET.Element]:
    return list(ET.fromstring(junit_report(result)))


def cases(*reviews: Review) -> list[ET.Element]:
    return [case for suite in suites(run_of(*reviews)) for case in suite.iter("testcase")]


def counts(element: ET.Element) -> tuple[str | None, ...]:
    return tuple(element.get(name) for name in ("tests", "failures", "errors", "skipped"))


def outcome(case: ET.Element, tag: str) -> ET.Element:
    found = case.find(tag)
    assert found is not None
    return found


@pytest.mark.parametrize("name", CASES)
def test_every_report_is_valid_by_the_schema(name: str) -> None:
    assert [str(error) for error in schema().iter_errors(junit_report(CASES[name]))] == []


def test_the_schema_would_find_a_fault() -> None:
    text = junit_report(run_of(swapped())).replace("<failure ", '<failure severity="high" ')
    assert not schema().is_valid(text)
    assert not schema().is_valid(junit_report(run_of(well())).replace('tests="1"', 'tests="one"'))


def test_a_suite_is_a_lock_file_and_a_case_a_provider() -> None:
    (suite,) = suites(run_of(well()))
    (case,) = suite.iter("testcase")
    assert suite.get("name") == PATH
    assert (case.get("classname"), case.get("name")) == (PATH, of_widget(well()))
    assert counts(suite) == ("1", "0", "0", "0")
    assert [child.tag for child in case] == []


def test_the_suite_says_the_answer() -> None:
    (suite,) = suites(run_of(swapped()))
    assert outcome(suite, "system-out").text == (
        "Do not commit yet: hashes swapped in acme/widget 1.2.3: 1 unexplained, 3 confirmed, 1 new, 1 error, 1 warning"
        "\nheld against: no policy; no approvals"
    )


def test_a_swapped_hash_fails_the_first_case_with_the_whole_reasoning() -> None:
    first, second = cases(swapped())
    assert (first.get("name"), second.get("name")) == (of_widget(swapped()), f"{GADGET} {VERSION}")
    failure = outcome(first, "failure")
    assert failure.get("type") == "change-hashes-swapped"
    assert (failure.get("message") or "").startswith("hashes swapped: version 1.2.3 stays")
    assert (failure.get("message") or "").endswith("(and 1 more)")
    lines = (failure.text or "").splitlines()
    assert lines[0].startswith("error: hashes swapped: ")
    (told,) = [line for line in lines if line.startswith("error: unexplained hash: ")]
    assert STRANGE.text in told
    assert told.endswith("(line 6)")
    assert any(line.startswith("  → drop it") for line in lines)
    assert second.find("failure") is None


def test_the_loudest_provider_comes_first_whatever_the_order_of_the_file() -> None:
    lines = [locked(*RIGHT, address=GADGET), locked(zh("made up"), line=30)]
    found = cases(review_of(lines, audit(origin()), audit(origin(), address=GADGET)))
    assert found[0].find("failure") is not None
    assert outcome(found[0], "failure").get("type") == "disowned"


def test_a_case_has_one_failure_however_much_speaks_against_it() -> None:
    hashes = [h1(str(number)) for number in range(5)]
    (case,) = cases(review_of([locked(*hashes)], audit(origin())))
    assert len(case.findall("failure")) == 1
    assert (outcome(case, "failure").get("message") or "").endswith("(and 4 more)")
    assert all(each.text in (outcome(case, "failure").text or "") for each in hashes)


def test_what_was_not_checked_is_skipped_with_its_reason() -> None:
    (suite,) = suites(run_of(silent()))
    (case,) = suite.iter("testcase")
    assert counts(suite) == ("1", "0", "0", "1")
    assert "did not answer: connection refused" in (outcome(case, "skipped").get("message") or "")
    assert "? direct: no answer: connection refused" in (outcome(case, "skipped").text or "")


def test_a_case_that_fails_is_not_skipped_and_tells_what_is_open_all_the_same() -> None:
    down = replace(half_answered().providers[0].audit or audit(), address=GADGET)
    (case,) = cases(review_of([locked(zh("made up"), address=GADGET)], down))
    assert [child.tag for child in case] == ["failure", "system-out"]
    assert "package of darwin_arm64: no answer: status 503" in (outcome(case, "system-out").text or "")


def test_a_confirmed_provider_with_a_package_that_did_not_come_is_skipped_too() -> None:
    (case,) = cases(half_answered())
    assert "status 503" in (outcome(case, "skipped").get("message") or "")


def test_notes_and_warnings_go_to_the_output_of_the_case() -> None:
    problem = Problem(
        code=ProblemCode.REGISTRY_WARNING, severity=Severity.WARNING, message="moves soon", hint="ask", source="x"
    )
    (case,) = cases(review_of([locked(*RIGHT)], audit(replace(origin(), problems=(problem,)))))
    assert [child.tag for child in case] == ["system-out"]
    assert outcome(case, "system-out").text == "warning: registry warning: moves soon (x) (line 1)\n  → ask"


def test_an_approved_finding_passes_and_says_so() -> None:
    (case,) = cases(approved())
    assert [child.tag for child in case] == ["system-out"]
    assert "approved by Ada Example <ada@example.test> on 2026-05-20" in (outcome(case, "system-out").text or "")


def test_a_file_that_cannot_be_read_is_an_error() -> None:
    (suite,) = suites(RunResult(sources=(), files=(unreadable(),)))
    (case,) = suite.iter("testcase")
    assert counts(suite) == ("1", "0", "1", "0")
    assert outcome(case, "error").get("type") == "unsupported-argument"
    assert outcome(case, "error").get("message") == "unsupported argument: no such thing"
    assert "(line 7)" in (outcome(case, "error").text or "")


def test_what_is_known_of_the_file_itself_has_a_case_of_its_own() -> None:
    changed = Problem(code=ProblemCode.APPROVALS_CHANGED, severity=Severity.ERROR, message="the policy changes, too")
    review = well(standards(side(locked(*RIGHT), locked(*RIGHT, address=GADGET)), problems=[changed]))
    note = FileProblem(
        code=ProblemCode.BYTE_ORDER_MARK, severity=Severity.NOTE, message="it begins with a mark", line=1
    )
    (suite,) = suites(RunResult(sources=(), files=(FileResult(path=PATH, review=review, problems=(note,)),)))
    first, last = suite.iter("testcase")
    assert first.get("name") == of_widget(review)
    assert first.find("failure") is None
    assert outcome(last, "failure").get("type") == "approvals-changed"
    told = outcome(last, "system-out").text or ""
    assert "it begins with a mark" in told
    assert f"{GADGET} 1.2.3 is not locked any more" in told


def test_a_lock_file_without_providers_still_has_a_case() -> None:
    (suite,) = suites(run_of(review_of([])))
    assert counts(suite) == ("1", "0", "0", "0")


def test_the_whole_adds_its_suites_up() -> None:
    root = ET.fromstring(junit_report(RunResult(sources=(), files=(*run_of(swapped(), silent()).files, unreadable()))))
    assert counts(root) == ("4", "1", "1", "1")


def test_hostile_text_is_text_and_nothing_else() -> None:
    text = junit_report(attacked())
    assert text.isascii()
    root = ET.fromstring(text)
    assert {element.tag for element in root.iter()} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "error",
        "skipped",
        "system-out",
    }
    assert root[-1].get("name") == reveal(ATTACK)
    for element in root.iter():
        values = [element.text or "", *element.attrib.values()]
        assert all(char == "\n" or char.isprintable() for value in values for char in value)

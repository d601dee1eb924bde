"""One host that does not answer is told once, with all providers that wait for it."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from builders.audits import LINUX, MIRROR, ORIGIN, answer, audit, h1, origin_with, package, zh
from builders.run_results import locked, review_of, run_of
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceAnswer
from lockwarden.core.reports.failures import findings_once
from lockwarden.core.reports.findings import Finding, LocatedFinding
from lockwarden.core.reports.junit import FILE_CASE, junit_report
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.sarif import sarif_report
from lockwarden.core.reports.text_report import text_report
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

WHY = "registry.example.test refused the connection"
HINT = "check the address and the port"
NAMES = ("one", "two", "three")
ADDRESSES = [ProviderAddress.parse(f"registry.example.test/acme/{name}") for name in NAMES]
PROBLEM = Problem(
    code=ProblemCode.CONNECTION_REFUSED,
    severity=Severity.WARNING,
    message=f"direct could not be asked (service discovery): {WHY}",
    hint=HINT,
    source="direct",
)


def silent(outcome: Outcome = Outcome.NO_ANSWER, detail: str = WHY, hint: str = HINT) -> SourceAnswer:
    problems = (PROBLEM,) if outcome is Outcome.NO_ANSWER else ()
    known = answer(ORIGIN, outcome=outcome, detail=detail, hint=hint, platforms=None)
    return replace(known, problems=problems)


def run(*source_answers: SourceAnswer) -> RunResult:
    entries = [
        locked(h1("x"), zh("x"), address=address, line=10 * place + 1) for place, address in enumerate(ADDRESSES)
    ]
    audits = [audit(each, address=address) for each, address in zip(source_answers, ADDRESSES, strict=True)]
    return run_of(review_of(entries, *audits))


def test_a_dead_host_is_told_once_with_the_providers_that_wait_for_it() -> None:
    for report in (text_report(run(*[silent()] * 3)), markdown_report(run(*[silent()] * 3))):
        plain = report.replace("`", "")
        assert plain.count("refused the connection") == 1
        assert plain.count(HINT) == 1
        names = ", ".join(sorted(f"{each} 1.2.3" for each in ADDRESSES))
        assert "3 providers wait for it: " + names in plain
        assert "6 hashes of 3 providers" in plain
        assert "registry.example.test/acme/two 1.2.3: 2 hashes, lines 15-16" in plain
        assert "6 unchecked, 1 warning" in plain


def test_what_one_provider_alone_met_is_told_as_its_own() -> None:
    lines = text_report(run(silent(), origin_with(LINUX), origin_with(LINUX))).splitlines()
    assert f"    warning: {PROBLEM.message}" in lines
    assert sum(WHY in line for line in lines) == 1
    assert not any("wait for it" in line for line in lines)


def test_offline_nobody_is_said_not_to_have_answered() -> None:
    unasked = silent(Outcome.NOT_ASKED, "with --offline, nobody is asked over the network", "leave --offline out")
    for report in (text_report(run(*[unasked] * 3)), markdown_report(run(*[unasked] * 3))):
        assert report.count("nobody is asked over the network") == 1
        assert "did not answer" not in report
        assert report.replace("`", "").count("leave --offline out") == 1


def test_a_question_that_nobody_asked_for_several_providers_is_told_once() -> None:
    mirror = answer(MIRROR, outcome=Outcome.NOT_ASKED, detail="with --offline, nobody is asked", platforms=None)
    entries = [locked(zh("linux_amd64"), address=each, line=10 * at + 1) for at, each in enumerate(ADDRESSES)]
    result = run_of(review_of(entries, *(audit(origin_with(LINUX), mirror, address=each) for each in ADDRESSES)))
    for report in (text_report(result), markdown_report(result)):
        assert report.count("nobody is asked") == 1
        assert "3 providers wait for it: " in report


@pytest.mark.parametrize(("severity", "times"), [(Severity.WARNING, 1), (Severity.ERROR, 3)])
def test_a_package_that_could_not_be_had_is_told_once_but_an_error_with_each_provider(
    severity: Severity, times: int
) -> None:
    told = replace(PROBLEM, severity=severity, message=f"direct could not be asked (package): {WHY}")
    failed = package(LINUX, outcome=Outcome.NO_ANSWER, detail=WHY)
    known = replace(answer(ORIGIN, packages=[failed], platforms=[LINUX]), problems=(told,))
    result = run(*[known] * 3)
    assert sum(told.message in line for line in text_report(result).splitlines()) == times
    assert sum(told.message in text_of(each) for each in results_of(result)) == times


def one_of_each(count: int = 3) -> RunResult:
    """As many files, each with one provider of its own, which all wait for the same host."""
    reviews = []
    for place, address in enumerate(ADDRESSES[:count]):
        entry = locked(h1("x"), zh("x"), address=address, line=10 * place + 1)
        reviews.append(review_of([entry], audit(silent(), address=address), path=f"{place}/.terraform.lock.hcl"))
    return run_of(*reviews)


def results_of(result: RunResult) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(sarif_report(result, version="1"))["runs"][0]["results"]
    return found


def text_of(result: dict[str, Any]) -> str:
    return str(result["message"]["text"])


def test_sarif_has_one_result_for_a_dead_host_with_all_that_waits() -> None:
    (only,) = results_of(run(*[silent()] * 3))
    text = text_of(only)
    assert (only["ruleId"], only["level"]) == ("connection-refused", "warning")
    assert text.count("refused the connection") == 1
    assert "3 providers wait for it: registry.example.test/acme/one 1.2.3, " in text
    assert "? registry.example.test/acme/two 1.2.3: 2 hashes unchecked, lines 15-16" in text
    log = json.loads(sarif_report(run(*[silent()] * 3), version="1"))["runs"][0]["invocations"][0]
    (notification,) = log["toolExecutionNotifications"]
    assert notification["message"]["text"].endswith("for acme/one 1.2.3, acme/two 1.2.3, acme/three 1.2.3")


def test_sarif_tells_it_once_for_several_files() -> None:
    (only,) = results_of(one_of_each())
    text = text_of(only)
    assert "in 3 files: 0/.terraform.lock.hcl, 1/.terraform.lock.hcl, 2/.terraform.lock.hcl" in text
    assert "? 1/.terraform.lock.hcl: registry.example.test/acme/two 1.2.3: 2 hashes unchecked, lines 15-16" in text
    (place,) = only["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "0/.terraform.lock.hcl"


def test_sarif_keeps_what_one_provider_alone_met() -> None:
    alone = results_of(run(silent(), origin_with(LINUX), origin_with(LINUX)))
    assert sum("refused the connection" in text_of(each) for each in alone) == 3  # the problem, and its two hashes


@pytest.mark.parametrize(
    ("message", "lines", "kept"),
    [
        (f"zh:x: direct did not answer: {WHY}", (f"→ {HINT}",), False),
        (f"zh:x: direct did not answer: {WHY}", ("? 3 packages were not looked at",), True),
        ("zh:x: direct did not answer: it timed out", (), True),
        ("zh:x: no client knows the scheme", (f"? direct did not answer: {WHY}",), True),
    ],
)
def test_a_hash_that_is_open_for_more_than_the_failure_is_told_by_itself(
    message: str, lines: tuple[str, ...], kept: bool
) -> None:
    result = run(*[silent()] * 3)
    (file,) = result.files
    assert file.review is not None
    finding = Finding(code=ProblemCode.UNCHECKED, severity=Severity.WARNING, message=message, lines=lines)
    told = LocatedFinding(file=file, provider=file.review.providers[0], finding=finding)
    assert (told in findings_once([told], result.files).told) is kept


@pytest.mark.parametrize("result", [run(*[silent()] * 3), one_of_each()], ids=["one file", "several files"])
def test_junit_tells_it_once_and_skips_each_provider_that_waits(result: RunResult) -> None:
    text = junit_report(result)
    assert text.count("refused the connection") == 1
    assert text.count(HINT) == 1
    assert "3 providers wait for it: " in text
    cases = [each for each in ET.fromstring(text).iter("testcase") if each.get("name") != FILE_CASE]
    assert len(cases) == 3
    for case in cases:
        skipped = case.find("skipped")
        assert skipped is not None
        assert f"it waits for the answer of direct: see “{FILE_CASE}”" in str(skipped.get("message"))


def test_several_files_that_wait_for_one_host_are_told_once_in_text_and_markdown() -> None:
    for report in (text_report(one_of_each()), markdown_report(one_of_each())):
        plain = report.replace("`", "")
        assert plain.count("refused the connection") == 1
        assert plain.count(HINT) == 1
        assert "3 providers wait for it: " in plain
        assert "in 3 files: 0/.terraform.lock.hcl, 1/.terraform.lock.hcl, 2/.terraform.lock.hcl" in plain


def test_one_provider_of_several_files_is_one_that_waits() -> None:
    entry = locked(zh("x"), address=ADDRESSES[0], line=1)
    known = audit(silent(), address=ADDRESSES[0])
    twice = run_of(*(review_of([entry], known, path=f"{each}.hcl") for each in "ab"))
    assert "1 provider waits for it: registry.example.test/acme/one 1.2.3" in text_report(twice)
    (only,) = results_of(twice)
    assert "1 provider waits for it" in text_of(only)


def test_a_provider_with_nothing_unchecked_is_told_with_the_others_too() -> None:
    entries = [locked(address=address, line=10 * place + 1) for place, address in enumerate(ADDRESSES)]
    audits = [audit(silent(), address=address) for address in ADDRESSES]
    codes = [each["ruleId"] for each in results_of(run_of(review_of(entries, *audits)))]
    assert codes.count("connection-refused") == 1
    assert "incomplete" not in codes

"""One host that does not answer is told once, with all providers that wait for it."""

from __future__ import annotations

from builders.audits import LINUX, ORIGIN, answer, audit, h1, origin_with, zh
from builders.run_results import locked, review_of, run_of
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceAnswer
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.result import RunResult
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


def test_what_one_provider_alone_met_is_told_as_its_own() -> None:
    lines = text_report(run(silent(), origin_with(LINUX), origin_with(LINUX))).splitlines()
    assert f"    warning: {PROBLEM.message} (direct)" in lines
    assert not any("wait for it" in line for line in lines)


def test_offline_nobody_is_said_not_to_have_answered() -> None:
    unasked = silent(Outcome.NOT_ASKED, "with --offline, nobody is asked over the network", "leave --offline out")
    for report in (text_report(run(*[unasked] * 3)), markdown_report(run(*[unasked] * 3))):
        assert report.count("nobody is asked over the network") == 1
        assert "did not answer" not in report
        assert report.replace("`", "").count("leave --offline out") == 1

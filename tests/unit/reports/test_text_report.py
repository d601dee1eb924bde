"""The text report gives the answer first, the findings with their reasons, and is short when all is well."""

from __future__ import annotations

import json

from builders.audits import (
    ADDRESS,
    DARWIN,
    LINUX,
    MIRROR,
    ORIGIN,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    package,
    zh,
)
from builders.reported import silent
from builders.run_results import KEY, PATH, locked, review_of, run_of
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceAnswer
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.reports.text_report import text_report
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

GOOD = review_of([locked(zh("linux_amd64"), h1("linux_amd64"))], audit(origin_with(LINUX)))
STRANGE = zh("nobody made this")


def told(*hashes: Hash, origin: SourceAnswer, every_hash: bool = False) -> list[str]:
    return text_report(run_of(review_of([locked(*hashes)], audit(origin))), every_hash=every_hash).splitlines()


def test_where_nobody_answered_no_report_says_what_a_client_would_say() -> None:
    table = text_report(run_of(silent()), every_hash=True)
    assert f"  {ADDRESS} 1.2.3\n" in table
    (provider,) = json.loads(json_report(run_of(silent())))["lock_files"][0]["providers"]
    assert provider["summary"] is None


NOTHING = "Held against: no policy; no approvals"


def test_a_file_that_is_well_takes_one_line_and_what_it_was_held_against_another() -> None:
    assert text_report(run_of(GOOD)) == f"{PATH}: Nothing to object to: 2 confirmed\n{NOTHING}\n"


def test_the_answer_comes_first_and_the_confirmed_are_a_count_only() -> None:
    lines = told(STRANGE, zh("linux_amd64"), origin=origin_with(LINUX))
    assert lines[0] == f"{PATH}: Do not commit yet: 1 disowned, 1 confirmed, 1 new"
    assert zh("linux_amd64").text not in "\n".join(lines)


def test_a_finding_stands_in_full_with_its_line_and_its_reasons_in_order() -> None:
    lines = told(STRANGE, origin=origin_with(LINUX))
    start = lines.index("Findings")
    assert lines[start + 1] == f"  {ADDRESS} 1.2.3"
    assert lines[start + 2] == f"    ✗ disowned {STRANGE} (line 5, platform unknown)"
    assert lines[start + 3].startswith(
        "      ✗ registry.example.test lists 1 zh hashes for acme/widget 1.2.3, all signed"
    )
    assert lines[start + 4].strip().startswith("SHA256SUMS sha256 5555")
    assert any(line.startswith("      → drop it") for line in lines[start:])


def test_problems_come_with_their_hint_and_the_source_that_they_begin_with() -> None:
    mirror = answer(MIRROR, (h1("other"), computed(LINUX, source=MIRROR, package_zh=zh("other"))))
    review = review_of([locked(zh("linux_amd64"), h1("linux_amd64"))], audit(origin_with(LINUX), mirror))
    text = text_report(run_of(review))
    assert "error: mirror gives out another linux_amd64 package of acme/widget 1.2.3 than" in text
    assert "(mirror)" not in text
    assert "→ ask who runs it" in text


def test_what_was_not_checked_says_why() -> None:
    down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", platforms=None)
    lines = told(h1("linux_amd64"), origin=down)
    assert lines[0] == f"{PATH}: Not everything was checked: 1 unchecked"
    assert "Not checked" in lines
    assert any("registry.example.test did not answer: connection refused" in line for line in lines)


def test_hashes_that_stay_open_for_the_same_reason_are_told_together() -> None:
    down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", platforms=None)
    lines = told(*(h1(str(number)) for number in range(5)), origin=down)
    assert "    ? unchecked: 5 hashes (lines 5-9)" in lines
    assert sum("did not answer" in line for line in lines) == 1


def test_a_package_that_did_not_come_is_named_with_its_platform() -> None:
    origin = answer(ORIGIN, packages=[package(DARWIN, outcome=Outcome.NO_ANSWER, detail="503")], platforms=[DARWIN])
    assert "    ? direct, package of darwin_arm64: no answer: 503" in told(zh("a"), origin=origin)


def test_new_hashes_are_a_count_and_the_command_that_adds_them() -> None:
    lines = told(zh("linux_amd64"), origin=origin_with(LINUX))
    assert f"  {ADDRESS} 1.2.3: 1 new hash that a client would record" in lines
    assert lines[-3].startswith("  → “lockwarden lock”")


def test_every_hash_is_a_table_with_whole_values() -> None:
    text = "\n".join(told(zh("linux_amd64"), h1("linux_amd64"), STRANGE, origin=origin_with(LINUX), every_hash=True))
    table = text[text.index("Every hash") :].splitlines()
    assert table[1] == f"  {ADDRESS} 1.2.3 (>= 1.0.0), signed"
    rows = {line.split()[2]: line.split() for line in table if ":" in line and line.split()[2:3]}
    assert rows[zh("linux_amd64").text] == [
        "confirmed",
        "linux_amd64",
        zh("linux_amd64").text,
        "89ABCDEF01234567",
        "yes",
        "yes",
        "keep",
        "5",
    ]
    assert rows[STRANGE.text][0] == "disowned"


def test_several_files_have_their_answers_first_and_their_names_above_the_details() -> None:
    bad = review_of([locked(STRANGE)], audit(origin_with(LINUX)), path="b.hcl")
    lines = text_report(run_of(GOOD, bad)).splitlines()
    assert lines[:2] == [
        f"{PATH}: Nothing to object to: 2 confirmed",
        "b.hcl: Do not commit yet: 1 disowned, 2 new",
    ]
    assert "== b.hcl ==" in lines
    assert f"== {PATH} ==" not in lines


def test_a_file_that_cannot_be_read_has_one_line() -> None:
    problem = FileProblem(
        code=ProblemCode.UNSUPPORTED_ARGUMENT,
        severity=Severity.ERROR,
        message="a brace is missing",
        hint="add it",
        line=4,
    )
    one = FileResult(path="x.hcl", problems=(problem,))
    two = FileResult(path="y.hcl", problems=(problem, problem))
    text = text_report(RunResult(sources=(), files=(one, two)))
    assert text == "x.hcl: Cannot be read: a brace is missing\ny.hcl: Cannot be read: 2 errors\n"


def test_what_is_odd_about_a_file_that_can_be_read_is_a_problem_with_its_line() -> None:
    note = FileProblem(
        code=ProblemCode.UNSUPPORTED_ARGUMENT,
        severity=Severity.WARNING,
        message="it has a module",
        hint="remove it",
        line=4,
    )
    files = (FileResult(path=PATH, review=GOOD, problems=(note,)),)
    lines = text_report(RunResult(sources=(), files=files)).splitlines()
    assert lines[2:] == ["Problems", "  line 4: warning: it has a module", "    → remove it", "", NOTHING]


def test_hostile_text_does_nothing_to_the_terminal() -> None:
    problem = FileProblem(
        code=ProblemCode.UNSUPPORTED_ARGUMENT, severity=Severity.ERROR, message="\x1b[31m\u202e\nfake line", line=4
    )
    text = text_report(RunResult(sources=(), files=(FileResult(path="a\x07b", problems=(problem,)),)))
    assert text.startswith("a<U+0007>b: Cannot be read: ")
    assert "<U+001B>[31m<U+202E><U+000A>fake line" in text
    assert all(line.isprintable() for line in text.splitlines())


def test_an_empty_file_says_that_it_locks_nothing() -> None:
    assert text_report(run_of(review_of([]))) == f"{PATH}: Nothing to object to: it locks no provider\n{NOTHING}\n"


def test_a_table_of_what_is_not_audited_yet_has_the_locked_hashes() -> None:
    text = text_report(run_of(review_of([locked(STRANGE)])), every_hash=True)
    assert f"{PATH}: Still checking" in text
    assert f"unchecked            {STRANGE}  -          -    -    keep      5" in text


def test_a_table_tells_which_keys_were_offered() -> None:
    origin = replace(origin_with(LINUX), keys=(KEY,))
    assert "    key 0123 4567" in "\n".join(told(zh("linux_amd64"), origin=origin, every_hash=True))


def test_lines_of_hashes_that_stay_open_are_joined_where_they_follow_each_other() -> None:
    down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", platforms=None)
    hashes = [h1("a"), h1("b"), Hash("x9:odd"), h1("c"), h1("d")]
    assert any("4 hashes (lines 5-6, 8-9)" in line for line in told(*hashes, origin=down))


def test_what_a_problem_says_already_is_not_said_again() -> None:
    problem = Problem(
        code=ProblemCode.NO_ANSWER, severity=Severity.WARNING, message="direct could not be asked: refused", hint="wait"
    )
    down = SourceAnswer(source=ORIGIN, outcome=Outcome.NO_ANSWER, detail="refused", hint="wait", problems=(problem,))
    lines = told(zh("a"), origin=down)
    assert sum("refused" in line for line in lines) == 1
    assert "      ? see the problems" in lines


def test_a_problem_without_a_hint_takes_one_line() -> None:
    odd = Problem(code=ProblemCode.NO_ANSWER, severity=Severity.NOTE, message="the registry says hello")
    origin = replace(origin_with(LINUX), problems=(odd,))
    review = review_of([locked(zh("linux_amd64"), h1("linux_amd64"))], audit(origin))
    note = FileProblem(code=ProblemCode.BYTE_ORDER_MARK, severity=Severity.NOTE, message="it begins with a mark")
    files = (FileResult(path=PATH, review=review, problems=(note,)),)
    assert text_report(RunResult(sources=(), files=files)).splitlines()[2:-2] == [
        "Problems",
        "  note: it begins with a mark",
        f"  {ADDRESS} 1.2.3",
        "    note: the registry says hello",
    ]


def test_a_file_that_could_not_be_written_is_never_told_as_well() -> None:
    problem = FileProblem(
        code=ProblemCode.NOT_WRITTEN, severity=Severity.ERROR, message="the disk is full", hint="make room"
    )
    result = RunResult(sources=(), files=(FileResult(path=PATH, review=GOOD, problems=(problem,)),))
    lines = text_report(result).splitlines()
    assert lines[0].startswith(f"{PATH}: Could not be written: ")
    assert "  error: the disk is full" in lines
    assert json.loads(json_report(result))["answer"] == "Could not be written"

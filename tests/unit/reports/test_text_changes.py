"""The text report's first line carries the loudest class, and its sections what changed and who approved what."""

from __future__ import annotations

from datetime import date

from builders.audits import ADDRESS, DARWIN, LINUX, audit, origin_with, signed, zh
from builders.reported import GADGET, RIGHT, STRANGE, attacked, origin, silent, swapped, unreadable, well
from builders.run_results import PATH, locked, review_of, run_of
from builders.standards import approval, side, standards, trusting
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Problem, SourceAnswer
from lockwarden.core.reports.change_lines import base_name
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.text_report import text_report
from lockwarden.core.review.review import Review
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

OLD = Version.parse("1.2.2")
OTHER_KEY = "F" * 40


def told(*reviews: Review) -> list[str]:
    return text_report(run_of(*reviews)).splitlines()


def section(lines: list[str], title: str) -> list[str]:
    start = lines.index(title) + 1
    end = next((place for place in range(start, len(lines)) if not lines[place]), len(lines))
    return lines[start:end]


def test_the_first_line_has_the_loudest_class_between_the_answer_and_the_counts() -> None:
    assert told(swapped())[0] == (
        "a b/.terraform.lock.hcl: Do not commit yet: hashes swapped in acme/widget 1.2.3:"
        " 1 unexplained, 3 confirmed, 1 new, 1 error, 1 warning"
    )


def test_every_file_has_its_own_class() -> None:
    lines = told(swapped(), well(standards(policy=trusting(OTHER_KEY))), silent())
    assert [line.split(": ")[1:3] for line in lines[:3]] == [
        ["Do not commit yet", "hashes swapped in acme/widget 1.2.3"],
        ["Do not commit yet", "signing key changed in acme/widget 1.2.3"],
        ["Not everything was checked", "2 unchecked"],
    ]


def test_the_alarm_is_louder_than_a_change() -> None:
    review = review_of(
        [locked(*RIGHT, version=OLD), locked(*RIGHT, address=GADGET, line=20)],
        audit(origin(), version=OLD),
        audit(origin(), address=GADGET),
        standards=standards(side(locked(RIGHT[0], STRANGE, version=OLD)), policy=trusting(OTHER_KEY)),
    )
    assert ": signing key changed in acme/widget 1.2.2: " in told(review)[0]


def test_a_change_that_only_warns_is_named_where_nothing_is_worse() -> None:
    before = side(locked(zh("old"), version=OLD), audits=[audit(stranger_signed(), version=OLD)])
    lines = told(well(standards(before)))
    assert lines[0] == f"{PATH}: Nothing to object to: new signer in acme/widget 1.2.3: 2 confirmed, 1 warning"
    assert any("warning: new signer: 1.2.2 is signed by " in line for line in section_of_changes(lines))


def stranger_signed() -> SourceAnswer:
    return replace(origin_with(LINUX), observations=((zh("old"), signed(LINUX, fingerprint=OTHER_KEY)),))


def section_of_changes(lines: list[str]) -> list[str]:
    return section(lines, "Changes against origin/main (c0ffee012345)")


def test_changes_are_told_loudest_first_and_not_again_among_the_problems() -> None:
    lines = told(swapped())
    changes = section_of_changes(lines)
    assert changes[0] == f"  {ADDRESS} 1.2.3"
    assert changes[1].startswith("    error: hashes swapped: version 1.2.3 stays")
    assert changes[2] == (
        "      → a version that stays the same keeps its hashes; find out who changed them and why before you merge"
    )
    assert "Problems" not in lines


def test_the_provider_with_the_loudest_change_comes_first() -> None:
    before = side(locked(zh("old"), address=GADGET, version=OLD), locked(*RIGHT))
    review = review_of(
        [locked(*RIGHT, address=GADGET), locked(RIGHT[0], STRANGE, line=20)],
        audit(origin(), address=GADGET),
        audit(origin()),
        standards=standards(before),
    )
    heads = [line for line in section_of_changes(told(review)) if line.startswith("  registry")]
    assert heads == [f"  {ADDRESS} 1.2.3", f"  {GADGET} 1.2.3"]


def test_removed_providers_a_new_file_and_a_renamed_one_are_told() -> None:
    gone = side(locked(*RIGHT), locked(*RIGHT, address=GADGET), renamed_from="old/.terraform.lock.hcl")
    assert section_of_changes(told(well(standards(gone)))) == [
        "  at origin/main the lock file was old/.terraform.lock.hcl",
        f"  removed: {GADGET} 1.2.3",
    ]
    new = section_of_changes(told(well(standards(side(present=False)))))
    assert new[0] == "  there is no lock file at origin/main: everything in it is new"
    assert new[2].startswith("    note: new provider: ")


def test_notes_that_the_section_of_changes_tells_are_not_among_the_problems() -> None:
    note = Problem(code=ProblemCode.LOCK_FILE_NEW, severity=Severity.NOTE, message="there was no such lock file")
    assert "Problems" not in told(well(standards(side(present=False), problems=[note])))


def test_both_sides_of_a_merge_are_named() -> None:
    sides = (side(locked(zh("ours")), name="HEAD"), side(locked(zh("theirs")), name="MERGE_HEAD"))
    assert "Changes against HEAD (c0ffee012345) and MERGE_HEAD (c0ffee012345)" in told(well(standards(*sides)))


def test_without_a_change_there_is_no_section() -> None:
    assert told(well(standards(side(locked(*RIGHT))))) == [
        f"{PATH}: Nothing to object to: 2 confirmed",
        "Held against: no policy; no approvals",
    ]


def test_problems_of_policy_and_base_come_first_among_the_problems_and_are_counted() -> None:
    changed = Problem(
        code=ProblemCode.APPROVALS_CHANGED, severity=Severity.ERROR, message="the policy changes, too", hint="read it"
    )
    lines = told(well(standards(problems=[changed])))
    assert lines[0] == f"{PATH}: Do not commit yet: approvals changed: 2 confirmed, 1 error"
    assert section(lines, "Problems") == ["  error: the policy changes, too", "    → read it"]


def test_an_approved_finding_is_told_with_who_and_until_when_and_is_none_any_more() -> None:
    held = standards(approvals=[approval(STRANGE)])
    lines = told(review_of([locked(*RIGHT, STRANGE)], audit(origin()), standards=held))
    assert lines[0] == f"{PATH}: Nothing to object to: 1 approved, 2 confirmed"
    assert "Findings" not in lines
    approved = section(lines, "Approved")
    assert approved[1] == f"    ✗ unexplained {STRANGE} (line 7, platform unknown)"
    assert approved[2] == (
        "      ✓ approved by Ada Example <ada@example.test> on 2026-05-20, until 2026-12-31:"
        " built by us from the released sources"
    )
    assert approved[3].strip() == ".lockwarden/approvals.hcl line 2"


def test_an_approval_of_an_unsigned_hash_is_told_too() -> None:
    held = standards(approvals=[approval(RIGHT[0])])
    lines = told(review_of([locked(*RIGHT)], audit(origin_with(LINUX, authenticated=False)), standards=held))
    assert section(lines, "Approved")[1].startswith(f"    ✓ confirmed {RIGHT[0]}")


def test_an_expired_approval_leaves_the_finding_and_says_that_it_expired() -> None:
    held = standards(approvals=[approval(STRANGE, until=date(2026, 5, 31))])
    lines = told(review_of([locked(*RIGHT, STRANGE)], audit(origin()), standards=held))
    assert lines[0] == f"{PATH}: Do not commit yet: 1 unexplained, 2 confirmed"
    assert any("held until 2026-05-31 and no longer counts" in line for line in section(lines, "Findings"))


def test_a_disowned_hash_stays_a_finding_whatever_is_approved() -> None:
    held = standards(approvals=[approval(zh("made up"))])
    lines = told(review_of([locked(*RIGHT, zh("made up"))], audit(origin()), standards=held))
    assert lines[0] == f"{PATH}: Do not commit yet: 1 disowned, 2 confirmed"
    assert "Approved" not in lines


def test_an_approved_hash_that_was_not_checked_is_told_as_not_checked() -> None:
    held = standards(approvals=[approval(STRANGE)])
    said = origin_with(LINUX, listed_too=[DARWIN])
    lines = told(review_of([locked(*RIGHT, STRANGE)], audit(said), standards=held))
    assert "Approved" not in lines
    assert any(STRANGE.text in line for line in section(lines, "Not checked"))


def test_a_file_that_cannot_be_read_says_why_beside_the_others() -> None:
    lines = text_report(RunResult(sources=(), files=(*run_of(swapped()).files, unreadable()))).splitlines()
    assert lines[1] == "broken/.terraform.lock.hcl: Cannot be read: no such thing"
    assert "== broken/.terraform.lock.hcl ==" not in lines


def test_hostile_text_stays_on_its_line_and_does_nothing() -> None:
    lines = text_report(attacked()).splitlines()
    assert all(line.isprintable() for line in lines)
    assert "line<U+000A>break<U+000D><U+000A><U+0000><U+001B>[31m" in lines[0] + lines[1]


def test_the_base_is_named_in_full_where_it_was_not_written_so() -> None:
    short, full = side(locked(zh("x"))), side(locked(zh("x")), name="refs/remotes/origin/main")
    known = [replace(each, ref="refs/remotes/origin/main") for each in (short, full)]
    assert base_name(known[:1]) == "origin/main (refs/remotes/origin/main, c0ffee012345)"
    assert base_name(known[1:]) == "refs/remotes/origin/main (c0ffee012345)"
    assert base_name([short]) == "origin/main (c0ffee012345)"


def test_what_changed_comes_first_and_the_same_bump_in_several_files_is_told_once() -> None:
    same = review_of([locked(zh("a"))], path="quiet", standards=standards(side(locked(zh("a")))))
    bumps = [
        review_of([locked(zh("a"))], path=path, standards=standards(side(locked(zh("old"), version=OLD))))
        for path in ("one", "two")
    ]
    text = text_report(run_of(same, *bumps))
    assert [line.partition(":")[0] for line in text.splitlines()[:3]] == ["one", "two", "quiet"]
    assert text.count("version up") == 1
    assert "    in 2 files: one, two\n" in text
    assert text.index("== In several files ==") < text.index("version up")

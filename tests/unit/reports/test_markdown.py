"""The Markdown report answers in its first line, tells what changed and why, stays short, and is only ever text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest
from builders.audits import DARWIN, FINGERPRINT, LINUX, audit, h1, origin_with, zh
from builders.reported import (
    ATTACKS,
    GADGET,
    RIGHT,
    STRANGE,
    attacked,
    half_answered,
    origin,
    silent,
    swapped,
    unreadable,
    well,
)
from builders.run_results import PATH, locked, review_of, run_of
from builders.standards import approval, side, standards, trusting
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.reports.markdown import LIMIT, markdown_report
from lockwarden.core.reports.markdown_text import code, prose, table_row
from lockwarden.core.reports.result import RunResult
from lockwarden.core.review.review import Review
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

GITHUB = MarkdownIt("gfm-like")
OLD = Version.parse("1.2.2")


def lines(*reviews: Review) -> list[str]:
    return markdown_report(run_of(*reviews)).splitlines()


def tokens(text: str) -> Iterator[Token]:
    for token in GITHUB.parse(text):
        yield token
        yield from token.children or ()


def folded(found: list[str], title: str) -> list[str]:
    """The lines inside the part with this title."""
    start = found.index(f"<summary>{title}</summary>")
    return found[start + 2 : found.index("</details>", start) - 1]


def rows(found: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found if line.startswith("|")]


def test_when_all_is_well_one_line_is_not_folded_away() -> None:
    found = lines(well())
    assert found[0] == f"**Nothing to object to**: 2 confirmed (`{PATH}`)"
    assert found[1:4] == ["", "<details>", "<summary>All providers: 1</summary>"]
    assert found[-1] == "</details>"
    assert found.count("<details>") == 2
    assert "- no policy; no approvals" in found


def test_the_first_line_is_the_answer_with_the_loudest_class() -> None:
    assert lines(swapped())[0] == (
        "**Do not commit yet**: hashes swapped in `acme/widget 1.2.3`:"
        " 1 unexplained, 3 confirmed, 1 new, 1 error, 1 warning (`a b/.terraform.lock.hcl`)"
    )


def test_of_several_files_the_one_with_the_loudest_comes_first() -> None:
    found = lines(well(), silent(), swapped())
    assert found[0].startswith("**Do not commit yet**: hashes swapped")
    starts = [line for line in found if line.startswith("**")]
    assert [line.split("**")[1] for line in starts] == [
        "Do not commit yet",
        "Not everything was checked",
        "Nothing to object to",
    ]
    text = markdown_report(RunResult(sources=(), files=(*run_of(swapped()).files, unreadable())))
    assert text.startswith("**Cannot be read**: no such thing (`broken/.terraform.lock.hcl`)\n")


def test_what_speaks_against_it_comes_loudest_first_with_reasons_and_what_to_do() -> None:
    found = lines(swapped())
    start = found.index("#### What speaks against committing")
    items = [line for line in found[start : found.index("#### What to look at")] if line.startswith("- ")]
    assert items[0].startswith("- ✗ **hashes swapped** in `registry.example.test/acme/widget 1.2.3`, line 6: version")
    assert items[1].startswith(
        f"- ✗ **unexplained hash** in `registry.example.test/acme/widget 1.2.3`, line 6: `{STRANGE}`:"
    )
    assert any(line.startswith("  - → drop it") for line in found[start:])


def test_the_table_has_versions_changes_signers_and_verdicts_of_what_changed() -> None:
    gone = ProviderAddress.parse("registry.example.test/acme/gone")
    before = side(locked(zh("old"), version=OLD), locked(*RIGHT, address=GADGET), locked(*RIGHT, address=gone))
    review = review_of(
        [locked(*RIGHT), locked(*RIGHT, address=GADGET, line=20)],
        audit(origin()),
        audit(origin(), address=GADGET),
        standards=standards(before, policy=trusting()),
    )
    found = lines(review)
    assert rows(folded(found, "Changed: 2"))[2:] == [
        [
            "✓",
            "`registry.example.test/acme/widget`",
            "`1.2.2` → `1.2.3`",
            "version up",
            f"`{FINGERPRINT[-16:]}`, trusted by `.lockwarden.hcl` line 3",
            "2 confirmed",
        ],
        ["·", "`registry.example.test/acme/gone`", "was `1.2.3`", "removed", "-", "-"],
    ]
    assert [row[1] for row in rows(folded(found, "Unchanged: 1"))[2:]] == ["`registry.example.test/acme/gadget`"]
    assert "Against `origin/main` (`c0ffee012345`)" in found


def test_a_provider_that_moved_between_registries_is_not_new_in_the_table() -> None:
    earlier = locked(*RIGHT, version=OLD, address=GADGET)
    found = lines(well(standards(replace(side(earlier), moved={locked(*RIGHT).address: earlier}))))
    assert any("`1.2.2` → `1.2.3`" in line for line in found)


def test_the_table_stands_open_when_something_speaks_against_it() -> None:
    found = lines(swapped())
    head = found.index("|  | Provider | Version | Change | Signed by | Hashes |")
    assert found[head - 1] == ""
    assert "hashes swapped" in found[head + 2]
    assert head < found.index("#### What speaks against committing")


def test_a_new_lock_file_and_a_renamed_one_are_told() -> None:
    new = lines(well(standards(side(present=False))))
    assert "there is no lock file at `origin/main`: everything in it is new" in new
    assert any("new: `1.2.3`" in line for line in new)
    renamed = lines(well(standards(side(locked(*RIGHT), renamed_from="old/.terraform.lock.hcl"))))
    assert "Against `origin/main` (`c0ffee012345`): nothing changed  " in renamed
    assert "at `origin/main` the lock file was `old/.terraform.lock.hcl`" in renamed


def test_a_key_that_the_policy_does_not_name_is_told_in_the_table() -> None:
    found = lines(well(standards(policy=trusting("F" * 40))))
    assert found[0].startswith("**Do not commit yet**: signing key changed in `acme/widget 1.2.3`")
    assert any("not a key that the policy names for this provider" in line for line in found if line.startswith("|"))


def test_who_signed_nothing_and_what_is_not_known_yet_are_told_apart() -> None:
    unsigned = lines(review_of([locked(*RIGHT)], audit(origin_with(LINUX, authenticated=False))))
    assert any("| nobody (signing skipped) |" in line for line in unsigned)
    assert any("| not known |" in line for line in lines(review_of([locked(*RIGHT)])))
    assert any("| not known |" in line for line in lines(silent()))


def test_what_was_not_checked_is_told_by_reason_and_folded() -> None:
    found = lines(silent())
    assert found[0] == f"**Not everything was checked**: 2 unchecked (`{PATH}`)"
    inside = folded(found, "Not checked: 1")
    assert inside[0] == "- ? 2 hashes of `registry.example.test/acme/widget 1.2.3`, line 5-6"
    assert sum("connection refused" in line for line in inside) == 1
    assert any("did not answer: connection refused" in line for line in inside)


def test_a_package_that_did_not_come_is_among_what_was_not_checked() -> None:
    (told,) = folded(lines(half_answered()), "Not checked: 1")
    assert told.endswith("direct, package of `darwin_arm64`: no answer: status 503")


def test_approved_hashes_are_told_with_who_and_until_when() -> None:
    held = standards(approvals=[approval(STRANGE, until=date(2026, 12, 31))])
    found = lines(review_of([locked(*RIGHT, STRANGE)], audit(origin()), standards=held))
    assert found[0] == f"**Nothing to object to**: 1 approved, 2 confirmed (`{PATH}`)"
    inside = folded(found, "Approved: 1")
    assert "approved by Ada Example `<ada@example.test>` on `2026-05-20`, until `2026-12-31`" in inside[0]


def test_warnings_stand_open_and_notes_are_folded() -> None:
    warning = Problem(
        code=ProblemCode.REGISTRY_WARNING, severity=Severity.WARNING, message="it moves soon", hint="ask them"
    )
    note = replace(warning, severity=Severity.NOTE, message="it says hello", hint="")
    found = lines(review_of([locked(*RIGHT)], audit(replace(origin(), problems=(warning, note)))))
    start = found.index("#### What to look at")
    assert found[start + 2].endswith("line 1: it moves soon")
    assert found[start + 3] == "  - → ask them"
    assert folded(found, "Notes: 1")[0].endswith(": it says hello")


def test_new_hashes_are_a_number_and_the_command_that_adds_them() -> None:
    (told,) = folded(lines(review_of([locked(RIGHT[0])], audit(origin()))), "To add: 1")
    assert told.startswith("- 1 new hash of `registry.example.test/acme/widget 1.2.3` that a client would record")
    (told,) = folded(
        lines(review_of([locked(RIGHT[0])], audit(origin_with(LINUX, DARWIN)), platforms=[LINUX, DARWIN])), "To add: 1"
    )
    assert told.endswith("`lockwarden lock` with the same options adds them")


def test_a_file_that_cannot_be_read_has_its_problems() -> None:
    found = markdown_report(RunResult(sources=(), files=(unreadable(),))).splitlines()
    assert found[2:] == ["- ✗ **unsupported argument**, line 7: no such thing", "  - → go"]


def test_a_run_without_files_has_an_answer_too() -> None:
    assert markdown_report(RunResult(sources=(), files=())) == "**Nothing to object to**: no lock file was named\n"


def many(count: int) -> Review:
    return review_of([locked(*(h1(f"strange {number}") for number in range(count)))], audit(origin()))


@pytest.mark.parametrize("count", [300, pytest.param(900, marks=pytest.mark.thorough)])
def test_the_report_stays_below_what_a_comment_can_hold_and_counts_what_it_leaves_out(count: int) -> None:
    text = markdown_report(run_of(many(count)))
    assert len(text.encode()) <= LIMIT < 65_536
    shown = text.count("**unexplained hash**")
    assert 0 < shown < count
    assert f"… and {count - shown} more, which do not fit here" in text.splitlines()
    assert "“lockwarden check” lists all of them." in text.splitlines()[-1]


def test_many_changed_providers_leave_room_for_what_speaks_against_committing() -> None:
    addresses = [ProviderAddress.parse(f"registry.example.test/acme/p{number}") for number in range(300)]
    entries = [locked(zh("odd"), address=each) for each in addresses]
    before = side(*(locked(zh("old"), address=each, version=OLD) for each in addresses))
    review = review_of(
        entries, *(audit(origin(), address=each) for each in addresses[:30]), standards=standards(before)
    )
    text = markdown_report(run_of(review))
    assert len(text.encode()) <= LIMIT
    assert text.count("**disowned hash**") > 20
    assert text.splitlines()[0].startswith("**Do not commit yet**")


def test_many_files_and_long_texts_stay_within_the_limit_too() -> None:
    text = markdown_report(RunResult(sources=(), files=tuple(unreadable(f"{n}/{'x' * 4000}") for n in range(500))))
    assert len(text.encode()) <= LIMIT
    assert text.splitlines()[-1].endswith("lists all of them.")


def test_hostile_text_makes_no_markup_whatsoever() -> None:
    text = markdown_report(attacked())
    assert "everyone" in text
    found = list(tokens(text))
    kinds = {token.type for token in found}
    assert not kinds & {"link_open", "image", "html_inline", "em_open", "s_open", "fence", "code_block", "hr"}
    assert not kinds & {"ordered_list_open", "blockquote_open", "lheading_open"}
    assert {token.content.strip() for token in found if token.type == "html_block"} <= html_of_ours(text)
    for token in found:
        if token.type == "text":
            assert_inert(token.content)


def html_of_ours(text: str) -> set[str]:
    summaries = re.findall(r"^<summary>[A-Za-z ]+: [0-9]+</summary>$", text, re.MULTILINE)
    return {"</details>", *(f"<details>\n{summary}" for summary in summaries)}


def assert_inert(content: str) -> None:
    """What GitHub makes links of beyond the grammar of Markdown: mentions, references, commits, addresses."""
    assert "@" not in content
    assert not re.search(r"#\d|GH-\d|://|www\.|\$|:[a-z]+:|[<>&`|\[\]\\]", content)
    assert not re.search(r"(?<!\w)[0-9a-f]{7,}(?!\w)", content)
    assert content.isprintable()


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_is_shown_as_code(attack: str) -> None:
    assert_shown_as_code(f"before {attack} after")
    assert_shown_as_code(attack)
    assert_shown_as_code(f"({attack}), {attack}.")


def assert_shown_as_code(text: str) -> None:
    (paragraph,) = [token for token in GITHUB.parse(prose(text)) if token.type == "inline"]
    kinds = {child.type for child in paragraph.children or ()}
    assert kinds <= {"text", "code_inline"}
    assert "code_inline" in kinds
    for child in paragraph.children or ():
        if child.type == "text":
            assert_inert(child.content)


@pytest.mark.parametrize("attack", [*ATTACKS, "a | b", "|", "a\\|b"])
def test_a_table_keeps_its_columns_whatever_a_cell_holds(attack: str) -> None:
    table = GITHUB.render(f"| a | b | c |\n| --- | --- | --- |\n{table_row((code(attack), prose(attack), 'last'))}\n")
    assert table.count("<tr>") == 2
    assert table.count("<td>last</td>") == 1, "a reader leaves out what is beyond the last column"


def test_sentences_stay_readable() -> None:
    text = "version 1.2.3 stays (really), and 13 h1 hashes went: look-alike, don't merge; why?"
    assert prose(text) == "version `1.2.3` stays (really), and 13 `h1` hashes went: look-alike, don't merge; why?"
    assert prose("") == ""
    assert prose("? ✗ → ·") == "? ✗ → ·"
    assert prose("12. item") == "`12.` item"
    assert prose("... then") == "`...` then"
    assert prose("one (a/b c/d) e/f") == "one (`a/b c/d`) `e/f`"
    assert code("") == "-"


def test_long_text_is_cut_with_the_number_of_what_is_left_out() -> None:
    assert prose("a " * 1000).endswith("… (1000 more characters)")
    assert code("a" * 400) == f"`{'a' * 300}… (100 more characters)`"


def bumped(path: str, *more: LockedProvider) -> Review:
    """A file in which one provider has another version than at the base, and the others are what they were."""
    before = side(locked(zh("old"), version=OLD), *more)
    return review_of([locked(zh("a")), *more], path=path, standards=standards(before))


def others(count: int) -> list[LockedProvider]:
    addresses = (ProviderAddress.parse(f"registry.example.test/acme/p{number:04}") for number in range(count))
    return [locked(zh("a"), address=each) for each in addresses]


def test_the_same_bump_in_many_files_is_told_once_with_the_files() -> None:
    text = markdown_report(run_of(*(bumped(f"stack{number}") for number in range(15))))
    assert text.count("version up") == 1 + 15  # and in the notes of each file
    (line,) = (line for line in text.splitlines() if line.startswith("  - in 15 files: "))
    assert all(f"`stack{number}`" in line for number in range(15))
    assert text.count("1 change listed above, the same in several files") == 15
    assert "Changed alike" not in markdown_report(run_of(bumped("stack0")))


def test_where_room_is_scarce_what_did_not_change_goes_first_and_is_counted() -> None:
    quiet = review_of(others(900), path="quiet", standards=standards(side(*others(900))))
    changed = [bumped(f"stack{number}", *others(number)) for number in range(2, 40)]
    text = markdown_report(run_of(quiet, *changed))
    assert len(text.encode()) <= LIMIT
    assert all(f"(`stack{number}`)" in text for number in range(2, 40))
    assert re.search(r"more entries do not fit here \(.*\d+ unchanged providers.*\)", text.splitlines()[-1])


def test_a_finding_of_several_files_is_told_once_wherever_its_line_is() -> None:
    reviews = [review_of([*others(each), locked(zh("odd"))], audit(origin()), path=f"stack{each}") for each in (1, 2)]
    text = markdown_report(run_of(*reviews))
    assert text.count("**disowned hash**") == 1
    assert "  - in 2 files: `stack1`, `stack2`" in text

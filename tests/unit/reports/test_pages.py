"""How a finished text looks where it goes to."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from lockwarden.cli.output import cells
from lockwarden.core.reports.line_breaking import wrapped
from lockwarden.core.reports.pages import PLAIN, LineWidth, Page, on_page, severity_inked
from lockwarden.core.review.answers import Answer
from lockwarden.core.values.terminals import Signs

INKED = Page(colours=True)
HEAD = "infra/.terraform.lock.hcl: Do not commit yet"
REPORT = f"""{HEAD}: 1 disowned

Findings
  registry.example.test/acme/edge 1.0.0
    ✗ disowned zh:aa (line 3, platform unknown)
      ✗ the list does not have it
      · a note
      → drop it
    ? unchecked zh:bb (line 4)
    + new zh:cc
    ✓ disownedly
    error: it is so (direct)
    line 3: warning: a warning: error:
    note: quiet
"""


def test_a_plain_page_changes_nothing() -> None:
    assert on_page(REPORT, PLAIN, {HEAD: Answer.FINDINGS}) == REPORT


def test_colours_follow_signs_and_words_that_lines_begin_with() -> None:
    lines = on_page(REPORT, INKED, {HEAD: Answer.FINDINGS}).splitlines()

    assert lines == [
        "infra/.terraform.lock.hcl: \x1b[31;1mDo not commit yet\x1b[0m: 1 disowned",
        "",
        "\x1b[1mFindings\x1b[0m",
        "  registry.example.test/acme/edge 1.0.0",
        "    \x1b[31m✗ disowned\x1b[0m zh:aa (line 3, platform unknown)",
        "      \x1b[31m✗\x1b[0m the list does not have it",
        "      · a note",
        "      \x1b[36m→\x1b[0m drop it",
        "    \x1b[33m? unchecked\x1b[0m zh:bb (line 4)",
        "    \x1b[36m+ new\x1b[0m zh:cc",
        "    \x1b[32m✓\x1b[0m disownedly",
        "    \x1b[31merror:\x1b[0m it is so (direct)",
        "    line 3: \x1b[33mwarning:\x1b[0m a warning: error:",
        "    note: quiet",
    ]
    assert re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(lines)) + "\n" == REPORT


def test_a_path_does_not_choose_the_colour_of_its_answer() -> None:
    head = "x: Nothing to object to: Do not commit yet"
    told = on_page(f"{head}: 1 disowned\n\n{head}\n", INKED, {head: Answer.FINDINGS})

    assert told == f"x: Nothing to object to: \x1b[31;1mDo not commit yet\x1b[0m: 1 disowned\n\n{head}\n"


def test_what_is_still_being_read_has_no_colour() -> None:
    assert on_page("x: Reading\n", INKED, {"x: Reading": Answer.READING}) == "x: Reading\n"


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("    short", ["    short"]),
        (f"  ✗ {'word ' * 9}end", [f"  ✗ {'word ' * 7}".rstrip(), "    word word end"]),
        (f"  {'word ' * 9}end", [f"  {'word ' * 6}word", "    word word end"]),
        (f"{'word ' * 9}end", [f"{'word ' * 7}word", "  word end"]),
        (f"  ✗ {'x' * 60} (line 3)", [f"  ✗ {'x' * 60}", "    (line 3)"]),
        ("    confirmed  linux_amd64  h1:abcdefghijklmnop", ["    confirmed  linux_amd64  h1:abcdefghijklmnop"]),
        (f"  {'字' * 15} {'字' * 5}", [f"  {'字' * 15}", f"    {'字' * 5}"]),
    ],
)
def test_lines_are_broken_between_words_and_hang_below_them(line: str, pieces: list[str]) -> None:
    assert wrapped(line, 40, cell_len) == pieces


@pytest.mark.parametrize("text", ["disowned", "✗ 字", "देवनागरी", "e\u0301", "☕ ▲"])
def test_a_printed_text_takes_as_many_cells_as_on_the_screen(text: str) -> None:
    assert cells(text) == cell_len(text)


def test_where_there_is_hardly_any_room_nothing_is_broken() -> None:
    assert wrapped("word " * 20, 39, cell_len) == ["word " * 20]


def test_a_narrow_page_is_coloured_at_the_beginning_of_each_line_alone() -> None:
    told = on_page(f"  ✗ disowned {'word ' * 9}end\n", Page(colours=True, lines=LineWidth(40, cell_len)))

    assert told.splitlines() == ["  \x1b[31m✗ disowned\x1b[0m word word word word word", "    word word word word end"]


def test_a_table_that_has_no_room_hangs_its_widest_columns_below_each_row() -> None:
    rows = (
        "    Verdict    Platform       Hash                  Line",
        "    confirmed  linux_amd64    h1:abcdefghijklmnopq  9",
        "    confirmed  not a package  zh:字                  10",
        "    confirmed                 zh:abc                11",
    )
    told = on_page("\n".join(rows) + "\n", Page(lines=LineWidth(44, cell_len)))

    assert told.splitlines() == [
        "    Verdict    Platform       Line",
        "        Hash",
        "    confirmed  linux_amd64    9",
        "        h1:abcdefghijklmnopq",
        "    confirmed  not a package  10",
        "        zh:字",
        "    confirmed                 11",
        "        zh:abc",
    ]
    by_cells = [row.replace("字 ", "字") for row in rows]
    assert on_page("\n".join(rows) + "\n", Page(lines=LineWidth(60, cell_len))).splitlines() == by_cells
    alone = f"  one  {'two ' * 12}three\n  {'x' * 30}  {'y' * 30}\n"
    assert on_page(alone, Page(lines=LineWidth(44, cell_len))) == alone


def test_a_line_above_a_table_that_has_none_of_its_columns_is_no_row_of_it() -> None:
    key = "    key 1111 2222 3333 4444  Acme Releases  ed25519"
    rows = ("    Verdict    Platform     Hash        Decision", "    confirmed  linux_amd64  h1:abcdefg  keep")
    told = on_page("\n".join((key, *rows)) + "\n", Page(lines=LineWidth(44, cell_len)))

    assert told.splitlines()[-4:] == [
        "    Verdict    Hash        Decision",
        "        Platform",
        "    confirmed  h1:abcdefg  keep",
        "        linux_amd64",
    ]


def test_without_unicode_signs_are_ascii_and_colours_stay() -> None:
    told = on_page(REPORT, Page(colours=True, signs=Signs.ASCII))

    assert told.isascii()
    assert "    \x1b[31mx disowned\x1b[0m zh:aa" in told
    assert "-> " not in told.replace("\x1b[36m->\x1b[0m ", "")


def test_the_word_of_a_complaint_is_coloured() -> None:
    assert severity_inked("lockwarden: error: ") == "lockwarden: \x1b[31merror:\x1b[0m "
    assert severity_inked("a:3: warning: ") == "a:3: \x1b[33mwarning:\x1b[0m "
    assert severity_inked("lockwarden: note: ") == "lockwarden: note: "

"""Markers of merge conflicts, as git writes them and as nobody should have left them."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.lockfile.conflict_markers import BrokenMarkersError, Hunk, SideText, split

PLAIN = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other branch\nd\n"
DIFF3 = "<<<<<<< HEAD\nb\n||||||| 1234567\nbase\n=======\nc\n>>>>>>> other\n"
NESTED_BASE = """<<<<<<< HEAD
b
||||||| merged common ancestors
<<<<<<<<< Temporary merge branch 1
x
|||||||||
=========
y
>>>>>>>>> Temporary merge branch 2
=======
c
>>>>>>> other
"""


def sides(text: str) -> tuple[str, str]:
    found = split(text)
    assert found is not None
    return found.ours.text, found.theirs.text


@table(
    ("text", "ours", "theirs"),
    [
        (PLAIN, "a\nb\nd\n", "a\nc\nd\n"),
        (DIFF3, "b\n", "c\n"),
        (NESTED_BASE, "b\n", "c\n"),
        (PLAIN.replace("\n", "\r\n"), "a\r\nb\r\nd\r\n", "a\r\nc\r\nd\r\n"),
        ("<<<<<<<\n=======\nc\n>>>>>>>", "", "c\n"),
        ("<<<<<<<<< x\nb\n=========\nc\n>>>>>>>>> y\nend", "b\nend", "c\nend"),
        (PLAIN + DIFF3, "a\nb\nd\nb\n", "a\nc\nd\nc\n"),
        ("=======\n|||||||\n" + PLAIN, "=======\n|||||||\na\nb\nd\n", "=======\n|||||||\na\nc\nd\n"),
        ("<<<<<<< x\n  <<<<<<< in a string\n=======\nc\n>>>>>>> y\n", "  <<<<<<< in a string\n", "c\n"),
        ("<<<<<<< x\nb\n=======\n<<<<<<<HEAD\n>>>>>>> y\n", "b\n", "<<<<<<<HEAD\n"),
    ],
)
def test_both_sides_are_whole_texts(text: str, ours: str, theirs: str) -> None:
    assert sides(text) == (ours, theirs)


@table("text", ["", "a\n", "<<<<<< HEAD\n", "=======\n", "|||||||\n", " <<<<<<< HEAD\n", "<<<<<<<x\n"])
def test_a_text_without_markers_has_no_sides(text: str) -> None:
    assert split(text) is None


@table(
    ("text", "line", "reason"),
    [
        ("a\n>>>>>>> x\n", 2, "ends here that began nowhere"),
        ("<<<<<<< x\na\n", 1, "never ends"),
        ("<<<<<<< x\n=======\n", 1, "never ends"),
        ("<<<<<<< x\na\n>>>>>>> y\n", 3, "without a second side"),
        ("<<<<<<< x\n||||||| z\n>>>>>>> y\n", 3, "without a second side"),
        ("<<<<<<< x\n<<<<<<< y\n", 2, "within another one"),
        ("<<<<<<< x\n=======\n<<<<<<< y\n", 3, "within another one"),
        ("<<<<<<< x\n||||||| z\n<<<<<<< y\n", 3, "within another one"),
        ("<<<<<<< x\n=======\n=======\n", 3, "second side already"),
        ("<<<<<<< x\n=======\n||||||| z\n", 3, "second side already"),
        ("<<<<<<< x\n||||||| z\n||||||| z\n", 3, "a base already"),
        ("<<<<<<< x\n========\n", 2, "another length"),
        ("<<<<<<< x\n=======\n>>>>>>>> y\n", 3, "another length"),
    ],
)
def test_markers_that_do_not_fit_together_are_refused(text: str, line: int, reason: str) -> None:
    with pytest.raises(BrokenMarkersError) as caught:
        split(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_a_marker_that_calls_its_part_the_base_is_a_side_all_the_same() -> None:
    assert sides("<<<<<<< base\nb\n=======\nc\n>>>>>>> merged common ancestors\n") == ("b\n", "c\n")


def test_lines_of_a_side_are_known_by_their_place_in_the_file() -> None:
    found = split(PLAIN)
    assert found is not None
    assert found.hunks == (Hunk(first=2, last=6, ours="HEAD", theirs="other branch"),)
    assert found.markers == {2, 4, 6}
    assert found.ours.lines == (1, 3, 7)
    assert [found.theirs.place(each) for each in (1, 2, 3, 4)] == [1, 5, 7, 7]
    assert SideText(text="", lines=()).place(1) == 1


def test_a_base_is_noted_and_belongs_to_nobody() -> None:
    found = split(DIFF3)
    assert found is not None
    assert found.hunks[0].has_base
    assert "base" not in found.ours.text + found.theirs.text

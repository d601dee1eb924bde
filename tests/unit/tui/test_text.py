"""The one door for text from outside."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from lockwarden.tui.render.text import (
    MAX_SHOWN,
    cells,
    lines,
    plain,
    reveal,
    shorten,
    shorten_hash,
    shorten_start,
    spaced,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain ASCII, with [brackets]", "plain ASCII, with [brackets]"),
        ("\x1b]0;x\x07", "<U+001B>]0;x<U+0007>"),
        ("\x9b31m", "<U+009B>31m"),
        ("\u202eabc", "<U+202E>abc"),
        ("a\u200bb\u2060c\ufeff", "a<U+200B>b<U+2060>c<U+FEFF>"),
        ("a\u00a0b\u3000c", "a<U+00A0>b<U+3000>c"),
        ("one\r\ntwo\t", "one<U+000D><U+000A>two<U+0009>"),
        ("\u3164\u115f\u2800\ufe0f\U000e0101", "<U+3164><U+115F><U+2800><U+FE0F><U+E0101>"),
        ("\udc80", "<U+DC80>"),
        ("münchen 東京 देवनागरी", "münchen 東京 देवनागरी"),
        ("a" + "\u0301" * 5, "a\u0301\u0301\u0301<U+0301><U+0301>"),
    ],
)
def test_what_cannot_be_seen_or_would_act_is_spelled_out(value: str, shown: str) -> None:
    assert reveal(value) == shown


def test_markup_stays_text() -> None:
    value = "[@click=app.quit]x[/] [/nothing]"

    assert plain(value, "$text-error").plain == value
    assert len(plain(value, "$text-error").spans) == 1


def test_a_very_long_value_is_cut_and_says_by_how_much() -> None:
    shown = plain("x" * (MAX_SHOWN + 7)).plain

    assert shown == "x" * MAX_SHOWN + "… (7 more characters)"


@pytest.mark.parametrize("width", range(12))
def test_shortening_never_exceeds_the_width(width: int) -> None:
    for value in ("abcdefghijkl", "東京都港区赤坂", "a\u202eb"):
        assert cell_len(shorten(value, width)) <= width
        assert cell_len(shorten_start(value, width)) <= width


def test_shortening_keeps_the_beginning_and_a_path_keeps_its_end() -> None:
    assert shorten("abcdefgh", 5) == "abcd…"
    assert shorten("abcdefgh", 8) == "abcdefgh"
    assert shorten_start("infra/prod/.terraform.lock.hcl", 21) == "…/.terraform.lock.hcl"
    assert shorten_start("abcdefgh", 5) == "…efgh"
    assert shorten_start("abc", 5) == "abc"


def test_a_hash_is_cut_in_its_middle_where_both_ends_fit() -> None:
    text = "zh:" + "0123456789abcdef" * 4

    assert shorten_hash(text, 67) == text
    assert shorten_hash(text, 20) == "zh:0123456789abc…def"
    assert shorten_hash(text, 12) == "zh:01234567…"


def test_a_hash_of_wide_letters_is_cut_at_its_end() -> None:
    assert cell_len(shorten_hash("zh:" + "東" * 40, 20)) <= 20


def test_cells_count_what_is_shown() -> None:
    assert cells("東京") == 4
    assert cells("\u202e") == len("<U+202E>")


def test_rows_and_parts_are_joined() -> None:
    assert lines(plain("a"), plain("b")).plain == "a\nb"
    assert spaced(plain("a"), plain(""), plain("b")).plain == "a  b"
    assert spaced(plain("a"), plain("b"), gap=1).plain == "a b"

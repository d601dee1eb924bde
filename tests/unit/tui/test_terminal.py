"""What a terminal sends becomes UTF-8 without old mouse reports, wherever the pieces are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual._xterm_parser import XTermParser
from textual.events import Key, Paste

from lockwarden.tui.terminal import InputFilter


def passed(*pieces: bytes) -> bytes:
    filtered = InputFilter()
    return b"".join(filtered.feed(each) for each in pieces) + filtered.feed(b"", final=True)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"j", b"j"),
        (b"\x1b", b"\x1b"),
        (b"\x1b[A", b"\x1b[A"),
        (b"caf\xc3\xa9", b"caf\xc3\xa9"),
        (b"caf\xe9", b"caf\xef\xbf\xbd"),
        (b"\xff\xfe", b"\xef\xbf\xbd\xef\xbf\xbd"),
        (b"a\x1b[M \xe9\xe9b", b"ab"),
        (b"a\x1b[M \xc3\xa9b", b"ab"),
        (b"\x1b[M\x20", b"\x1b[M\x20"),
        (b"\x1b[<0;5;6M", b"\x1b[<0;5;6M"),
        (b"\x1b[97;5u", b"\x1b[97;5u"),
        (b"a\x1b[1114112u\x1b[200~b", b"a\x1b[200~b"),
        (b"\x1b[97;1;55296u", b""),
        (b"a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b", b"ab"),
        (b"a\x1b]11;rgb:0/0/0\x07b", b"ab"),
        (b"\x1b]", b"\x1b]"),
        (b"\x1b]52;c;", b"\x1b]52;c;"),
        (b"\x1b[200~a\x1b[31mb\x1b[M\x1b[201~\x1b[A", b"\x1b[200~a[31mb[M\x1b[201~\x1b[A"),
        (b"\x1b[200~\x1b[2\x1b[200~a", b"\x1b[200~[2[200~a"),
    ],
)
def test_what_is_passed_on(sent: bytes, expected: bytes) -> None:
    assert passed(sent) == expected


def test_what_may_be_the_begin_of_a_report_is_kept_back_until_it_is_clear() -> None:
    filtered = InputFilter()

    assert filtered.feed(b"j\x1b[M ") == b"j"
    assert filtered.holds
    assert filtered.feed(b"\xe9\xe9k") == b"k"
    assert not filtered.holds
    assert filtered.feed(b"\x1b[1114") == b""
    assert filtered.feed(b"112uk") == b"k"
    assert filtered.feed(b"\x1b") == b""
    assert filtered.feed(b"", final=True) == b"\x1b"


@pytest.mark.parametrize("report", [b"\x1b[M\x20\xc3\xa9", b"\x1b[M\x20\x1b\x20", b"\x1b[M\x20\xe9\xe9"])
def test_an_old_mouse_report_presses_no_key_and_swallows_none(report: bytes) -> None:
    """Two of its bytes may be one character of UTF-8; the next one then counts as its third, and an escape ends it."""
    heard = list(XTermParser().feed(passed(report + b"\x1b[A" + report + b"j").decode()))

    assert [each.key for each in heard if isinstance(each, Key)] == ["up", "j"]


@given(st.integers(0, 40), st.integers(0, 40))
def test_what_is_pasted_with_escapes_is_no_keys_wherever_it_is_cut(one: int, two: int) -> None:
    data = b"j\x1b[200~\x1b[1;31mA log in colours A\x1b[0m\x1b[201~k"
    first, second = sorted((one, two))
    filtered = InputFilter()
    pieces = (data[:first], data[first:second], data[second:])
    heard = list(XTermParser().feed(b"".join(filtered.feed(each) for each in pieces).decode()))

    assert [each.key for each in heard if isinstance(each, Key)] == ["j", "k"]
    assert [each.text for each in heard if isinstance(each, Paste)] == ["[1;31mA log in colours A[0m"]
    assert not filtered.holds


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_late_answer_about_the_background_is_no_keys_wherever_it_is_cut(one: int, two: int) -> None:
    data = b"j\x1b]11;rgb:ffff/ffff/ffff\x1b\\k"
    first, second = sorted((one, two))
    assert passed(data[:first], data[first:second], data[second:]) == b"jk"


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\x1b", b"\x1b[", b"\x1b[M", b" \xe9\xe9"])))
def test_anything_becomes_utf_8_wherever_it_is_cut(pieces: list[bytes]) -> None:
    heard = passed(*pieces)
    assert heard.decode().encode() == heard


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"))), st.integers(0, 20))
def test_text_arrives_as_it_was_sent(text: str, cut: int) -> None:
    data = text.encode()
    assert passed(data[:cut], data[cut:]) == data

"""Signatures of minisign and signify, and their keys."""

from __future__ import annotations

import base64

import pytest
from builders.document_signing import Minisigner
from builders.tables import table

from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.document_signatures.minisign import read_minisign_key, read_minisign_signature
from lockwarden.core.document_signatures.verification import is_good_minisign

DOCUMENT = b"hello\n"
OURS = Minisigner()
KEY = read_minisign_key(OURS.public)
WORKED = "RUQAAQIDBAUGB5W9EkMWxs6buKMtyf9iQstZnl/JVX6bcNnk6YHUtSNV2t+uis8Y6wBHAirrTCY2AaaAft2KdItK60I8DOSfeAk="


def test_the_worked_values_hold() -> None:
    text = OURS.over(DOCUMENT)
    assert text.split("\n")[1] == WORKED
    assert is_good_minisign(read_minisign_signature(text), DOCUMENT, KEY)
    assert KEY.number == "0706050403020100"


@pytest.mark.parametrize("hashed", [True, False])
def test_both_forms_of_minisign_are_good_over_their_document_only(hashed: bool) -> None:
    read = read_minisign_signature(OURS.over(DOCUMENT, hashed=hashed))
    assert (read.scheme, read.id) == ("minisign", KEY.id)
    assert is_good_minisign(read, DOCUMENT, KEY)
    assert not is_good_minisign(read, b"hallo\n", KEY)


def test_signify_has_no_trusted_comment() -> None:
    read = read_minisign_signature(OURS.by_signify(DOCUMENT))
    assert (read.scheme, read.comment) == ("signify", None)
    assert is_good_minisign(read, DOCUMENT, KEY)
    assert not is_good_minisign(read, b"hallo\n", KEY)


def test_the_same_id_with_another_key_is_bad() -> None:
    other = read_minisign_key(Minisigner(bytes(32)).public)
    assert other.id == KEY.id
    assert not is_good_minisign(read_minisign_signature(OURS.over(DOCUMENT)), DOCUMENT, other)


def test_a_changed_trusted_comment_is_bad() -> None:
    text = OURS.over(DOCUMENT, comment="serial 7").replace("serial 7", "serial 8")
    assert not is_good_minisign(read_minisign_signature(text), DOCUMENT, KEY)


def test_a_key_that_is_no_point_verifies_nothing() -> None:
    nowhere = read_minisign_key(base64.b64encode(b"Ed" + KEY.id + b"\xff" * 32).decode())
    assert not is_good_minisign(read_minisign_signature(OURS.over(DOCUMENT)), DOCUMENT, nowhere)


GOOD = OURS.over(DOCUMENT)
LINES = GOOD.split("\n")


def with_line(number: int, data: bytes) -> str:
    lines = [*LINES]
    lines[number] = base64.b64encode(data).decode()
    return "\n".join(lines)


@table(
    ("text", "why"),
    [
        ("", "lines"),
        (GOOD + "x", "lines"),
        (GOOD.removeprefix("un"), "lines"),
        ("\n".join(LINES[:3]), "lines"),
        (GOOD.replace(LINES[1], LINES[1] + "="), "base64"),
        (GOOD.replace(LINES[1], "ü" * 8), "base64"),
        (GOOD.replace(LINES[3], LINES[3][:-3] + chr(ord(LINES[3][-3]) + 1) + "=="), "usual spelling"),
        (with_line(1, b"ED" + bytes(8 + 63)), "length"),
        (with_line(3, bytes(63)), "length"),
    ],
)
def test_whatever_is_not_spelt_as_one_is_malformed(text: str, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        read_minisign_signature(text)


def test_another_kind_is_unsupported() -> None:
    with pytest.raises(UnsupportedError):
        read_minisign_signature(with_line(1, b"XX" + bytes(72)))
    with pytest.raises(UnsupportedError):
        read_minisign_signature("\n".join([LINES[0], LINES[1], ""]))
    with pytest.raises(UnsupportedError):
        read_minisign_key(base64.b64encode(b"Ex" + bytes(40)).decode())


@pytest.mark.parametrize("text", ["", "RWQ", base64.b64encode(b"Ed" + bytes(39)).decode()])
def test_a_key_is_named_whole(text: str) -> None:
    with pytest.raises(MalformedError):
        read_minisign_key(text)


def test_a_checkout_may_convert_the_ends_of_lines() -> None:
    assert read_minisign_signature(GOOD.replace("\n", "\r\n")) == read_minisign_signature(GOOD)

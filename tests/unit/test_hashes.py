"""Hash strings and the two schemes, against values computed elsewhere."""

from __future__ import annotations

import base64
import hashlib

import pytest
from builders.tables import table

from lockwarden.core.values.errors import InvalidHashError
from lockwarden.core.values.hashes import Hash, h1_of_members, zh_of_digest

LICENSE = ("LICENSE.txt", b"example licence\n")
PROGRAM = ("terraform-provider-demo_v1.2.3", b"not a real binary\n")


def members(*files: tuple[str, bytes]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), hashlib.sha256(content).digest()) for name, content in files]


def test_the_h1_of_an_empty_package_is_the_digest_of_nothing() -> None:
    # printf '' | openssl sha256 -binary | base64
    assert h1_of_members([]).text == "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_the_h1_of_two_files_is_the_digest_of_their_listing() -> None:
    # sha256sum LICENSE.txt terraform-provider-demo_v1.2.3 | openssl sha256 -binary | base64
    expected = "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE="
    assert h1_of_members(members(LICENSE, PROGRAM)).text == expected
    assert h1_of_members(members(PROGRAM, LICENSE)).text == expected


def test_an_explicit_directory_entry_changes_the_h1_of_an_archive() -> None:
    expected = "h1:O8d2ciR7AMTVRiBzDLdW0AwdgPbDtuXBL2sOg7HKqvQ="
    assert h1_of_members(members(LICENSE, PROGRAM, ("docs/", b""))).text == expected


def test_names_are_listed_in_the_order_of_their_bytes() -> None:
    upper, lower, accented = members(("Z", b"1"), ("a", b"2"), ("é", b"3"))
    listing = b"".join(digest.hex().encode() + b"  " + name + b"\n" for name, digest in (upper, lower, accented))
    again = h1_of_members([accented, lower, upper])
    assert again == h1_of_members([upper, lower, accented])
    assert again.value.endswith("=")
    assert hashlib.sha256(listing).digest() == base64.b64decode(again.value)


def test_a_name_with_a_line_feed_cannot_be_listed() -> None:
    with pytest.raises(ValueError, match="line feed"):
        h1_of_members([(b"a\nb", hashlib.sha256(b"").digest())])


def test_the_zh_is_the_digest_in_lower_case_digits() -> None:
    # printf abc | sha256sum
    digest = bytes.fromhex("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD")
    assert zh_of_digest(digest).text == "zh:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@table("text", ["h1:abc", "zh:", "sha256:1", "h9:a:b", "ZH:AB"])
def test_any_scheme_and_any_value_parses(text: str) -> None:
    hash_ = Hash.parse(text)
    assert f"{hash_.scheme}:{hash_.value}" == str(hash_) == text


@pytest.mark.parametrize("text", ["", ":abc", "abc"])
def test_a_hash_without_a_scheme_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(InvalidHashError, match="scheme keyword") as refused:
        Hash.parse(text)
    assert "h1:" in refused.value.hint


@table(
    ("text", "word"),
    [
        ("h2:abc", "scheme"),
        ("ZH:" + "a" * 64, "scheme"),
        ("zh:" + "A" * 64, "lower-case"),
        ("zh:" + "a" * 63, "64"),
        ("zh:" + "a" * 65, "64"),
        ("zh:" + "a" * 64 + "\n", "64"),
        ("zh:" + "１" * 64, "64"),
        ("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "base64"),
        ("h1:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=", "base64"),
        ("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", "base64"),
        ("h1:é", "base64"),
        ("h1:", "base64"),
    ],
)
def test_a_hash_that_can_never_match_says_why(text: str, word: str) -> None:
    hash_ = Hash.parse(text)
    assert word in hash_.flaw
    assert not hash_.usable


@pytest.mark.parametrize("text", ["zh:" + "0" * 64, "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="])
def test_a_well_formed_hash_is_usable(text: str) -> None:
    assert Hash.parse(text).usable

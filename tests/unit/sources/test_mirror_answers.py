"""How the two documents of a network mirror are read."""

from __future__ import annotations

import json

import msgspec
import pytest
from builders.tables import table

from lockwarden.core.sources.protocols import mirror_documents as answers
from lockwarden.core.sources.protocols.mirror_documents import MAX_HASHES, MAX_TEXT, read_archives, read_mirror_index
from lockwarden.core.values.go_json import BodyError, looks_like_html, read_json
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

LINUX = Platform("linux", "amd64")


def _texts(body: bytes) -> list[str]:
    return sorted(str(version) for version in read_mirror_index(body).versions)


def test_an_index_names_versions() -> None:
    index = read_mirror_index(b'{"versions": {"2.0.0": {}, "2.0.1-beta.1": {}}}')
    assert index.versions == {Version(2, 0, 0), Version(2, 0, 1, "beta.1")}
    assert index.skipped == ()


def test_keys_that_are_no_versions_are_skipped_and_kept_for_the_report() -> None:
    index = read_mirror_index(b'{"versions": {"v2.0.0": {}, "2.0.0": {}, "": {}, "99999999999999999999.0.0": {}}}')
    assert index.versions == {Version(2, 0, 0)}
    assert index.skipped == ("v2.0.0", "", "99999999999999999999.0.0")


def test_a_short_version_stands_for_the_full_one() -> None:
    assert _texts(b'{"versions": {"2": {}, "2.0.0": {}}}') == ["2.0.0"]


@table(
    "body",
    [
        b'{"VERSIONS": {"2.0.0": {}}}',
        b'{"Versions": {"2.0.0": null}}',
        '{"verſions": {"2.0.0": {}}}'.encode(),
        b' \r\n\t{"versions": {"2.0.0": {"any": 1}}, "other": [1.5, true]}',
        b'{"versions": {"2.0.0": {}}} {"versions": {"6.6.6": {}}}',
        b'{"versions": {"2.0.0": {}}}trailing',
        b'{"versions": {"2.0.0": {}}, "x": "\xff"}',
    ],
)
def test_an_index_is_read_as_the_clients_read_it(body: bytes) -> None:
    assert _texts(body) == ["2.0.0"]


def test_null_empties_an_object() -> None:
    """`terraform` 1.11.4 finds no version there."""
    assert _texts(b'{"versions": {"2.0.0": {}}, "versions": null}') == []


def test_a_property_that_comes_twice_adds_to_an_object() -> None:
    assert _texts(b'{"versions": {"1.0.0": {}}, "Versions": {"2.0.0": {}}}') == ["1.0.0", "2.0.0"]


@table("body", [b"{}", b'{"versions": null}', b'{"versions": {}}', b"null"])
def test_an_index_may_name_no_version(body: bytes) -> None:
    assert read_mirror_index(body).versions == frozenset()


@table(
    ("body", "what"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b'{"versions": {"2.0.0": {}', "not JSON, or not all of it"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"[]", "Expected `object`, got `array`"),
        (b'"text"', "got `str`"),
        (b'{"versions": []}', "$.versions"),
        (b'{"versions": {"2.0.0": []}}', "$.versions"),
        (b'{"versions": {"2.0.0": 1}}', "$.versions"),
        (b'{"x": NaN}', "NaN"),
        (b'{"x": ' + b"9" * 5000 + b"}", "not JSON that can be used"),
        (b'{"x": ' + b"[" * 200_000, "nested too deep"),
        (b"<!DOCTYPE html><title>Log in</title>", "a web page (HTML)"),
        (b"\n <HTML><body>", "a web page (HTML)"),
    ],
)
def test_what_is_no_index_is_an_error_that_says_why(body: bytes, what: str) -> None:
    with pytest.raises(BodyError) as caught:
        read_mirror_index(body)
    assert what in str(caught.value)


def test_too_many_versions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_VERSIONS", 2)
    assert len(read_mirror_index(b'{"versions": {"1.0.0": {}, "2.0.0": {}}}').versions) == 2
    with pytest.raises(BodyError, match="has 3 versions; the limit is 2"):
        read_mirror_index(b'{"versions": {"1.0.0": {}, "2.0.0": {}, "3.0.0": {}}}')


def test_archives_keep_the_order_the_urls_and_each_hash_once() -> None:
    body = b"""{"archives": {
        "linux_amd64": {"url": "a.zip", "hashes": ["h1:A", "zh:B", "h1:A"]},
        "darwin_arm64": {"URL": "b.zip"}
    }}"""
    linux, darwin = read_archives(body)
    assert (linux.key, linux.platform, linux.url) == ("linux_amd64", LINUX, "a.zip")
    assert linux.hashes == (Hash("h1:A"), Hash("zh:B"))
    assert (darwin.platform, darwin.url, darwin.hashes) == (Platform("darwin", "arm64"), "b.zip", ())


def test_a_hash_without_a_scheme_is_kept_apart() -> None:
    (archive,) = read_archives(b'{"archives": {"linux_amd64": {"url": "a", "hashes": ["abc", ":x", null, "h9:y"]}}}')
    assert archive.hashes == (Hash("h9:y"),)
    assert archive.malformed == ("abc", ":x", "")


def test_a_key_that_is_no_platform_keeps_its_hashes() -> None:
    (archive,) = read_archives(b'{"archives": {"weird": {"url": "a", "hashes": ["zh:x"]}}}')
    assert (archive.key, archive.platform, archive.hashes) == ("weird", None, (Hash("zh:x"),))


@pytest.mark.parametrize("entry", [b"null", b"{}", b'{"url": null, "hashes": null}'])
def test_an_entry_may_be_empty(entry: bytes) -> None:
    (archive,) = read_archives(b'{"archives": {"linux_amd64": ' + entry + b"}}")
    assert (archive.url, archive.hashes, archive.malformed) == ("", (), ())


def test_lists_that_come_twice_are_replaced_and_a_platform_that_comes_twice_too() -> None:
    body = (
        b'{"archives": {"linux_amd64": {"url": "a", "hashes": ["zh:a"], "Hashes": ["zh:b"]},'
        b' "linux_amd64": {"url": "c"}}}'
    )
    (archive,) = read_archives(body)
    assert (archive.url, archive.hashes) == ("c", ())


@table(
    ("entry", "where"),
    [('{"url": 1}', "url"), ('{"hashes": "zh:a"}', "hashes"), ('{"hashes": [1]}', "hashes[0]"), ("[]", "archives")],
)
def test_a_value_of_the_wrong_type_is_an_error_with_its_place(entry: str, where: str) -> None:
    with pytest.raises(BodyError) as caught:
        read_archives(f'{{"archives": {{"linux_amd64": {entry}}}}}'.encode())
    assert where in str(caught.value)


def test_archives_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_ARCHIVES", 1)
    with pytest.raises(BodyError, match="has 2 platforms"):
        read_archives(b'{"archives": {"a_b": {}, "c_d": {}}}')
    many = json.dumps({"archives": {"a_b": {"hashes": ["zh:x"] * (MAX_HASHES + 1)}}})
    with pytest.raises(BodyError, match="hashes for one platform"):
        read_archives(many.encode())
    long = json.dumps({"archives": {"a_b": {"url": "../" * MAX_TEXT}}})
    with pytest.raises(BodyError, match="characters in one text"):
        read_archives(long.encode())


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    (archive,) = read_archives(b'{"archives": {"linux_amd64": {"url": "a\\ud800b\\ud83d\\ude00"}}}')
    assert archive.url == "a\ufffdb\U0001f600"


def test_a_property_of_any_type_comes_as_plain_values() -> None:
    class Open(msgspec.Struct):
        hashes: object = None
        note: str | None = None

    read = read_json(b'{"hashes": {"zh:a": ["h1:b", {"c": 1}]}, "note": null}', Open)
    assert read.hashes == {"zh:a": ["h1:b", {"c": 1}]}
    assert read.note is None
    assert read_json(b'{"note": "x"}', Open).note == "x"


@table(
    ("body", "html"),
    [(b"<html>", True), (b"\xef\xbb\xbf\n<!doctype HTML>", True), (b"PK\x03\x04", False), (b"{}", False), (b"", False)],
)
def test_a_web_page_is_told_from_data(body: bytes, html: bool) -> None:
    assert looks_like_html(body) is html

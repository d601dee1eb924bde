"""What is left of URLs, answers and errors when they leave the machine."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.bundles.reducing import (
    Secrets,
    bare,
    numbered,
    reduced_body,
    reduced_reference,
    secrets_in,
    without_places,
)

BASE = "https://registry.example.test/v1/one/download?token=s3cret-value"


@table(
    ("url", "left"),
    [
        ("https://host.example.test/path?sig=abc#part", "https://host.example.test/path"),
        ("https://ann:pw@host.example.test/path?x", "https://user@host.example.test/path"),
        ("packages/one.zip?sig=abc", "packages/one.zip"),
        ("https://host.example.test/a@b", "https://host.example.test/a@b"),
    ],
)
def test_of_a_url_host_and_path_are_left(url: str, left: str) -> None:
    assert bare(url) == left


def test_urls_that_lead_to_different_things_are_told_apart_in_the_order_of_these() -> None:
    assert numbered({"https://h/a?x=2": "B", "https://h/a?x=1": "A", "https://h/b?y": "C"}) == {
        "https://h/a?x=1": "https://h/a?1",
        "https://h/a?x=2": "https://h/a?2",
        "https://h/b?y": "https://h/b",
    }
    assert set(numbered({"https://h/a?x=2": "A", "https://h/a?x=1": "A", "https://h/a": "A"}).values()) == {
        "https://h/a"
    }


@table(
    ("text", "left"),
    [
        ("plain words? yes", "plain words? yes"),
        ("C#", "C#"),
        ("what?", "what?"),
        ("../one.zip?sig=abc", "../one.zip?2"),
        ("https://registry.example.test/v1/one.zip?sig=abc", "https://registry.example.test/v1/one.zip?2"),
        ("https://other.example.test/x?sig=abc#f", "https://other.example.test/x"),
        ("see https://other.example.test/x?sig=abc or ask", "see https://other.example.test/x or ask"),
        ("https://ann:pw@other.example.test/x", "https://user@other.example.test/x"),
        ("ann@example.test", "ann@example.test"),
        ("http://[bad?x=1", "http://[bad"),
    ],
)
def test_a_text_that_is_or_holds_a_url_is_reduced(text: str, left: str) -> None:
    names = {"https://registry.example.test/v1/one.zip?sig=abc": "https://registry.example.test/v1/one.zip?2"}
    assert reduced_reference(text, BASE, names) == left


def test_of_a_body_only_texts_with_urls_change() -> None:
    body = (
        b'\xef\xbb\xbf{"a" : "x",\t"url":"https:\\/\\/h.example.test\\/p?sig=abc",'
        b' "\xc3\xa9": "\xc3\xa9?", "n": 1e3, "a":2}'
    )
    assert reduced_body(body, BASE, {}) == body.replace(
        b'"https:\\/\\/h.example.test\\/p?sig=abc"', b'"https://h.example.test/p"'
    )
    same = b'{"no": "url"}'
    assert reduced_body(same, BASE, {}) is same
    assert (
        reduced_body(b'<a href="https://h.example.test/p?sig=abc">', BASE, {}) == b'<a href="https://h.example.test/p">'
    )
    assert reduced_body(b'{"broken \xff ?": "\\x?"', BASE, {}) == b'{"broken \xff ?": "\\x?"'


def test_errors_lose_the_paths_of_the_machine_and_keep_what_servers_said() -> None:
    roots = ("/home/ann/my mirror", "/home/ann")
    told = "the folder /home/ann/my mirror/x cannot be read (/srv/y, ~/z, C:\\k) of https://h.example.test/path and/or"
    assert without_places(told, roots) == (
        "the folder (a local path) cannot be read ((a local path), (a local path), (a local path)) of"
        " https://h.example.test/path and/or"
    )
    assert without_places("https://h.example.test/home/ann/x of file:/home/ann/y", roots) == (
        "https://h.example.test/home/ann/x of file:(a local path)"
    )
    said = "https://h.example.test/v2/ answered 404; the server says “no /v2/x here”"
    assert without_places(said, roots) == said


def test_secrets_are_known_by_their_values() -> None:
    assert set(secrets_in("https://ann:longpassword@h/p?sig=0123456789&n=1")) == {
        "sig=0123456789&n=1",
        "0123456789",
        "ann:longpassword",
        "longpassword",
    }
    assert set(secrets_in("https://h/p?file=terraform-provider-one_1.0.0_linux_amd64.zip&x=aB3aB3aB3aB3aB3aB3aB3")) == {
        "file=terraform-provider-one_1.0.0_linux_amd64.zip&x=aB3aB3aB3aB3aB3aB3aB3",
        "aB3aB3aB3aB3aB3aB3aB3",
    }


@pytest.mark.parametrize("others", [0, 1000])
def test_a_secret_is_found_wherever_it_stands_however_many_there_are(others: int) -> None:
    secrets = Secrets(["0123456789", "n=1", *(f"01234567{number:06}x" for number in range(others))])
    for content in (b"0123456789", b"... 0123456789 ...", b"012345670123456789"):
        assert secrets.stand_in(content)
    for content in (b"", b"... n=1 ...", b"012345678", b"0123456 789"):
        assert not secrets.stand_in(content)


@table(
    "body",
    [
        b"?" + b"http" * 100_000,
        b'{"?' + b'\\"' * 200_000,
        b'{"?' + b'\\"' * 200_000 + b"\\\n",
        b'{"a": "' + b"a." * 200_000 + b' ?"}',
        b'{"a": "' + b"a" * 300_000 + b'?x y"}',
    ],
    ids=["a scheme without end", "no end of a text", "no end behind a line", "no reference", "no place"],
)
def test_what_looks_like_a_url_for_a_megabyte_takes_no_hours(body: bytes) -> None:
    assert reduced_body(body, BASE, {}) == body


def test_a_url_behind_any_letters_and_digits_is_found() -> None:
    url = b"https://h.example.test/a"
    for before in (b"", b"1", b"z" * 100, b"1" * 100, b"+" * 100):
        assert reduced_body(before + url + b"?sig=abc", BASE, {}) == before + url

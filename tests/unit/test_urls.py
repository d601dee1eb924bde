"""URLs from outside: comparison form of hosts, resolution with limits, display without secrets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import httpx
import pytest
from builders.tables import table

from lockwarden.core.http.redirect_policy import redirect_url
from lockwarden.core.values.errors import BadAnswerError, InvalidAddressError, Stage
from lockwarden.core.values.urls import first_url, host_from, host_of, is_named, joined, redacted, resolved


@table(
    ("url", "host"),
    [
        ("https://Example.TEST/a", "example.test"),
        ("https://example.test:443/", "example.test"),
        ("https://example.test:8443/", "example.test:8443"),
        ("http://example.test/", "example.test:80"),
        ("https://bücher.test/", "xn--bcher-kva.test"),
        ("https://[::1]:8443/", "[::1]:8443"),
        ("https://[0:0::1]/", "[::1]"),
        ("http://[2001:DB8::1]/", "[2001:db8::1]:80"),
    ],
)
def test_a_host_in_comparison_form(url: str, host: str) -> None:
    assert host_of(httpx.URL(url)) == host


@table(
    ("text", "host"),
    [
        ("Mirror.Example.test", "mirror.example.test"),
        ("mirror.example.test:443", "mirror.example.test"),
        ("mirror.example.test:08080", "mirror.example.test:8080"),
        ("bücher.test:8443", "xn--bcher-kva.test:8443"),
        ("XN--bcher-kva.test", "xn--bcher-kva.test"),
        ("xn--bcher-kva.test:443", "xn--bcher-kva.test"),
        ("127.0.0.1:5000", "127.0.0.1:5000"),
        ("[::1]", "[::1]"),
        ("[::1]:443", "[::1]"),
        ("[0:0::1]:8080", "[::1]:8080"),
        ("[2001:DB8::1]", "[2001:db8::1]"),
    ],
)
def test_a_host_that_a_person_wrote_is_read_into_the_same_form(text: str, host: str) -> None:
    assert host_from(text) == host


@table(
    "text",
    [
        "",
        "a b",
        "https://mirror.example.test",
        "user@mirror.example.test",
        "mirror.example.test/path",
        "mirror.example.test:",
        "mirror.example.test:a",
        "mirror.example.test:65536",
        "xn--bcher-kva.test:65536",
        "::1",
        "::1:8080",
        "[::1",
        "[::1]:",
        "[::1]:65536",
        "[::1]8080",
        "[1.2.3.4]",
        "[::1::2]",
        "[fe80::1%eth0]",
    ],
)
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(InvalidAddressError):
        host_from(text)


@table(
    ("host", "named"),
    [
        ("a.test:80", True),
        ("a.test", True),
        ("a.test.evil.test:80", False),
        ("b.test:8080", True),
        ("b.test:80", False),
        ("b.test", False),
        ("[::1]:5000", True),
        ("[::2]:8080", True),
        ("[::2]", False),
        ("[::2]:80", False),
    ],
)
def test_a_host_that_is_named_without_a_port_is_meant_at_every_port(host: str, named: bool) -> None:
    assert is_named(host, frozenset({"a.test", "b.test:8080", "[::1]", "[::2]:8080"})) is named


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:s3cret@example.test/a?token=s3cret#s3cret", "https://example.test/a"),
        ("https://example.test:8443/" + "a" * 400, "https://example.test:8443/" + "a" * 274 + "…"),
        ("https://example.test:port/s3cret", "a URL that cannot be read"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert redacted(url) == shown


@table(
    ("reference", "url"),
    [
        ("SHA256SUMS", "https://example.test/v1/SHA256SUMS"),
        ("/releases/a.zip#part", "https://example.test/releases/a.zip"),
        ("//cdn.example.test/a.zip", "https://cdn.example.test/a.zip"),
        ("../../../a.zip", "https://example.test/a.zip"),
        ("http://plain.example.test/", "http://plain.example.test/"),
        ("?page=2", "https://example.test/v1/doc?page=2"),
    ],
)
def test_a_reference_is_resolved_against_where_the_document_came_from(reference: str, url: str) -> None:
    assert resolved("https://example.test/v1/doc", reference, stage=Stage.METADATA) == url


@pytest.mark.parametrize("reference", ["../" * 400_000, "https://example.test:port/", "a\x00b"])
def test_a_reference_that_is_too_long_or_no_url_is_a_bad_answer(reference: str) -> None:
    with pytest.raises(BadAnswerError) as caught:
        resolved("https://example.test/v1/doc", reference, stage=Stage.METADATA)
    assert (caught.value.code, caught.value.stage) == ("url-refused", Stage.METADATA)
    assert len(caught.value.message) < 200


@table("url", ["http://localhost:80/", "http://127.0.0.1/", "http://[::1]/", "https://[::2]/"])
def test_loopback_and_addresses_are_asked(url: str) -> None:
    assert first_url(url, stage=Stage.INDEX, insecure_hosts=frozenset()).host


def test_an_odd_spelling_of_the_loopback_address_is_no_excuse_for_plain_http() -> None:
    with pytest.raises(BadAnswerError, match="plain http"):
        first_url("http://127.1/", stage=Stage.INDEX, insecure_hosts=frozenset())


@pytest.mark.parametrize("named", ["[2001:db8::1]", "[2001:db8::1]:8080"])
def test_plain_http_to_an_ipv6_address_is_for_the_one_that_was_named(named: str) -> None:
    hosts = frozenset({named})
    assert first_url("http://[2001:db8:0::1]:8080/", stage=Stage.INDEX, insecure_hosts=hosts).port == 8080
    with pytest.raises(BadAnswerError, match="plain http"):
        first_url("http://[2001:db8::2]:8080/", stage=Stage.INDEX, insecure_hosts=hosts)


@table(
    ("base", "reference", "url"),
    [
        ("https://a.test//x//doc.json", "p.zip", "https://a.test//x//p.zip"),
        ("https://a.test//x//doc.json?v=1", "sub/p.zip?q=2", "https://a.test//x//sub/p.zip?q=2"),
        ("https://a.test/x/y/doc.json", "../p.zip", "https://a.test/x/p.zip"),
        ("https://a.test//x/doc.json", "/p//z.zip", "https://a.test/p//z.zip"),
        ("https://a.test//x/doc.json", "https://b.test//p.zip", "https://b.test//p.zip"),
        ("https://a.test//x/doc.json", "//b.test//p.zip", "https://b.test//p.zip"),
        ("https://a.test//x/doc.json", "", "https://a.test//x/doc.json"),
    ],
)
def test_empty_parts_of_a_path_stay_as_they_are_written(base: str, reference: str, url: str) -> None:
    assert resolved(base, reference, stage=Stage.ARCHIVES) == url
    if reference:
        target = redirect_url(httpx.URL(base), reference, stage=Stage.ARCHIVES, insecure_hosts=frozenset())
        assert str(target) == url


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("https://user:geheim@a.test/", "take it out of the URL"),
        ("http://a.test/", "plain http needs"),
        ("ftp://a.test/", "write an absolute https:// URL"),
    ],
)
def test_the_hint_fits_the_reason_for_which_a_url_is_refused(url: str, hint: str) -> None:
    with pytest.raises(BadAnswerError) as caught:
        first_url(url, stage=Stage.INDEX, insecure_hosts=frozenset())
    assert hint in caught.value.hint
    assert "geheim" not in f"{caught.value} {caught.value.hint}"


BASES = (
    "https://example.test/a/b",
    "https://example.test:8443/a//b/",
    "https://user:pass@example.test/a?b=c#d",
    "http://[::1]:8080/x",
    "https://example.test",
    "https://bücher.test/ü",
)
REFERENCES = (
    "/v1/providers/",
    "//other.test/a",
    "/a//b",
    "/a/../b",
    "/a/.",
    "/.hidden",
    "/a.b/c",
    "/%zz/%7e~",
    "/a;b/c;",
    "/a?b",
    "/a?",
    "/a#b",
    "/ü",
    "?q",
    "https://other.test",
    "https://other.test/a/../b",
    "https://other.test/a;x?y=z",
    "https://other.test/a?y=z&",
    "https://other.test/a?",
    "https://other.test/a#f",
    "HTTPS://Other.TEST:443/A b",
    "http://other.test/a",
    "https://u@other.test/a",
    "https://[::2]/a",
    "https:///a",
    "https:a",
    "ftp://other.test/a",
)


@table("base", BASES)
def test_what_is_joined_the_short_way_is_what_httpx_makes_of_it(base: str) -> None:
    """What begins anew at a root, or is whole; httpx resolves it as RFC 3986 has it."""
    start = httpx.URL(base)
    for reference in REFERENCES:
        assert outcome(partial(joined, start), reference) == outcome(start.join, reference)


def outcome(join: Callable[[str], httpx.URL], reference: str) -> str:
    try:
        return str(join(reference))
    except (httpx.InvalidURL, ValueError) as error:
        return type(error).__name__


@table("url", [*BASES, *REFERENCES])
def test_what_is_shown_is_the_url_without_what_may_be_secret(url: str) -> None:
    hidden = httpx.URL(url).copy_with(username=None, password=None, query=None, fragment=None)
    assert redacted(url) == redacted(httpx.URL(url)) == str(hidden)

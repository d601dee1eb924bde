"""URLs from outside: comparison form of hosts, resolution with limits, display without secrets."""

from __future__ import annotations

import httpx
import pytest

from lockwarden.core.errors import BadAnswerError, Stage
from lockwarden.core.http.urls import first_url, host_of, redacted, resolved


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.TEST/a", "example.test"),
        ("https://example.test:443/", "example.test"),
        ("https://example.test:8443/", "example.test:8443"),
        ("http://example.test/", "example.test:80"),
        ("https://bücher.test/", "xn--bcher-kva.test"),
        ("https://[::1]:8443/", "[::1]:8443"),
    ],
)
def test_a_host_in_comparison_form(url: str, host: str) -> None:
    assert host_of(httpx.URL(url)) == host


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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("url", ["http://localhost:80/", "http://127.0.0.1/", "http://[::1]/", "https://[::2]/"])
def test_loopback_and_addresses_are_asked(url: str) -> None:
    assert first_url(url, stage=Stage.INDEX, insecure_hosts=frozenset()).host


def test_an_odd_spelling_of_the_loopback_address_is_no_excuse_for_plain_http() -> None:
    with pytest.raises(BadAnswerError, match="plain http"):
        first_url("http://127.1/", stage=Stage.INDEX, insecure_hosts=frozenset())

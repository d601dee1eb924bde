"""Which redirects are followed, how many, and which of them secrets go along, without any server."""

from __future__ import annotations

import httpx
import pytest

from lockwarden.core.http.redirect_policy import check_count, headers_to_send, redirect_url, takes_secrets
from lockwarden.core.values.errors import NoAnswerError, Stage

HOSTS = frozenset({"registry.example.test", "registry.example.test:80", "localhost:80"})


def led(url: str, location: str) -> str:
    return str(redirect_url(httpx.URL(url), location, stage=Stage.VERSIONS, insecure_hosts=frozenset({"plain.test"})))


def test_a_redirect_is_followed_within_https_and_its_fragment_is_dropped() -> None:
    assert led("https://registry.example.test/a/b", "../c?x=1#part") == "https://registry.example.test/c?x=1"
    assert led("https://registry.example.test/", "https://cdn.example.test/") == "https://cdn.example.test/"
    assert led("http://plain.test/", "http://plain.test/b") == "http://plain.test/b"


@pytest.mark.parametrize(
    ("url", "location", "reason"),
    [
        ("https://registry.example.test/", "http://plain.test/", "from https to plain http"),
        ("https://registry.example.test/", "https://127.0.0.1/", "inside this machine"),
        ("https://registry.example.test/", "ftp://example.test/", "ftp"),
        ("https://registry.example.test/", "/" + "a" * 20_000, "the limit is"),
    ],
)
def test_a_redirect_that_leads_where_it_must_not_is_refused_with_the_reason(
    url: str, location: str, reason: str
) -> None:
    with pytest.raises(NoAnswerError, match=reason) as caught:
        led(url, location)
    assert caught.value.code == "redirect-refused"


def test_one_redirect_more_than_the_most_is_too_many() -> None:
    check_count(("https://a.test/",) * 2, 2, stage=Stage.VERSIONS)
    with pytest.raises(NoAnswerError, match="more than 2 redirects, the last one"):
        check_count(("https://a.test/", "https://a.test/", "https://b.test/"), 2, stage=Stage.VERSIONS)


@pytest.mark.parametrize(
    ("url", "plain", "so_far", "takes"),
    [
        ("https://registry.example.test/", False, True, True),
        ("https://other.example.test/", False, True, False),
        ("http://registry.example.test/", True, True, False),
        ("https://registry.example.test/", False, False, False),
    ],
)
def test_secrets_go_to_their_own_host_over_https_and_never_again_once_they_were_held_back(
    url: str, plain: bool, so_far: bool, takes: bool
) -> None:
    assert takes_secrets(httpx.URL(url), hosts=HOSTS, plain=plain, so_far=so_far) is takes


def test_secrets_go_over_plain_http_to_this_machine_where_that_is_allowed() -> None:
    here = httpx.URL("http://localhost/")
    assert takes_secrets(here, hosts=HOSTS, plain=True, so_far=True)
    assert not takes_secrets(here, hosts=HOSTS, plain=False, so_far=True)


def test_only_the_headers_that_hold_secrets_are_held_back() -> None:
    headers = {"Accept": "a", "authorization": "Bearer t", "Cookie": "c", "Proxy-Authorization": "p"}
    assert headers_to_send(headers, secrets=True) == headers
    assert headers_to_send(headers, secrets=False) == {"Accept": "a"}

"""Through which proxy a request goes: the patterns that httpx makes of the same variables."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
import pytest
from builders.tables import table

from lockwarden.core.http.proxies import proxy_routes, uses_a_proxy

PROXY = "http://proxy.example.test:3128"


def routes(proxies: Mapping[str, str]) -> dict[str, str | None]:
    return {pattern: None if proxy is None else str(proxy.url) for pattern, proxy in proxy_routes(proxies).items()}


@table(
    ("proxies", "expected"),
    [
        ({}, {}),
        (
            {"https": PROXY, "http": "other.example.test:80"},
            {"https://": PROXY, "http://": "http://other.example.test"},
        ),
        ({"all": PROXY}, {"all://": PROXY}),
        ({"https": ""}, {}),
        ({"ftp": PROXY, "travis_apt": PROXY}, {}),
        ({"https": PROXY, "no": "*"}, {}),
        ({"https": PROXY, "no": "a.test, *"}, {}),
        ({"https": PROXY, "no": " , "}, {"https://": PROXY}),
        ({"no": "a.test"}, {"all://*a.test": None}),
        ({"no": ".a.test"}, {"all://*.a.test": None}),
        ({"no": "LocalHost"}, {"all://LocalHost": None}),
        ({"no": "10.0.0.1,10.0.0.0/8"}, {"all://10.0.0.1": None, "all://10.0.0.0/8": None}),
        ({"no": "::1"}, {"all://[::1]": None}),
        ({"no": "https://a.test"}, {"https://a.test": None}),
    ],
    ids=str,
)
def test_which_urls_go_where(proxies: Mapping[str, str], expected: Mapping[str, str | None]) -> None:
    assert routes(proxies) == expected


@pytest.mark.parametrize("proxy", ["gopher://proxy.example.test", "http://[::1"])
def test_what_is_no_proxy_is_an_error(proxy: str) -> None:
    with pytest.raises((ValueError, httpx.InvalidURL)):
        proxy_routes({"https": proxy})


@table(("proxies", "uses"), [({}, False), ({"http": PROXY}, False), ({"https": PROXY}, True), ({"all": PROXY}, True)])
def test_only_proxies_for_https_stand_before_a_server(proxies: Mapping[str, str], uses: bool) -> None:
    assert uses_a_proxy(proxies) is uses

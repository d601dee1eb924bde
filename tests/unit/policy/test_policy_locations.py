"""A rule about a mirror speaks of the source that is that mirror, whoever wrote down where it is."""

from __future__ import annotations

from pathlib import Path

import httpx
from builders.tables import table

from lockwarden.core.values.mirror_locations import comparable_location, mirror_location


@table(
    "url",
    [
        "https://Mirror.Example.test:443/p/",
        "https://bücher.example.test/p/",
        "https://mirror.example.test/é/a%2fb/",
        "https://mirror.example.test/~a;b=('c')!*/",
        "https://mirror.example.test/{a}/",
        "https://mirror.example.test:8443/p/",
        "http://127.0.0.1:80/p/",
        "http://[::1]:80/p/",
        "https://[::1]:8443/p/",
    ],
)
def test_a_url_is_the_same_whether_or_not_it_went_through_the_library_for_urls(url: str) -> None:
    written = mirror_location(url, directory=Path("/"))
    assert comparable_location(written) == comparable_location(str(httpx.URL(url)))


def test_both_forms_of_a_template_are_the_same() -> None:
    cli_configuration = "oci://registry.example.test/${namespace}/${type}"
    option = "oci://registry.example.test/{namespace}/{type}"
    assert comparable_location(cli_configuration) == comparable_location(option) == option


@table(
    ("one", "other"),
    [
        ("https://m.example.test/p/", "http://m.example.test/p/"),
        ("https://m.example.test/p/", "https://m.example.test/P/"),
        ("https://m.example.test:80/p/", "https://m.example.test/p/"),
        ("http://m.example.test:8080/p/", "http://m.example.test/p/"),
        ("https://m.example.test/a%2fb/", "https://m.example.test/a/b/"),
        ("oci://r.example.test/${other}/x", "oci://r.example.test/{other}/x"),
        ("/srv/a", "/srv/b"),
        ("/srv/é", "/srv/%C3%A9"),
    ],
)
def test_different_places_stay_different(one: str, other: str) -> None:
    assert comparable_location(one) != comparable_location(other)

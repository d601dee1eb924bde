"""Patterns of provider addresses."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InvalidAddressError
from lockwarden.core.values.provider_patterns import ProviderPattern, selects

PLAIN = ProviderAddress.parse("example.test/acme/plain")


@table(
    ("pattern", "address", "matches"),
    [
        ("example.test/acme/plain", "example.test/acme/plain", True),
        ("Example.TEST:443/ACME/Plain", "example.test/acme/plain", True),
        ("example.test:8443/*/*", "example.test/acme/plain", False),
        ("example.test/acme/*", "example.test/acme/plain", True),
        ("example.test/acme/*", "example.test/other/plain", False),
        ("example.test/*/*", "example.test/acme/plain", True),
        ("*/*/*", "example.test/acme/plain", True),
        ("*/*", "example.test/acme/plain", False),
        ("*/*", "registry.opentofu.org/acme/plain", True),
        ("acme/plain", "registry.opentofu.org/acme/plain", True),
        ("acme/plain", "example.test/acme/plain", False),
        ("acme/terraform-x", "example.test/acme/plain", False),
        ("café.test/*/*", "CAFÉ.test/acme/plain", True),
        ("caf\u0065\u0301.test/straße/*", "café.test/straße/plain", True),
    ],
)
def test_a_pattern_matches_normalised_parts_and_whole_wildcards(pattern: str, address: str, matches: bool) -> None:
    assert ProviderPattern.parse(pattern).matches(ProviderAddress.parse(address)) is matches


@table(
    ("text", "reason"),
    [
        ("plain", "two or three parts"),
        ("a/b/c/d", "two or three parts"),
        ("", "two or three parts"),
        ("https://example.test/acme/plain", "two or three parts"),
        ("acme/pl*", "its type must be a name"),
        ("ac me/plain", "its namespace must be a name"),
        ("acme/", "its type must be a name without dots"),
        ("acme/a.b", "its type must be a name without dots"),
        ("a--b/c", "its namespace must be a name"),
        ("/acme/plain", "is not a hostname"),
        ("a b/acme/plain", "is not a hostname"),
        ("xn--caf-dma.test/acme/plain", "punycode"),
        ("*/acme/plain", "a host of * needs *"),
        ("*/*/plain", "a host of * needs *"),
        ("example.test/*/plain", "a namespace of * needs *"),
        ("*/plain", "a namespace of * needs *"),
        ("a/" + "b" * 2000, "too long"),
    ],
)
def test_what_is_no_pattern_is_named(text: str, reason: str) -> None:
    with pytest.raises(InvalidAddressError, match=reason.replace("*", r"\*")):
        ProviderPattern.parse(text)


def test_a_pattern_is_shown_as_it_was_written_and_compared_as_it_is_meant() -> None:
    assert str(ProviderPattern.parse("Acme/Plain")) == "Acme/Plain"
    assert ProviderPattern.parse("Acme/Plain") == ProviderPattern.parse("registry.opentofu.org/acme/plain")
    assert ProviderPattern.parse("acme/*", default_registry="registry.terraform.io") != ProviderPattern.parse("acme/*")


@table(
    ("include", "exclude", "selected"),
    [
        ([], [], True),
        (["*/*/*"], [], True),
        (["example.test/other/*"], [], False),
        (["example.test/other/*", "example.test/acme/*"], [], True),
        ([], ["example.test/acme/plain"], False),
        (["*/*/*"], ["example.test/*/*"], False),
        ([], ["*/*"], True),
    ],
)
def test_no_include_means_all_and_exclude_wins(include: list[str], exclude: list[str], selected: bool) -> None:
    patterns = [[ProviderPattern.parse(text) for text in texts] for texts in (include, exclude)]
    assert selects(PLAIN, include=patterns[0], exclude=patterns[1]) is selected

"""Exact versions. The expected forms and orders are those of the version library that the clients use."""

from __future__ import annotations

import itertools

import pytest
from builders.tables import table

from lockwarden.core.values.errors import InvalidVersionError
from lockwarden.core.values.versions import MAX_LENGTH, Version


@table(
    ("text", "expected"),
    [
        ("1", "1.0.0"),
        ("1.0", "1.0.0"),
        ("01.0.0", "1.0.0"),
        ("1.02.0", "1.2.0"),
        ("0.0.0", "0.0.0"),
        ("1.2.3", "1.2.3"),
        ("1.0.0-rc.1", "1.0.0-rc.1"),
        ("1-rc", "1.0.0-rc"),
        ("1.0.0-RC.1", "1.0.0-RC.1"),
        ("1.0.0+build.5", "1.0.0+build.5"),
        ("1.0.0-rc.1+build.5", "1.0.0-rc.1+build.5"),
        ("1.0.0-01", "1.0.0-01"),
        ("1.0.0-a..b", "1.0.0-a..b"),
        ("1.0.0--+-", "1.0.0--+-"),
        ("18446744073709551615.0.0", "18446744073709551615.0.0"),
        ("0000000000000000000000000000018446744073709551615", "18446744073709551615.0.0"),
    ],
)
def test_a_version_has_one_canonical_form(text: str, expected: str) -> None:
    assert str(Version.parse(text)) == expected


@table(
    "text",
    [
        "",
        " 1.0.0",
        "1.0.0 ",
        "1.0.0\n",
        "v1.0.0",
        "1.0.0.0",
        "1..0",
        "~> 1.0.0",
        "= 1.0.0",
        "1.x",
        "1.0.0-é",
        "1.0.0-a_b",
        "\u0661.0.0",
        "-1.0.0",
        "latest",
        "18446744073709551616.0.0",
        "1." + "9" * 500,
        "1" * (MAX_LENGTH + 1),
    ],
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(InvalidVersionError) as caught:
        Version.parse(text)
    assert caught.value.hint


ASCENDING = [
    "0.0.0",
    "0.9.10-rc",
    "0.9.10",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-01a",
    "1.0.0-A",
    "1.0.0-a",
    "1.0.0-rc",
    "1.0.0-1.1",
    "1.0.0-beta.1",
    "1.0.0-beta.01",
    "1.0.0-beta.1.0",
    "1.0.0",
    "1.0.1",
    "1.1.0-alpha",
    "2.0.0",
    "10.0.0",
]
"""A pre-release with fewer parts comes first whatever its parts say, and digits compare by their number first."""


@table(("lower", "higher"), itertools.combinations(ASCENDING, 2))
def test_versions_are_in_the_order_of_the_clients(lower: str, higher: str) -> None:
    one, other = Version.parse(lower), Version.parse(higher)
    assert one < other
    assert one <= other
    assert other > one
    assert other >= one


def test_metadata_makes_versions_different_but_not_ordered() -> None:
    one, other = Version.parse("1.0.0+a"), Version.parse("1.0.0+b")
    assert one != other
    assert not one < other
    assert not other < one
    assert one <= other <= one
    assert one >= other >= one


def test_the_sentinel_is_the_only_unspecified_version() -> None:
    assert Version.parse("0").unspecified
    assert not Version.parse("0.0.0-a").unspecified
    assert not Version.parse("0.0.1").unspecified

"""The WWW-Authenticate header, in all the ways in which registries write it."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.oci.challenges import MAX_CHALLENGES, MAX_LENGTH, challenges_in

BEARER = {"realm": "https://auth.test/token", "service": "r.test", "scope": "repository:a/b:pull"}


def told(header: str) -> list[tuple[str, dict[str, str]]]:
    return [(each.scheme, dict(each.parameters)) for each in challenges_in(header)]


@pytest.mark.parametrize(
    "header",
    [
        'Bearer realm="https://auth.test/token",service="r.test",scope="repository:a/b:pull"',
        'bearer Realm = "https://auth.test/token" , SERVICE="r.test", scope="repository:a/b:pull"',
        ' , BEARER  realm="https://auth.test/token",,service=r.test,scope="repository:a/b:pull", ',
    ],
)
def test_a_challenge_is_read_whatever_its_spelling(header: str) -> None:
    assert told(header) == [("bearer", BEARER)]


def test_several_challenges_in_one_header_are_told_apart() -> None:
    header = 'Basic realm="r, s", Bearer realm="https://auth.test/token",service="r.test", Negotiate, Basic realm=x'
    assert told(header) == [
        ("basic", {"realm": "r, s"}),
        ("bearer", {"realm": "https://auth.test/token", "service": "r.test"}),
        ("negotiate", {}),
        ("basic", {"realm": "x"}),
    ]


def test_a_scheme_with_one_opaque_value_has_no_parameters() -> None:
    assert told('Negotiate YWJj==, Basic realm="r"') == [("negotiate", {}), ("basic", {"realm": "r"})]


def test_commas_and_quotes_inside_of_a_value_belong_to_it() -> None:
    assert told(r'Bearer realm="https://a.test/?x=\"1\"",scope="repository:a:pull,push"') == [
        ("bearer", {"realm": 'https://a.test/?x="1"', "scope": "repository:a:pull,push"})
    ]


def test_of_a_parameter_that_comes_twice_the_first_counts() -> None:
    assert told('Bearer realm="https://a.test/",realm="https://b.test/"') == [("bearer", {"realm": "https://a.test/"})]


@table("header", ["", " , ", '"', "(", '="x"', "Bearer="])
def test_a_header_that_is_none_holds_no_challenge(header: str) -> None:
    assert told(header) == []


def test_what_came_before_something_unreadable_counts() -> None:
    assert told('Basic realm="r", Bearer realm="unclosed') == [("basic", {"realm": "r"}), ("bearer", {})]


def test_a_long_header_is_read_as_far_as_the_limits_go() -> None:
    assert len(challenges_in("Basic realm=x, " * 10_000)) == MAX_CHALLENGES
    assert told("Basic " + "x" * MAX_LENGTH * 4) == [("basic", {})]

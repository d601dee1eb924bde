"""Version constraints. The expected forms and answers are those of the clients' own library."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.values.constraints import MAX_LENGTH, Operator, Term, VersionConstraints
from lockwarden.core.values.errors import InvalidVersionError
from lockwarden.core.values.versions import Version


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("  ", ""),
        ("1.2", "1.2.0"),
        ("= 1.2.3", "1.2.3"),
        ("=1.2.3", "1.2.3"),
        ("~> 3", "~> 3.0"),
        ("~>1.0", "~> 1.0"),
        ("~> 1.2.3", "~> 1.2.3"),
        ("~> 1.2-beta", "~> 1.2-beta"),
        (">= 2.68, >= 2.68.0", ">= 2.68.0"),
        ("~> 1.2, >= 1.2, 1.2.4", ">= 1.2.0, ~> 1.2, 1.2.4"),
        ("< 2.0.0, >= 1.0.0", ">= 1.0.0, < 2.0.0"),
        (">= 1.0.0,", ">= 1.0.0"),
        (">= 1.0.0 ,< 2.0.0", ">= 1.0.0, < 2.0.0"),
        (
            "!= 1.0.0, < 1, <= 1.0, ~> 1.0, ~> 1.0.0, = 1, >= 1, > 1",
            "> 1.0.0, >= 1.0.0, 1.0.0, ~> 1.0.0, ~> 1.0, <= 1.0.0, < 1.0.0, != 1.0.0",
        ),
        ("1.0.0+b, 1.0.0+a, 1.0.0-rc", "1.0.0-rc, 1.0.0+a, 1.0.0+b"),
        (">= 1.0.0-beta1", ">= 1.0.0-beta1"),
    ],
)
def test_constraints_have_one_canonical_form(text: str, expected: str) -> None:
    assert str(VersionConstraints.parse(text)) == expected


@table(
    "text",
    [
        "abc",
        "1.*",
        "1.x",
        "*",
        "v1.0",
        "= v1.0",
        "1.0.0 || 2.0.0",
        "1.0.0 2.0.0",
        "1.0.0.0",
        "~> 1.2.3.4",
        "=> 1.0",
        "=< 1.0",
        "== 1.0",
        ">> 1.0",
        "^1.0",
        "~1.0",
        "!1.0",
        ">=  1.0",
        ">= 1.0,, < 2",
        ",",
        ">= 18446744073709551616",
        "> " + "9" * 5000,
        "1, " * MAX_LENGTH,
    ],
)
def test_what_is_no_constraint_is_refused(text: str) -> None:
    with pytest.raises(InvalidVersionError) as caught:
        VersionConstraints.parse(text)
    assert caught.value.hint


@table(
    ("constraints", "allowed", "refused"),
    [
        ("", ["0.0.1", "1.0.0+a"], ["0.0.0", "1.0.0-rc"]),
        ("1.2.0", ["1.2.0"], ["1.2.1", "1.2.0-rc", "1.2.0+a"]),
        ("1.2.0+a", ["1.2.0+a"], ["1.2.0"]),
        ("!= 1.2.0", ["1.2.1", "1.2.0+a"], ["1.2.0", "1.2.1-rc"]),
        ("> 1.2", ["1.2.1"], ["1.2.0", "1.2.0+a", "1.2.1-rc"]),
        (">= 1.2", ["1.2.0", "1.2.0+a", "2.0.0"], ["1.1.9", "1.3.0-rc"]),
        ("< 1.2", ["1.1.9"], ["1.2.0", "1.2.0-rc", "0.0.0"]),
        ("<= 1.2", ["1.2.0", "1.2.0+a"], ["1.2.1"]),
        ("~> 1.2", ["1.2.0", "1.9.9"], ["1.1.9", "2.0.0"]),
        ("~> 1", ["1.0.0", "1.9.9"], ["2.0.0", "0.9.0"]),
        ("~> 1.2.3", ["1.2.3", "1.2.9"], ["1.2.2", "1.3.0"]),
        ("1.2.0-rc", ["1.2.0-rc"], ["1.2.0", "1.2.0-rc.1"]),
        ("1.2.0-rc, >= 1.0.0", ["1.2.0-rc"], ["1.2.0"]),
        ("1.2.0-rc, < 1.0.0", [], ["1.2.0-rc"]),
        ("0.0.0", [], ["0.0.0"]),
        ("~> 18446744073709551615.0", [], ["18446744073709551615.1.0"]),
    ],
)
def test_constraints_allow_what_the_clients_would_select(
    constraints: str, allowed: list[str], refused: list[str]
) -> None:
    parsed = VersionConstraints.parse(constraints)
    assert [text for text in allowed if not parsed.allows(Version.parse(text))] == []
    assert [text for text in refused if parsed.allows(Version.parse(text))] == []


def test_a_term_is_written_without_sign_for_equality() -> None:
    assert str(Term(Operator.EQUAL, Version(1, 2, 3))) == "1.2.3"
    assert str(Term(Operator.NOT_EQUAL, Version(1, 2, 3))) == "!= 1.2.3"

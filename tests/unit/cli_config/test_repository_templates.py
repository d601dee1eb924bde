"""Repository templates of OCI mirrors, and addresses of repositories."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.cli_config.repositories import RepositoryAddressError, RepositoryPrefix
from lockwarden.core.cli_config.templates import TemplateProblem, parse_template
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.provider_patterns import ProviderPattern

PLAIN = ProviderAddress.parse("example.test/acme/plain")
ALL = "${hostname}/${namespace}/${type}"
ONE = [ProviderPattern.parse("example.test/acme/plain")]


@table(
    ("template", "expected"),
    [
        (f"r.test/{ALL}", "r.test example.test/acme/plain"),
        (f"R.Test:5000/p/{ALL}", "R.Test:5000 p/example.test/acme/plain"),
        ("r.test/${ hostname }-x/${\ttype}_${namespace}", "r.test example.test-x/plain_acme"),
        ("${hostname}/${namespace}/${type}", "example.test acme/plain"),
    ],
)
def test_a_template_makes_a_registry_and_a_repository(template: str, expected: str) -> None:
    found = parse_template(template, include=[]).expand(PLAIN)
    assert f"{found.domain} {found.path}" == expected


def test_what_the_patterns_fix_need_not_be_in_the_template() -> None:
    assert parse_template("r.test/x", include=ONE).expand(PLAIN).path == "x"
    wild = [*ONE, ProviderPattern.parse("example.test/*/*")]
    assert parse_template("r.test/x", include=wild).expand(PLAIN).path == "x"


@table(
    ("template", "include", "reason"),
    [
        ("r.test/${namespace}/${type}", [], r"refer to \$\{hostname\} unless “include” selects exactly one host"),
        ("r.test/${hostname}/${type}", [], r"refer to \$\{namespace\} unless"),
        ("r.test/${hostname}/${namespace}", [], r"refer to \$\{type\} unless"),
        ("r.test/x", ["example.test/acme/*"], r"refer to \$\{type\} unless"),
        ("r.test/x", ["example.test/acme/plain", "example.test/acme/ed"], r"refer to \$\{type\} unless"),
        ("r.test/$${hostname}/${namespace}/${type}", [], r"refer to \$\{hostname\}"),
        (f"r.test/{ALL}/${{version}}", [], "the symbol “version” is not available"),
        (f"r.test/{ALL}/${{version.x}}", [], "the symbol “version” is not available"),
        ("r.test/${upper(hostname)}/${namespace}/${type}", [], "functions such as “upper” may not be called"),
        (f"r.test/{ALL}/${{hostname", [], "begins with .* and never ends"),
        (f"r.test/{ALL}:1", [], "a tag or a digest cannot stand in it"),
        (f"https://r.test/{ALL}", [], "is not the path of a repository"),
        (f"r.test/Mirror/{ALL}", [], "is not the path of a repository"),
        (f"r test/{ALL}", [], "is not the domain of a registry"),
        ("x" * 5000, [], "more than 4096 characters"),
    ],
)
def test_a_template_that_the_clients_refuse_is_refused(template: str, include: list[str], reason: str) -> None:
    with pytest.raises(TemplateProblem, match=reason):
        parse_template(template, include=[ProviderPattern.parse(text) for text in include])


def test_patterns_that_cannot_be_read_leave_the_template_unchecked() -> None:
    assert parse_template("r.test/x", include=None).symbols == frozenset()


@table(
    "template",
    [
        'r.test/${hostname == "a" ? 1 : 2}/x',
        "r.test/%{ if true }x%{ endif }",
        "r.test/${~ hostname ~}",
        'r.test/${"x"}',
    ],
)
def test_a_template_with_other_expressions_is_named_and_never_guessed_at(template: str) -> None:
    found = parse_template(template, include=[])
    with pytest.raises(InputError, match="cannot be expanded: Lockwarden reads"):
        found.expand(PLAIN)


@pytest.mark.parametrize(
    ("template", "address", "reason"),
    [
        (f"r.test/{ALL}", "example.test:8443/acme/plain", "no address: a tag or a digest"),
        (f"r.test/{ALL}", "example.test/straße/plain", "is not the path of a repository"),
        ("r.test", "example.test/acme/plain", "names a registry and no repository"),
    ],
)
def test_an_address_that_cannot_be_mapped_is_named(template: str, address: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_template(template, include=ONE).expand(ProviderAddress.parse(address))


def test_escapes_and_lone_signs_are_text() -> None:
    assert parse_template("a$b%c%%{d$${e", include=None).pieces == ("a", "$", "b", "%", "c", "%{", "d", "${", "e")


@table(
    ("text", "domain", "path"),
    [
        ("r.test", "r.test", ""),
        ("r.test:5000", "r.test:5000", ""),
        ("[::1]:5000/a", "[::1]:5000", "a"),
        ("r.test/a/b.c/d_e/f__g/h---i", "r.test", "a/b.c/d_e/f__g/h---i"),
        ("r.test/a:", "r.test", "a"),
    ],
)
def test_a_prefix_is_a_domain_and_segments(text: str, domain: str, path: str) -> None:
    assert RepositoryPrefix.parse(text) == RepositoryPrefix(domain, path)


@table(
    "text",
    [
        "",
        "/",
        "r.test/",
        "r.test/A",
        "r.test/a//b",
        "r.test/a___b",
        "r.test/a:1",
        "r.test/a@sha256:0",
        "r.test/a:1@",
        "https://r.test",
        "u:hidden@r.test",
        "https://u:hidden@r.test/a",
        "r.test/" + "a" * 2000,
        "r.test/" + "-" * 900,
    ],
)
def test_what_is_no_prefix_is_refused_and_no_password_is_repeated(text: str) -> None:
    with pytest.raises(RepositoryAddressError) as caught:
        RepositoryPrefix.parse(text)
    assert "hidden" not in caught.value.message


@table(
    ("prefix", "segments"),
    [
        ("r.test", 0),
        ("r.test/team", 1),
        ("r.test/team/x/plain", 3),
        ("r.test/team/x/plain/more", None),
        ("r.test/team/x/pl", None),
        ("r.test/x", None),
        ("R.test", None),
        ("r.test:443", None),
    ],
)
def test_a_prefix_matches_the_same_domain_and_whole_segments(prefix: str, segments: int | None) -> None:
    assert RepositoryPrefix.parse(prefix).matched_segments("r.test", "team/x/plain") == segments

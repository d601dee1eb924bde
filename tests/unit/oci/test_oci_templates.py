"""Templates that lead from a provider to its repository."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from builders.tables import table

from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.oci_templates import MAX_LENGTH, UriTemplate, fitting, registry_of, repository_of

PLAIN = ProviderAddress.parse("example.test/acme/plain")


@table(
    ("template", "repository"),
    [
        ("r.test/{hostname}/{namespace}/{type}", "r.test/example.test/acme/plain"),
        ("oci://r.test/{namespace}/{type}", "r.test/acme/plain"),
        ("r.test:5000/x-{type}", "r.test:5000/x-plain"),
        ("r.test/{type}{other}", "r.test/plain"),
        ("{hostname}/{namespace}/{type}", "example.test/acme/plain"),
        ("r.test/fixed", "r.test/fixed"),
    ],
)
def test_a_uri_template_leads_to_a_repository(template: str, repository: str) -> None:
    assert str(UriTemplate.parse(template).expand(PLAIN)) == repository


@table(
    "template",
    [
        "",
        "r.test",
        "https://r.test/{type}",
        "r.test/{type}:1",
        "r.test/Upper/{type}",
        "r.test/{+type}",
        "r.test/${namespace}/${type}",
        "r.test/{other}",
        "r.test/" + "a" * MAX_LENGTH,
    ],
)
def test_a_template_that_leads_nowhere_is_refused(template: str) -> None:
    with pytest.raises(InputError, match="template") as caught:
        UriTemplate.parse(template)
    assert "hostname" in caught.value.hint


def test_the_form_of_the_cli_configuration_is_named_as_what_it_is() -> None:
    with pytest.raises(InputError) as caught:
        UriTemplate.parse("r.test/${namespace}/${type}")
    assert "CLI configuration" in caught.value.hint


@table(
    ("text", "said", "hint"),
    [
        (
            "r.test/{namespace}/{type}:",
            "ends in a colon with nothing behind it",
            "write oci://r.test/{namespace}/{type};",
        ),
        ("r.test:", "ends in a colon with nothing behind it", "write oci://r.test;"),
        ("r.test:/{type}", "“r.test:” is not a registry's host", "write REGISTRY/PATH"),
        ("r.test/{type}:latest", "“{type}:latest” is not a repository's path", "write REGISTRY/PATH"),
    ],
)
def test_what_leads_to_no_repository_is_told_in_the_templates_own_words(text: str, said: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        UriTemplate.parse(f"oci://{text}")
    assert said in caught.value.message
    assert "0probe" not in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize("address", ["example.test/grün/plain", "example.test/acme/größe"])
def test_a_provider_with_other_letters_has_no_repository(address: str) -> None:
    template = UriTemplate.parse("r.test/{namespace}/{type}")
    with pytest.raises(InputError, match="not a repository's path"):
        repository_of(template, ProviderAddress.parse(address))


def test_a_host_with_a_port_has_no_repository() -> None:
    with pytest.raises(InputError):
        repository_of(UriTemplate.parse("r.test/{hostname}"), ProviderAddress.parse("example.test:8443/acme/plain"))


@pytest.mark.parametrize(
    ("template", "registry"),
    [("r.test:5000/{type}", "r.test:5000"), ("{hostname}/{type}", None), ("a.{hostname}/x", None)],
)
def test_the_registry_is_known_where_it_is_one_for_all(template: str, registry: str | None) -> None:
    assert registry_of(UriTemplate.parse(template)) == registry


def test_repositories_fit_by_their_names() -> None:
    names = UriTemplate.parse("r.test/mirror/{namespace}/{type}")
    paths = ("mirror/acme/plain", "mirror/acme", "mirror/acme/plain/x", "other/acme/plain", "mirror.acme/plain")
    assert fitting(names, paths) == ("mirror/acme/plain",)


def test_a_symbol_that_comes_twice_stands_for_the_same_twice() -> None:
    names = UriTemplate.parse("r.test/{type}/{namespace}-{type}")
    assert fitting(names, ("plain/acme-plain", "plain/acme-other")) == ("plain/acme-plain",)


@pytest.mark.parametrize("template", ["{hostname}-{namespace}-{type}", "{namespace}-{type}/{type}-{namespace}"])
def test_names_that_are_made_to_be_compared_for_ever_are_not(template: str) -> None:
    """A registry chooses the names in its list, and every hyphen in one may be that of the template."""
    names = UriTemplate.parse(f"r.test/{template}")
    long = "a-" * 2_000
    fits = template.format(hostname="h.test", namespace="n", type="t")
    assert fitting(names, (f"{long}/", f"{long}a/{long}b", fits)) == (fits,)


def test_symbols_share_what_stands_between_two_texts() -> None:
    names = UriTemplate.parse("r.test/x/{namespace}-{type}.p")
    paths = ("x/a-b.p", "x/a-b-c.p", "x/a.p-b.p", "x/-b.p", "x/a-.p", "x/a-b", "x/a/b-c.p", "x/a-b/c.p", "x/ab.p")
    assert fitting(names, paths) == ("x/a-b.p", "x/a-b-c.p", "x/a.p-b.p")


@dataclass(frozen=True)
class Other:
    """Names that somebody else makes."""

    text: str = "made elsewhere"
    fails: bool = False

    def expand(self, address: ProviderAddress) -> OciRepository:
        if self.fails:
            raise InputError("it cannot be expanded")
        return OciRepository("r.test", f"{address.namespace}/{address.type}:latest")


def test_names_of_others_are_held_against_the_grammar() -> None:
    with pytest.raises(InputError):
        repository_of(Other(), PLAIN)


def test_names_that_cannot_be_expanded_lead_to_no_registry_and_fit_nothing() -> None:
    with pytest.raises(InputError):
        registry_of(Other(fails=True))
    with pytest.raises(InputError):
        fitting(Other(fails=True), ("a/b",))

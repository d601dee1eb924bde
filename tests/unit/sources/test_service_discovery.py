"""Where a host's provider registry is, and which URLs are followed."""

from __future__ import annotations

from typing import Any

import pytest
from builders.tables import table

from lockwarden.core.sources.protocols.discovery import configured_service, discovery_url, providers_service
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import BadAnswerError, NotThereError, SourceError, Stage

HOST = Hostname.parse("registry.example.test")
BASE = "https://registry.example.test/.well-known/terraform.json"


def test_the_document_is_asked_for_by_the_punycode_name() -> None:
    assert discovery_url(Hostname.parse("bücher.example.test:8443")) == (
        "https://xn--bcher-kva.example.test:8443/.well-known/terraform.json"
    )


@table(
    ("value", "expected"),
    [
        ("/v1/providers/", "https://registry.example.test/v1/providers/"),
        ("providers/", "https://registry.example.test/.well-known/providers/"),
        ("https://other.example.test/p/#part", "https://other.example.test/p/"),
        ("//other.example.test/p/", "https://other.example.test/p/"),
    ],
)
def test_the_url_of_a_service_is_relative_to_the_document(value: str, expected: str) -> None:
    assert providers_service({"providers.v1": value, "modules.v1": 7}, base=BASE, host=HOST) == expected


def test_only_a_registry_on_this_machine_may_lead_to_this_machine() -> None:
    service = "http://localhost:8080/p/"
    with pytest.raises(BadAnswerError, match="inside this machine"):
        providers_service({"providers.v1": service}, base=BASE, host=HOST)
    assert providers_service({"providers.v1": service}, base="https://localhost/", host=HOST) == service


@table(
    ("services", "error", "message"),
    [
        ({}, NotThereError, "does not offer a provider registry"),
        ({"modules.v1": "/m/"}, NotThereError, "does not offer a provider registry"),
        ({"providers.v2": "/v2/", "providers.v3": "/"}, BadAnswerError, "only as providers.v2, providers.v3"),
        ({"providers.v1": None}, BadAnswerError, "cannot be used: it is null"),
        ({"providers.v1": None, "providers.v2": "/v2/"}, BadAnswerError, "cannot be used: it is null"),
        ({"providers.v1": {}}, BadAnswerError, "not a text"),
        ({"providers.v1": ""}, BadAnswerError, "empty"),
        ({"providers.v1": "/" + "x" * 20_000}, BadAnswerError, "20001 characters"),
        ({"providers.v1": "https://[::1"}, BadAnswerError, "no URL"),
    ],
)
def test_a_host_without_a_usable_registry_is_told(
    services: dict[str, Any], error: type[SourceError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        providers_service(services, base=BASE, host=HOST)
    assert caught.value.stage is Stage.DISCOVERY


@table(
    ("value", "expected"),
    [
        ("http://localhost:8080/p/#part", "http://localhost:8080/p/"),
        ("https://127.0.0.1/p/", "https://127.0.0.1/p/"),
        ("https://169.254.7.7/p/", "https://169.254.7.7/p/"),
        ("https://10.0.0.7/p/", "https://10.0.0.7/p/"),
        ("providers/", "https://registry.example.test/.well-known/providers/"),
    ],
)
def test_what_the_operators_own_block_names_is_the_operators_word(value: str, expected: str) -> None:
    assert configured_service({"providers.v1": value}, HOST) == expected


@table(
    "services",
    [{}, {"modules.v1": "/m/"}, {"providers.v1": None}, {"providers.v1": ""}, {"providers.v1": "https://[::1"}],
)
def test_a_block_without_a_usable_registry_is_told_as_the_operators_and_shows_nothing_absent(
    services: dict[str, str | None],
) -> None:
    with pytest.raises(BadAnswerError, match=r"the host block for registry\.example\.test") as caught:
        configured_service(services, HOST)
    assert caught.value.code == "host-block-unusable"
    assert "host itself is asked" in caught.value.hint

"""Answers that lead on: a registry's lists and locations, and pages with a `terraform-get` element."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.modules.indirection import (
    Location,
    address_in_page,
    is_relative,
    led_to,
    listed_versions,
    location_in,
)
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.go_json import BodyError


def test_only_the_first_module_of_a_list_counts() -> None:
    body = b'{"modules": [{"versions": [{"version": "1.0.0"}, {"version": "v2"}]}, {"versions": [{"version": "9"}]}]}'
    assert listed_versions(body) == ("1.0.0", "v2")
    for wrong in (b'{"modules": []}', b"<html>", b"[]"):
        with pytest.raises(BodyError):
            listed_versions(wrong)


@table(
    ("body", "header", "wanted"),
    [
        (b"", "x", Location(address="x")),
        (b" \n", "", Location(address="")),
        (b"{}", "x", Location(address="x")),
        (b'{"location": "y"}', "x", Location(address="y")),
        (b'{"location": "y", "use_registry_credentials": null}', "", Location(address="y")),
        (b'{"location": "y", "use_registry_credentials": false}', "", Location(address="y", direct=True)),
        (
            b'{"location": "y", "use_registry_credentials": true}',
            "",
            Location(address="y", direct=True, with_credentials=True),
        ),
    ],
)
def test_a_location_stands_in_the_body_or_in_the_header(body: bytes, header: str, wanted: Location) -> None:
    assert location_in(body, header) == wanted


def test_a_location_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(BodyError):
        location_in(b"<html>", "x")


def test_what_goes_by_the_url_that_was_asked() -> None:
    assert [is_relative(each) for each in ("/a", "./a", "../a", "a", "https://a")] == [True] * 3 + [False] * 2


def test_what_was_led_to_has_the_sub_directory_of_the_call() -> None:
    assert led_to("git::https://example.test/v.git//a?ref=v1", "b/c").subdirectory == "a/b/c"
    assert led_to("git::https://example.test/v.git?ref=v1", "b").subdirectory == "b"
    assert led_to("git::https://example.test/v.git//a", "").subdirectory == "a"
    for wrong in ("./a", "acme/vpc/aws", "", "nothing"):
        with pytest.raises(ModuleSourceError):
            led_to(wrong, "")


@table(
    ("page", "wanted"),
    [
        (b'<html><head><meta name="terraform-get" content="x"></head></html>', "x"),
        (b'<META content="a&amp;b" NAME="terraform-get"/><meta name="terraform-get" content="y">', "a&b"),
        (b'<meta name="terraform-get"><meta name="terraform-get" content="y">', "y"),
        (b'<meta name="terraform-get" content="x" content="y">', "x"),
        (b'<meta name="tofu-get" content="x">', ""),
        (b'<head></head><meta name="terraform-get" content="x">', ""),
        (b'<body><meta name="terraform-get" content="x">', ""),
        (b"\xff{}", ""),
    ],
)
def test_a_page_leads_on_by_an_element_of_its_head(page: bytes, wanted: str) -> None:
    assert address_in_page(page) == wanted

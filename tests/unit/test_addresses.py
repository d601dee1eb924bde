"""Provider addresses and hostnames. The expected forms are those of OpenTofu's own address and hostname libraries."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.values.addresses import MAX_LENGTH, Hostname, ProviderAddress
from lockwarden.core.values.errors import InvalidAddressError


@table(
    ("text", "ascii_form", "display"),
    [
        ("example.test", "example.test", "example.test"),
        ("Example.TEST", "example.test", "example.test"),
        ("example.test:443", "example.test", "example.test"),
        ("example.test:0443", "example.test", "example.test"),
        ("example.test:08443", "example.test:8443", "example.test:8443"),
        ("example.test:65535", "example.test:65535", "example.test:65535"),
        ("bücher.example.test", "xn--bcher-kva.example.test", "bücher.example.test"),
        ("BÜCHER.example.test", "xn--bcher-kva.example.test", "bücher.example.test"),
        ("bu\u0308cher.example.test:8443", "xn--bcher-kva.example.test:8443", "bücher.example.test:8443"),
        ("straße.test", "xn--strae-oqa.test", "straße.test"),
        ("\u1e9e.test", "ss.test", "ss.test"),
        ("registry.\u043epentofu.org", "registry.xn--pentofu-8ig.org", "registry.\u043epentofu.org"),
        ("a.", "a.", "a."),
        ("a--b.test", "a--b.test", "a--b.test"),
        ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost", "localhost"),
        ("\ufb00.test", "ff.test", "ff.test"),
        ("\u0915\u094d\u200d\u0937.test", "xn--11b2ezcw70k.test", "\u0915\u094d\u200d\u0937.test"),
        ("\u05d0\u05d1.test", "xn--4dbc.test", "\u05d0\u05d1.test"),
        ("\u05d01.test", "xn--1-zhc.test", "\u05d01.test"),
        ("☃.test", "xn--n3h.test", "☃.test"),
        ("例え\u3002テスト", "xn--r8jz45g.xn--zckzah", "例え.テスト"),
        ("a\u00adb.test", "ab.test", "ab.test"),
        ("\uff11.test", "1.test", "1.test"),
    ],
)
def test_a_hostname_has_a_form_to_compare_and_a_form_to_show(text: str, ascii_form: str, display: str) -> None:
    hostname = Hostname.parse(text)
    assert (hostname.ascii, hostname.display, str(hostname)) == (ascii_form, display, display)


@table(
    "text",
    [
        "",
        ".",
        ".a",
        "a..b",
        ":8443",
        "example.test:65536",
        "example.test:99999999999999999999",
        "example.test:",
        "example.test:x",
        "example.test:+1",
        "example.test:\u0661",
        "a:1:2",
        "[::1]",
        "xn--bcher-kva.test",
        "XN--BCHER-KVA.test",
        "a_b.test",
        "a b.test",
        "a/b",
        "-a.test",
        "a-.test",
        "ab--c.test",
        "a\u200db.test",
        "\U00013460\u200d.test",
        "\u05d0a.test",
        "1\u05d0.test",
        "\u0301a.test",
        "\u2260.test",
        "\u00ad",
        "a\u00ad\u3002\u3002b",
        "\ud800.test",
        "ä" * 257,
        "a" * (MAX_LENGTH + 1),
    ],
)
def test_what_is_no_hostname_is_refused(text: str) -> None:
    with pytest.raises(InvalidAddressError) as caught:
        Hostname.parse(text)
    assert caught.value.hint


@pytest.mark.parametrize("text", ["https://example.test", "HTTP://example.test/x"])
def test_a_url_is_refused_as_a_url(text: str) -> None:
    with pytest.raises(InvalidAddressError, match="full URL"):
        Hostname.parse(text)


def test_hostnames_are_equal_when_their_comparison_forms_are() -> None:
    assert Hostname.parse("BÜCHER.test:0443") == Hostname.parse("bücher.test")
    assert hash(Hostname.parse("BÜCHER.test:0443")) == hash(Hostname.parse("bücher.test"))
    assert Hostname.parse("registry.opentofu.org") != Hostname.parse("registry.\u043epentofu.org")


def test_only_a_name_beyond_ascii_has_two_forms_to_show() -> None:
    assert Hostname.parse("bücher.test").international
    assert not Hostname.parse("example.test:8443").international


@table(
    ("text", "expected"),
    [
        ("aws", "registry.opentofu.org/hashicorp/aws"),
        ("AWS", "registry.opentofu.org/hashicorp/aws"),
        ("HashiCorp/AWS", "registry.opentofu.org/hashicorp/aws"),
        ("Example.test/Acme/Widget", "example.test/acme/widget"),
        ("example.test:08443/acme/a", "example.test:8443/acme/a"),
        ("büro/x", "registry.opentofu.org/büro/x"),
        ("ß/x", "registry.opentofu.org/ß/x"),
        ("☃/x", "registry.opentofu.org/☃/x"),
        ("1/2", "registry.opentofu.org/1/2"),
    ],
)
def test_an_address_has_one_canonical_form(text: str, expected: str) -> None:
    address = ProviderAddress.parse(text)
    assert str(address) == expected
    assert ProviderAddress.parse(expected) == address


@table(
    "text",
    [
        "",
        "/",
        "a/b/c/d",
        "a//b",
        "a/b/",
        "a_b/c",
        "a--b/c",
        "-a/c",
        "a/c-",
        "a.b/c",
        "a/b.c",
        "a/b\u3002c",
        "a/b-\u00ad-c",
        "a/\u00ad",
        " a/b",
        "?/x",
        "example.test/-/aws",
        "https://example.test/acme/widget",
        "a/" + "b" * MAX_LENGTH,
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidAddressError) as caught:
        ProviderAddress.parse(text)
    assert caught.value.hint


@table("prefix", ["terraform-", "opentofu-", "terraform-provider-", "opentofu-provider-"])
def test_a_redundant_prefix_is_refused_except_in_the_one_part_form(prefix: str) -> None:
    with pytest.raises(InvalidAddressError, match="must not start with"):
        ProviderAddress.parse(f"acme/{prefix}widget")
    assert ProviderAddress.parse(f"{prefix}widget").type == f"{prefix}widget"


def test_the_hint_about_a_redundant_prefix_names_the_bare_type() -> None:
    with pytest.raises(InvalidAddressError) as caught:
        ProviderAddress.parse("acme/terraform-provider-widget")
    assert "widget" in caught.value.hint.split()


def test_the_default_registry_is_the_clients() -> None:
    address = ProviderAddress.parse("aws", default_registry="registry.terraform.io")
    assert str(address) == "registry.terraform.io/hashicorp/aws"


def test_only_the_registry_of_opentofu_is_left_out_of_the_short_form() -> None:
    assert ProviderAddress.parse("acme/widget").short == "acme/widget"
    assert ProviderAddress.parse("registry.terraform.io/acme/widget").short == "registry.terraform.io/acme/widget"
    assert ProviderAddress.parse("registry.opentofu.org:8443/a/b").short == "registry.opentofu.org:8443/a/b"


@table(
    ("text", "builtin", "legacy"),
    [
        ("terraform.io/builtin/terraform", True, False),
        ("opentofu.org/builtin/terraform", True, False),
        ("example.test/builtin/terraform", False, False),
        ("registry.opentofu.org/-/aws", False, True),
        ("-/aws", False, True),
        ("acme/widget", False, False),
    ],
)
def test_what_is_built_in_or_legacy(text: str, *, builtin: bool, legacy: bool) -> None:
    address = ProviderAddress.parse(text)
    assert (address.builtin, address.legacy) == (builtin, legacy)


def test_addresses_sort_by_the_punycode_of_their_host() -> None:
    texts = ["zzz.test/a/a", "bücher.test/a/a", "example.test/b/a", "example.test/a/b", "example.test:8443/a/a"]
    ordered = sorted(map(ProviderAddress.parse, texts), key=lambda address: address.sort_key)
    assert list(map(str, ordered)) == [
        "example.test/a/b",
        "example.test/b/a",
        "example.test:8443/a/a",
        "bücher.test/a/a",
        "zzz.test/a/a",
    ]


def test_equal_addresses_are_one_key() -> None:
    assert len({ProviderAddress.parse("acme/widget"), ProviderAddress.parse("Registry.OpenTofu.org/ACME/Widget")}) == 1

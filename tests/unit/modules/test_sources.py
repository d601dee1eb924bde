"""How addresses are taken apart: values that the clients' own tests have (go-getter 1.8.6, OpenTofu)."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.modules.detectors import whole_address
from lockwarden.core.modules.oci_sources import oci_source
from lockwarden.core.modules.sources import LocalSource, RegistryModuleSource, RemoteSource, parse_module_source
from lockwarden.core.values.clients import TERRAFORM_REGISTRY
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.go_addresses import read_url, split_subdirectory

SHA = "ab" * 32


@table(
    ("text", "whole"),
    [
        ("github.com/hashicorp/foo", "git::https://github.com/hashicorp/foo.git"),
        ("github.com/hashicorp/foo.git", "git::https://github.com/hashicorp/foo.git"),
        ("github.com/hashicorp/foo/bar", "git::https://github.com/hashicorp/foo.git//bar"),
        ("github.com/hashicorp/foo/bar//baz", "git::https://github.com/hashicorp/foo.git//bar/baz"),
        ("github.com/hashicorp/foo?foo=bar", "git::https://github.com/hashicorp/foo.git?foo=bar"),
        ("hg::github.com/hashicorp/foo", "hg::https://github.com/hashicorp/foo.git"),
        ("git@github.com:hashicorp/foo.git", "git::ssh://git@github.com/hashicorp/foo.git"),
        ("git@github.com:hashicorp/foo.git//bar", "git::ssh://git@github.com/hashicorp/foo.git//bar"),
        ("git@github.com:hashicorp/foo.git?foo=bar", "git::ssh://git@github.com/hashicorp/foo.git?foo=bar"),
        ("www.googleapis.com/storage/v1/bucket/foo", "gcs::https://www.googleapis.com/storage/v1/bucket/foo"),
        ("s3.amazonaws.com/bucket/foo", "s3::https://s3.amazonaws.com/bucket/foo"),
        ("bucket.s3-eu-west-1.amazonaws.com/foo", "s3::https://s3-eu-west-1.amazonaws.com/bucket/foo"),
        ("bucket.s3.eu-west-1.amazonaws.com/foo", "s3::https://s3.eu-west-1.amazonaws.com/bucket/foo"),
        ("/foo/bar", "file:///foo/bar"),
        ("https://example.test/a//b?c=d", "https://example.test/a//b?c=d"),
    ],
)
def test_short_forms_stand_for_whole_addresses(text: str, whole: str) -> None:
    assert whole_address(text) == whole


@table(
    ("text", "address", "below"),
    [
        ("hashicorp.com", "hashicorp.com", ""),
        ("hashicorp.com//foo", "hashicorp.com", "foo"),
        ("hashicorp.com//foo?bar=baz", "hashicorp.com?bar=baz", "foo"),
        ("https://hashicorp.com/path//*?archive=foo", "https://hashicorp.com/path?archive=foo", "*"),
        (
            "https://hashicorp.com/path?checksum=file:http://x//y",
            "https://hashicorp.com/path?checksum=file:http://x//y",
            "",
        ),
        ("file://foo//bar", "file://foo", "bar"),
        ("https://hashicorp.com//", "https://hashicorp.com", ""),
        ("a//b/../../c", "a", "../c"),
        ("a///b", "a", "/b"),
    ],
)
def test_the_sub_directory_begins_at_two_slashes(text: str, address: str, below: str) -> None:
    assert split_subdirectory(text) == (address, below)


def test_a_source_has_its_parts() -> None:
    assert parse_module_source("./a//b/../c/") == LocalSource("./a/c")
    assert parse_module_source("..\\a") == LocalSource("../a")
    found = parse_module_source("EXAMPLE.test:443/Acme/vpc/aws//x/./y")
    assert isinstance(found, RegistryModuleSource)
    assert str(found) == "example.test/Acme/vpc/aws//x/y"
    assert (
        str(parse_module_source("acme/vpc/aws", default_registry=TERRAFORM_REGISTRY))
        == "registry.terraform.io/acme/vpc/aws"
    )
    remote = parse_module_source("bitbucket.org/acme/vpc//child?ref=v1")
    assert isinstance(remote, RemoteSource)
    assert (remote.url.host, remote.url.path, remote.subdirectory, remote.asks_bitbucket) == (
        "bitbucket.org",
        "/acme/vpc",
        "child",
        True,
    )


def test_a_detector_puts_its_sub_directory_before_the_given_one() -> None:
    found = parse_module_source("github.com/acme/vpc/a//b")
    assert isinstance(found, RemoteSource)
    assert found.subdirectory == "a/b"
    with pytest.raises(ModuleSourceError, match="leads outside"):
        parse_module_source("github.com/acme/vpc/..//b")


def oci(text: str) -> str:
    found = parse_module_source(text)
    assert isinstance(found, RemoteSource)
    source = oci_source(found)
    assert str(source).endswith(f"={source.reference}")
    return str(source)


def test_a_source_in_an_oci_registry_is_a_tag_or_a_digest() -> None:
    assert oci("oci://example.test/mods/vpc") == "oci://example.test/mods/vpc?tag=latest"
    assert oci("oci://example.test/mods/vpc//child?tag=a") == "oci://example.test/mods/vpc//child?tag=a"
    assert oci(f"oci://a.test:5000/vpc?digest=sha256:{SHA}") == f"oci://a.test:5000/vpc?digest=sha256:{SHA}"


@table(
    ("text", "says", "hint"),
    [
        ("?tag=a&tag=b", "too many “tag” arguments", ""),
        ("?x=1&y=2", "unsupported arguments “x”, “y”", "“tag” or “digest”"),
        ("?ref=main", "unsupported argument “ref”", "“tag” or “digest”"),
        (f"?tag=a&digest=sha256:{SHA}", "cannot set both “tag” and “digest” arguments", "digest alone"),
        ("?digest=md5:12", "invalid digest: unsupported digest algorithm “md5”", ""),
        (":1.2.0", "invalid reference: invalid repository “vpc:1.2.0”", "write …/vpc?tag=1.2.0"),
        (f"@sha256:{SHA}", "invalid reference: invalid repository", f"write …/vpc?digest=sha256:{SHA}"),
        ("/Upper", "invalid reference: invalid repository “vpc/Upper”", "lower-case"),
    ],
)
def test_a_refusal_of_an_oci_source_says_what_to_write(text: str, says: str, hint: str) -> None:
    with pytest.raises(ModuleSourceError) as caught:
        oci(f"oci://example.test/vpc{text}")
    assert caught.value.message.startswith(says)
    assert hint in caught.value.hint


@table(
    ("text", "host"),
    [
        ("https://[::1]:8443/x", "[::1]:8443"),
        ("https://exämple.test/x", "exämple.test"),
        ("https://a@b@c.test/x", "c.test"),
        ("a/b", ""),
        ("X:y", ""),
        ("///a", ""),
    ],
)
def test_what_go_reads_as_a_url(text: str, host: str) -> None:
    url = read_url(text)
    assert url is not None
    assert url.host == host


def test_what_is_no_utf_8_stays() -> None:
    url = read_url("https://example.test/%ff?a=%fe")
    assert url is not None
    assert (url.path, url.first("a"), url.first("b")) == ("/\udcff", "\udcfe", "")

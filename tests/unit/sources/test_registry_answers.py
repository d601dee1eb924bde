"""How the answers of an origin registry are read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders.tables import table

from lockwarden.core.sources.protocols.registry_documents import (
    MAX_KEYS,
    MAX_PLATFORMS,
    MAX_TEXT,
    read_package_metadata,
    read_services,
    read_versions,
)
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

LINUX = Platform("linux", "amd64")
DARWIN = Platform("darwin", "arm64")
ZH = f"zh:{'ab' * 32}"
H1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
METADATA: dict[str, Any] = {
    "protocols": ["5.0"],
    "os": "linux",
    "arch": "amd64",
    "filename": "terraform-provider-widget_1.0.0_linux_amd64.zip",
    "download_url": "https://dl.example.test/widget.zip",
    "shasum": "ab" * 32,
    "shasums_url": "SHA256SUMS",
    "shasums_signature_url": "SHA256SUMS.sig",
    "signing_keys": {"gpg_public_keys": [{"key_id": "0123456789ABCDEF", "ascii_armor": "ARMOR"}]},
}


def metadata(**changes: Any) -> bytes:
    return json.dumps(METADATA | changes).encode()


def test_services_keep_the_case_of_their_names() -> None:
    assert read_services(b'{"providers.v1": "/v1/", "Providers.V1": 7}') == {"providers.v1": "/v1/", "Providers.V1": 7}


@table("body", [b"[]", b'"x"', b"", b"<html></html>", b"{"])
def test_a_discovery_document_that_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(BodyError):
        read_services(body)


def test_versions_come_with_their_platforms_and_warnings() -> None:
    answer = read_versions(
        json.dumps(
            {
                "versions": [
                    {"version": "1.0", "protocols": ["5.0"], "platforms": [{"os": "linux", "arch": "amd64"}]},
                    {
                        "version": "1.1.0",
                        "platforms": [{"os": "linux", "arch": "amd64"}, {"os": "darwin", "arch": "arm64"}],
                    },
                    {"version": "0.9.0"},
                ],
                "warnings": ["moved", ""],
            }
        ).encode()
    )
    assert answer.versions == (Version(1, 0, 0), Version(1, 1, 0), Version(0, 9, 0))
    assert answer.platforms == {Version(1, 0, 0): {LINUX}, Version(1, 1, 0): {LINUX, DARWIN}}
    assert answer.warnings == ("moved",)
    assert answer.invalid == ()


def test_a_version_that_is_none_is_kept_beside_the_others() -> None:
    answer = read_versions(b'{"versions": [{"version": "v1.0.0"}, {"version": "1.0.0"}, {}]}')
    assert answer.versions == (Version(1, 0, 0),)
    assert answer.invalid == ("v1.0.0", "")


def test_one_version_twice_has_the_platforms_of_both_entries() -> None:
    entry = '{"version": "1.0.0", "platforms": [{"os": "%s", "arch": "%s"}]}'
    body = f'{{"versions": [{entry % ("linux", "amd64")}, {entry % ("darwin", "arm64")}]}}'
    answer = read_versions(body.encode())
    assert answer.versions == (Version(1, 0, 0),)
    assert answer.platforms[Version(1, 0, 0)] == {LINUX, DARWIN}


@table(
    "platforms",
    ["linux_amd64", 7, ["linux_amd64"], [{"os": 1, "arch": "amd64"}], [], None, [{"os": "li nux", "arch": ""}]],
)
def test_platforms_that_cannot_be_read_are_as_if_the_list_said_none(platforms: Any) -> None:
    body = json.dumps({"versions": [{"version": "1.0.0", "platforms": platforms}]}).encode()
    assert read_versions(body).platforms == {}


def test_more_platforms_than_any_release_has_are_as_if_the_list_said_none() -> None:
    named = [{"os": "linux", "arch": f"a{number}"} for number in range(MAX_PLATFORMS + 1)]
    body = json.dumps({"versions": [{"version": "1.0.0", "platforms": named}]}).encode()
    assert read_versions(body).platforms == {}


@table("body", [b"[]", b"{", b"", b'{"versions": {}}', b'{"versions": [7]}', b'{"warnings": "x"}'])
def test_a_list_of_versions_of_another_form_is_refused(body: bytes) -> None:
    with pytest.raises(BodyError):
        read_versions(body)


@table("body", [b"{}", b"null", b'{"versions": null}', b'{"versions": []}', b"{} trailing"])
def test_a_list_may_have_no_versions(body: bytes) -> None:
    assert read_versions(body).versions == ()


def test_metadata_is_read_as_written() -> None:
    answer = read_package_metadata(metadata())
    assert answer.protocols == ("5.0",)
    assert (answer.os, answer.arch) == ("linux", "amd64")
    assert answer.filename == METADATA["filename"]
    assert answer.download_url == "https://dl.example.test/widget.zip"
    assert answer.shasum == "ab" * 32
    assert (answer.shasums_url, answer.shasums_signature_url) == ("SHA256SUMS", "SHA256SUMS.sig")
    assert answer.keys == ("ARMOR",)
    assert answer.packages.claims == ()
    assert not answer.packages.flaw
    assert not answer.extra.flaw


def test_property_names_match_in_any_case_and_only_the_first_value_counts() -> None:
    body = metadata().upper().replace(b"AB" * 32, b"ab" * 32) + b'{"shasum": "second value"}'
    answer = read_package_metadata(body)
    assert answer.shasum == "ab" * 32
    assert answer.os == "LINUX"
    assert answer.keys == ("ARMOR",)


@table("keys", [{}, {"gpg_public_keys": []}, {"gpg_public_keys": None}, None])
def test_a_registry_may_offer_no_key(keys: Any) -> None:
    assert read_package_metadata(metadata(signing_keys=keys)).keys == ()


def test_a_key_without_armour_is_offered_as_an_empty_text() -> None:
    keys = {"gpg_public_keys": [{"key_id": "0123456789ABCDEF"}, {}, {"ascii_armor": "SECOND"}]}
    assert read_package_metadata(metadata(signing_keys=keys)).keys == ("", "", "SECOND")


def test_null_in_place_of_a_key_on_which_both_clients_crash_is_refused() -> None:
    keys = {"gpg_public_keys": [{"ascii_armor": "FIRST"}, None]}
    with pytest.raises(BodyError, match="null in place of a signing key"):
        read_package_metadata(metadata(signing_keys=keys))


def test_keys_beyond_the_limit_are_counted_and_left_out() -> None:
    keys = {"gpg_public_keys": [{"ascii_armor": str(number)} for number in range(MAX_KEYS + 3)]}
    answer = read_package_metadata(metadata(signing_keys=keys))
    assert answer.keys == tuple(str(number) for number in range(MAX_KEYS))
    assert answer.surplus_keys == 3


@table(
    "changes",
    [{"shasum": 7}, {"protocols": "5.0"}, {"signing_keys": []}, {"signing_keys": {"gpg_public_keys": ["ARMOR"]}}],
)
def test_metadata_with_a_property_of_the_wrong_type_is_refused_with_its_place(changes: dict[str, Any]) -> None:
    with pytest.raises(BodyError, match=rf"\$\.{next(iter(changes))}"):
        read_package_metadata(metadata(**changes))


def test_a_text_of_any_length_is_not_accepted() -> None:
    assert read_package_metadata(metadata(download_url="x" * MAX_TEXT)).download_url == "x" * MAX_TEXT
    with pytest.raises(BodyError, match="8193 characters in one text; the limit is 8192"):
        read_package_metadata(metadata(download_url="../" * 2731))


def test_packages_give_hashes_and_size_of_each_platform() -> None:
    answer = read_package_metadata(
        metadata(
            packages={
                "linux_amd64": {"hashes": [ZH, H1, ZH], "package_size": 17},
                "darwin_arm64": {"HASHES": ["h9:new"], "extra": 1},
            }
        )
    )
    linux, darwin = answer.packages.claims
    assert (linux.platform, linux.hashes, linux.size) == (LINUX, (Hash(ZH), Hash(H1)), 17)
    assert (darwin.platform, darwin.hashes, darwin.size) == (DARWIN, (Hash("h9:new"),), 0)
    assert answer.packages.claim(DARWIN) == darwin
    assert answer.packages.claim(Platform("plan9", "386")) is None
    assert not answer.packages.flaw


@table(
    ("packages", "flaw"),
    [
        ({"weird": {"hashes": [ZH], "package_size": 1}}, "names a platform in “packages” that is none: “weird”"),
        (
            {"linux_amd64": {"hashes": ["deadbeef"], "package_size": 1}},
            "has a hash without a scheme in “packages”: “deadbeef”",
        ),
        ({"linux_amd64": {"hashes": [ZH], "package_size": "17"}}, "Expected `int`, got `str`"),
        ({"linux_amd64": {"hashes": [ZH], "package_size": 1.5}}, "Expected `int`, got `float`"),
        ({"linux_amd64": {"hashes": ["zh:" + "0" * MAX_TEXT]}}, "has a hash without a scheme"),
        ([], "Expected `object`, got `array`"),
        (
            {f"linux_a{number}": {} for number in range(MAX_PLATFORMS + 1)},
            "257 platforms in “packages”; the limit is 256",
        ),
    ],
)
def test_packages_that_the_client_stumbles_over_leave_the_rest_of_the_answer_readable(packages: Any, flaw: str) -> None:
    answer = read_package_metadata(metadata(packages=packages))
    assert flaw in answer.packages.flaw
    assert answer.shasum == "ab" * 32


def test_what_can_be_read_of_packages_is_kept_beside_the_flaw() -> None:
    answer = read_package_metadata(
        metadata(packages={"weird": {}, "linux_amd64": {"hashes": [ZH, "x"], "package_size": 3}})
    )
    assert [(claim.platform, claim.hashes) for claim in answer.packages.claims] == [(LINUX, (Hash(ZH),))]
    assert answer.packages.flaw


def test_the_first_proposed_shape_pairs_an_archive_with_its_contents() -> None:
    answer = read_package_metadata(metadata(hashes={ZH: [H1, "h9:new"]}))
    assert answer.extra.by_zh == ((Hash(ZH), (Hash(H1), Hash("h9:new"))),)
    assert answer.extra.flat == ()
    assert not answer.extra.flaw


def test_the_second_proposed_shape_is_a_flat_list() -> None:
    answer = read_package_metadata(metadata(hashes=[ZH, H1, H1]))
    assert answer.extra.flat == (Hash(ZH), Hash(H1))
    assert answer.extra.by_zh == ()


@table(
    ("hashes", "flaw"),
    [
        ("text", "“hashes” that cannot be read"),
        ([7], "“hashes” that cannot be read"),
        ({ZH: H1}, "“hashes” that cannot be read"),
        (["no scheme"], "without a scheme in “hashes”: “no scheme”"),
        ({"no scheme": [H1]}, "without a scheme in “hashes”: “no scheme”"),
        ({ZH: ["no scheme"]}, "without a scheme in “hashes”: “no scheme”"),
        ([f"h1:{number}" for number in range(10_001)], "10001 hashes in “hashes”; the limit is 10000"),
        ({f"zh:{number}": [] for number in range(10_001)}, "10001 hashes in “hashes”; the limit is 10000"),
    ],
)
def test_hashes_of_another_form_are_a_flaw_and_no_error(hashes: Any, flaw: str) -> None:
    answer = read_package_metadata(metadata(hashes=hashes))
    assert flaw in answer.extra.flaw
    assert answer.shasum == "ab" * 32


def test_a_long_text_is_cut_in_a_flaw() -> None:
    assert read_package_metadata(metadata(hashes=["x" * 500])).extra.flaw.endswith(f"“{'x' * 80}…”")

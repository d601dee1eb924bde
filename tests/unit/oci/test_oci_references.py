"""Names of repositories, tags and digests, and which tag stands for which version."""

from __future__ import annotations

import hashlib

import pytest
from builders.tables import table

from lockwarden.core.values.errors import InputError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import MAX_NAME, Digest, OciRepository, is_tag, tag_of, version_of
from lockwarden.core.values.versions import Version


@table(
    ("text", "domain", "path"),
    [
        ("registry.example.test/a", "registry.example.test", "a"),
        ("localhost:5000/team/x/plain", "localhost:5000", "team/x/plain"),
        ("Registry.Example.Test/a", "Registry.Example.Test", "a"),
        ("127.0.0.1/a.b/c_d/e__f/g---h", "127.0.0.1", "a.b/c_d/e__f/g---h"),
        ("[::1]:5000/a", "[::1]:5000", "a"),
        ("r/registry.opentofu.org/hashicorp/aws", "r", "registry.opentofu.org/hashicorp/aws"),
    ],
)
def test_a_repository_has_a_registry_and_a_path(text: str, domain: str, path: str) -> None:
    repository = OciRepository.parse(text)
    assert (repository.domain, repository.path, repository.host) == (domain, path, domain)
    assert str(repository) == text


@table(
    "text",
    [
        "",
        "registry.example.test",
        "registry.example.test/",
        "/a",
        "https://registry.example.test/a",
        "user@registry.example.test/a",
        "registry.example.test/A",
        "registry.example.test/a:1.0",
        "registry.example.test/a@sha256:00",
        "registry.example.test/a//b",
        "registry.example.test/a/",
        "registry.example.test/a..b",
        "registry.example.test/a___b",
        "registry.example.test/-a",
        "registry.example.test/../a",
        "registry.example.test/a%2fb",
        "registry.example.test/grün",
        "registry.example.test:0/a",
        "registry.example.test:99999/a",
        "registry..test/a",
        "-registry.test/a",
        "[::::]/a",
        "[::1/a",
        "registry.example.test/a\n",
        "registry.example.test/" + "a" * MAX_NAME,
    ],
)
def test_what_is_no_repository_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not"):
        OciRepository.parse(text)


def test_images_of_docker_hub_are_asked_for_at_its_registry() -> None:
    assert OciRepository.parse("docker.io/library/x").host == "registry-1.docker.io"
    assert OciRepository.parse("docker.io/library/x").domain == "docker.io"


@pytest.mark.parametrize("algorithm", ["sha256", "sha384", "sha512"])
def test_a_digest_is_read_and_computed(algorithm: str) -> None:
    text = f"{algorithm}:{hashlib.new(algorithm, b'x').hexdigest()}"
    assert Digest.parse(text) == Digest.of(b"x", algorithm)
    assert str(Digest.parse(text)) == text


def test_only_a_sha256_can_be_a_zh() -> None:
    assert Digest.of(b"x").zh == Hash(f"zh:{hashlib.sha256(b'x').hexdigest()}")
    assert Digest.of(b"x", "sha512").zh is None


@table(
    ("text", "reason"),
    [
        ("", "not a digest"),
        ("sha256", "not a digest"),
        (":00", "not a digest"),
        ("md5:d41d8cd98f00b204e9800998ecf8427e", "unsupported digest algorithm “md5”"),
        ("sha256:00", "not a sha256 digest"),
        ("sha256:" + "A" * 64, "not a sha256 digest"),
        ("sha256:" + "g" * 64, "not a sha256 digest"),
        ("sha256:" + "0" * 63 + "\n", "not a sha256 digest"),
        ("sha512:" + "0" * 64, "not a sha512 digest"),
        ("sha256:../" + "0" * 61, "not a sha256 digest"),
    ],
)
def test_what_is_no_digest_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Digest.parse(text)


@table(
    ("tag", "version"),
    [
        ("1.0.0", "1.0.0"),
        ("1.0.0_build.5", "1.0.0+build.5"),
        ("1.0.0-rc.1_b", "1.0.0-rc.1+b"),
        ("1.0", "1.0.0"),
        ("20240101", "20240101.0.0"),
        ("v1.0.0", None),
        ("latest", None),
        ("1.0.0_a_b", None),
        ("sha256-" + "0" * 64 + ".sig", None),
        ("sha256-" + "0" * 64, None),
    ],
)
def test_a_tag_stands_for_the_version_with_a_plus_for_every_underscore(tag: str, version: str | None) -> None:
    found = version_of(tag)
    assert (None if found is None else str(found)) == version


def test_a_version_is_looked_for_under_its_canonical_tag() -> None:
    assert tag_of(Version.parse("1.0")) == "1.0.0"
    assert tag_of(Version.parse("1.0.0-rc.1+build.5")) == "1.0.0-rc.1_build.5"


def test_a_tag_has_at_most_128_characters() -> None:
    assert is_tag("a" * 128)
    assert is_tag("_1.0-x")
    assert not any(map(is_tag, ("a" * 129, "", ".a", "-a", "a/b", "a b", "a\n", "ä")))

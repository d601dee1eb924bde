"""What an index offers for which platform, which layer is the package, and what is said of everything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders.tables import table

from lockwarden.core.oci.documents import Descriptor, read_image, read_index
from lockwarden.core.oci.media_types import (
    DOCKER_LIST,
    DOCKER_MANIFEST,
    MODULE,
    OCI_ARTIFACT,
    OCI_DESCRIPTOR,
    OCI_INDEX,
    OCI_MANIFEST,
    PROVIDER,
    PROVIDER_TARGET,
    ZIP_LAYER,
)
from lockwarden.core.sources.oci_mirror.offers import IndexOffers, LayerChoice, ambiguity, layer_of, offers_of
from lockwarden.core.sources.oci_mirror.wrong_kinds import (
    unlabelled,
    wrong_entries,
    wrong_image,
    wrong_index,
    wrong_label,
    wrong_media_type,
)
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

LINUX = Platform("linux", "amd64")
DIGEST = "sha256:" + "ab" * 32


def entry(os_name: str = "linux", architecture: str = "amd64", **changes: Any) -> dict[str, Any]:
    platform = {"os": os_name, "architecture": architecture, **changes.pop("platform", {})}
    return {
        "mediaType": OCI_MANIFEST,
        "artifactType": PROVIDER_TARGET,
        "digest": DIGEST,
        "size": 1,
        "platform": platform,
    } | changes


def offers(*entries: dict[str, Any], media_type: str = OCI_INDEX) -> IndexOffers:
    return offers_of(read_index(json.dumps({"mediaType": media_type, "manifests": entries}).encode()))


def test_each_typed_entry_is_an_offer_for_its_platform() -> None:
    found = offers(entry(), entry("darwin", "arm64"), entry("linux", "arm", platform={"variant": "v7"}))
    assert set(found.offers) == {LINUX, Platform("darwin", "arm64"), Platform("linux", "arm")}
    assert (found.typed, found.foreign, found.refusal) == (True, (), "")


def test_entries_of_other_types_are_passed_over_and_remembered() -> None:
    found = offers(entry(artifactType="sbom"), entry(), entry(artifactType=""))
    assert set(found.offers) == {LINUX}
    assert (found.foreign, found.refusal) == (("sbom", ""), "")


def test_an_entry_for_one_version_of_a_system_is_no_offer_but_typed() -> None:
    found = offers(entry("windows", platform={"os.version": "10.0.17763"}))
    assert (dict(found.offers), found.typed, found.refusal) == ({}, True, "")


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (entry(mediaType=DOCKER_MANIFEST), f"provider image manifest has unsupported media type “{DOCKER_MANIFEST}”"),
        (entry(mediaType=OCI_INDEX), f"unsupported media type “{OCI_INDEX}”"),
        ({**entry(), "platform": None}, "lacks the required platform constraints"),
    ],
)
def test_one_bad_entry_makes_the_client_refuse_the_whole_index(bad: dict[str, Any], told: str) -> None:
    for entries in ((bad, entry("darwin")), (entry("darwin"), bad)):
        found = offers(*entries)
        assert set(found.offers) == {Platform("darwin", "amd64")}
        assert told in found.refusal


def test_an_index_that_calls_itself_something_else_is_refused_by_the_client() -> None:
    assert f"unexpected manifest media type “{DOCKER_LIST}”" in offers(entry(), media_type=DOCKER_LIST).refusal
    assert "unexpected manifest media type “”" in offers(entry(), media_type="").refusal


def test_two_entries_for_one_platform_are_ambiguous_and_their_variants_are_told() -> None:
    twice = offers(entry("linux", "arm", platform={"variant": "v6"}), entry("linux", "arm", platform={"variant": "v7"}))
    arm = Platform("linux", "arm")
    assert "multiple descriptors for platform linux_arm" in ambiguity(arm, twice.offers[arm])
    assert "(v6, v7)" in ambiguity(arm, twice.offers[arm])
    assert "variant" not in ambiguity(LINUX, offers(entry(), entry()).offers[LINUX])
    assert ambiguity(LINUX, offers(entry()).offers[LINUX]) == ""


def layer(media_type: str = ZIP_LAYER, **changes: Any) -> dict[str, Any]:
    return {"mediaType": media_type, "digest": DIGEST, "size": 1} | changes


def chosen(*layers: dict[str, Any], **changes: Any) -> LayerChoice:
    document = {"mediaType": OCI_MANIFEST, "artifactType": PROVIDER_TARGET, "layers": layers} | changes
    return layer_of(read_image(json.dumps(document).encode()), LINUX)


def test_the_one_zip_layer_is_the_package_and_its_digest_the_zh() -> None:
    found = chosen(layer("text/plain"), layer(), layer("application/zip"))
    assert (len(found.packages), found.zh, found.refusal) == (1, Hash("zh:" + "ab" * 32), "")


@table("more", [{}, {"variant": "v2"}, {"os.version": "5.4"}])
def test_a_layer_for_the_same_platform_is_the_package(more: dict[str, str]) -> None:
    assert chosen(layer(platform={"os": "linux", "architecture": "amd64", **more})).refusal == ""


@table(
    ("choice", "told"),
    [
        (chosen(), "contains no layers of type “archive/zip”, nor any other"),
        (chosen(layer("application/zip")), "other unsupported formats (“application/zip”)"),
        (chosen(layer("")), "other unsupported formats (“none”)"),
        (chosen(layer(), layer()), "multiple eligible provider packages: 2 layers"),
        (chosen(layer(digest="sha512:" + "ab" * 64)), "unsupported digest algorithm “sha512”"),
        (chosen(layer(digest="crc32:00")), "unsupported digest algorithm “crc32”"),
        (
            chosen(layer(platform={"os": "linux", "architecture": "arm"})),
            "is for linux_arm, but was expected to be for",
        ),
        (chosen(layer(), mediaType=DOCKER_MANIFEST), f"unexpected manifest media type “{DOCKER_MANIFEST}”"),
        (chosen(layer(), mediaType=""), "unexpected manifest media type “”"),
        (chosen(layer(), artifactType=PROVIDER), f"unexpected artifact type “{PROVIDER}”"),
        (chosen(layer(), artifactType=""), "unexpected artifact type “”"),
    ],
)
def test_a_manifest_that_the_client_refuses_says_why(choice: LayerChoice, told: str) -> None:
    assert told in choice.refusal


def test_several_archives_claim_nothing_together() -> None:
    assert chosen(layer(), layer()).zh is None
    assert chosen(layer(digest="no digest")).zh is None


@table(
    ("error", "told"),
    [
        (wrong_index(MODULE, entries_are_targets=False), "OpenTofu module package, not a provider package"),
        (wrong_index(PROVIDER_TARGET, entries_are_targets=True), "is that of an index's entries"),
        (wrong_index("other", entries_are_targets=False), "unexpected artifact type “other”"),
        (wrong_index("", entries_are_targets=True), "its entries are typed as a provider's"),
        (wrong_index("", entries_are_targets=False), "is this a container image, rather than an OpenTofu provider?"),
        (wrong_entries(("a", "", "b", "")), "unsupported artifact type “b”"),
        (wrong_entries(("", "")), "the index's entries have none; is this a container image"),
        (wrong_entries(()), "the index has no entries"),
        (wrong_image(MODULE, ""), "OpenTofu module package, not a provider package"),
        (wrong_image(PROVIDER_TARGET, ""), "tag refers directly to image manifest"),
        (wrong_image("other", ""), "unsupported OCI artifact type “other”"),
        (wrong_image("", "application/vnd.oci.empty.v1+json"), "media type “application/vnd.oci.empty.v1+json”"),
        (wrong_image("", ""), "selected an OCI image manifest directly"),
        (wrong_media_type(OCI_DESCRIPTOR), "found OCI descriptor but expected multi-platform index manifest"),
        (wrong_media_type(OCI_ARTIFACT), f"unsupported media type “{OCI_ARTIFACT}” for OCI index manifest"),
        (wrong_media_type(""), "unsupported media type “”"),
        (unlabelled(DOCKER_LIST), f"unsupported media type “{DOCKER_LIST}”"),
        (unlabelled(OCI_INDEX), "unexpected artifact type “” of the index"),
        (unlabelled(OCI_MANIFEST), "selected an OCI image manifest directly"),
        (wrong_label("modules"), "an OpenTofu module, not a provider"),
        (wrong_label("module"), "an OpenTofu module, not a provider"),
        (wrong_label("policy"), "“policy”, which is no kind of package that is known"),
    ],
)
def test_every_wrong_kind_is_called_by_its_name_with_a_hint(error: Any, told: str) -> None:
    assert told in error.message
    assert error.hint
    assert error.code == "oci-wrong-kind"


@pytest.mark.parametrize("value", ["provider", "providers"])
def test_the_label_of_a_provider_is_no_wrong_kind(value: str) -> None:
    assert wrong_label(value) is None


def test_hostile_texts_are_cut() -> None:
    long = "x" * 3000
    assert len(wrong_index(long, entries_are_targets=False).message) < 500
    assert len(chosen(*[layer(f"{number}{long}") for number in range(20)]).refusal) < 2000
    assert Descriptor(media_type="", digest="", size=0).urls == ()

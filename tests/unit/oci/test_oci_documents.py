"""Index manifests, image manifests and configurations, right and wrong; links to next pages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders.tables import table

from lockwarden.core.oci.answers import errors_in
from lockwarden.core.oci.documents import MAX_ENTRIES, read_config, read_image, read_index
from lockwarden.core.oci.pages import next_link
from lockwarden.core.oci.tags import MAX_TAGS, TagList
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

LAYER = {"mediaType": "archive/zip", "digest": "sha256:00", "size": 3}


def body(**members: Any) -> bytes:
    return json.dumps(members).encode()


def test_an_index_is_read_as_written() -> None:
    entry = {**LAYER, "artifactType": "t", "platform": {"os": "linux", "architecture": "arm", "variant": "v7"}}
    index = read_index(body(mediaType="m", artifactType="a", manifests=[entry], annotations={"x": "y"}))
    (read,) = index.manifests
    assert (index.media_type, index.artifact_type) == ("m", "a")
    assert (read.media_type, read.digest, read.size, read.artifact_type) == ("archive/zip", "sha256:00", 3, "t")
    assert read.platform is not None
    assert (read.platform.variant, read.platform.platform) == ("v7", Platform("linux", "arm"))


@table(
    "platform",
    [
        {"os": "windows", "architecture": "amd64", "os.version": "10.0"},
        {"os": "", "architecture": "amd64"},
        {"os": "linux"},
        {"os": "li nux", "architecture": "amd64"},
        {"os": "linux", "architecture": "amd_64"},
    ],
)
def test_a_platform_that_the_client_does_not_take_is_none(platform: dict[str, str]) -> None:
    (entry,) = read_index(body(manifests=[{**LAYER, "platform": platform}])).manifests
    assert entry.platform is not None
    assert entry.platform.platform is None


def test_an_entry_without_a_platform_has_none() -> None:
    assert read_index(body(manifests=[LAYER])).manifests[0].platform is None


def test_null_stands_for_nothing() -> None:
    assert read_index(b'{"manifests":null,"artifactType":null}').manifests == ()
    image = read_image(b'{"config":null,"layers":null}')
    assert (image.config, image.layers) == (None, ())


def test_an_image_is_not_taken_for_an_index_nor_the_reverse() -> None:
    with pytest.raises(BodyError, match="is an image manifest"):
        read_index(body(config=LAYER, layers=[LAYER]))
    with pytest.raises(BodyError, match="is an index manifest"):
        read_image(body(manifests=[LAYER]))


@pytest.mark.parametrize("size", [-1, 2**63])
def test_a_size_that_no_file_has_is_refused(size: int) -> None:
    with pytest.raises(BodyError, match="bytes"):
        read_image(body(layers=[{**LAYER, "size": size}]))


@table(
    "document",
    [
        b"",
        b"[]",
        b"<html></html>",
        b'{"layers": {}}',
        body(layers=[LAYER] * (MAX_ENTRIES + 1)),
        body(layers=[{**LAYER, "mediaType": "x" * 5000}]),
        body(artifactType="x" * 5000),
        body(layers=[{**LAYER, "size": "3"}]),
    ],
)
def test_a_document_that_cannot_be_used_is_an_error(document: bytes) -> None:
    with pytest.raises(BodyError):
        read_image(document)


WRONG_IN_A_DESCRIPTOR: list[dict[str, Any]] = [
    {"data": "e30"},
    {"annotations": []},
    {"annotations": {"x": ["y"]}},
    {"platform": {"os.features": "a"}},
    {"platform": {"variant": 7}},
]


@table(
    "wrong",
    [
        {"schemaVersion": "2"},
        {"schemaVersion": 2.5},
        {"annotations": {"x": 5}},
        {"subject": []},
        *({"layers": [LAYER | each], "manifests": [LAYER | each]} for each in WRONG_IN_A_DESCRIPTOR),
    ],
)
def test_a_wrong_type_is_an_error_in_what_nobody_asks_for_too(wrong: dict[str, Any]) -> None:
    # Each refused by OpenTofu 1.12.6, which reads whole documents or none.
    for read, entries in ((read_image, "layers"), (read_index, "manifests")):
        with pytest.raises(BodyError):
            read(body(**{entries: [LAYER], **wrong}))


def test_what_is_in_it_beside_is_passed_over() -> None:
    beside = {"data": "e30=", "annotations": {"x": None}, "platform": {"os.features": [], "features": 5}, "other": 5}
    image = read_image(body(schemaVersion=None, layers=[{**LAYER, **beside}], blobs=5))
    assert image.layers[0].annotations == (("x", ""),)


def test_a_configuration_has_labels_and_digests_of_its_layers() -> None:
    config = read_config(
        body(
            os="linux",
            architecture="amd64",
            config={"Labels": {"a": "b", "number": 3}},
            rootfs={"type": "layers", "diff_ids": ["sha256:00"]},
        )
    )
    assert config.platform == Platform("linux", "amd64")
    assert (config.label("a"), config.label("number"), config.label("c")) == ("b", None, None)
    assert config.diff_ids == ("sha256:00",)


def test_an_empty_configuration_says_nothing() -> None:
    config = read_config(b"{}")
    assert (config.platform, config.labels, config.diff_ids) == (None, (), ())


def test_a_configuration_with_too_many_layers_is_refused() -> None:
    with pytest.raises(BodyError, match="limit"):
        read_config(body(rootfs={"diff_ids": ["x"] * (MAX_ENTRIES + 1)}))


@table(
    ("header", "target"),
    [
        ('</v2/a/tags/list?n=50&last=x>; rel="next"', "/v2/a/tags/list?n=50&last=x"),
        ("<https://r.test/x>;rel=next", "https://r.test/x"),
        ("</x>", "/x"),
        ('</first>; rel="first", </next>; title="a, b"; rel="prev next"', "/next"),
        ('</x>; REL = "NEXT"', "/x"),
        ('</prev>; rel="prev"', None),
        ("/x", None),
        ("", None),
        ("<unclosed", None),
    ],
)
def test_the_link_to_the_next_page_is_found(header: str, target: str | None) -> None:
    assert next_link(header) == target


def test_errors_are_read_and_cut() -> None:
    errors = errors_in(body(errors=[{"code": "NAME_UNKNOWN", "message": "m" * 500, "detail": {"x": 1}}, {}]))
    assert errors[0].code == "NAME_UNKNOWN"
    assert len(errors[0].message) == 200
    assert (errors[1].code, errors[1].message) == ("", "")
    assert errors_in(b"<html>") == ()


def test_tags_are_sorted_into_versions_and_others() -> None:
    tags = TagList.of(("1.0", "1.0.0", "latest", "v1.0.0", "1.0.0_b", "1.0.0", "no tag/1.0.0"))
    assert tags.tags == ("1.0", "1.0.0", "latest", "v1.0.0", "1.0.0_b", "no tag/1.0.0")
    assert dict(tags.versions) == {
        Version(1, 0, 0): ("1.0", "1.0.0"),
        Version(1, 0, 0, metadata="b"): ("1.0.0_b",),
    }
    assert MAX_TAGS > 10_000


def test_many_tags_may_stand_for_one_version() -> None:
    """Zeros in front count for nothing, so that a registry may give one version as many tags as it likes."""
    zeros = ["0" * count for count in range(24)]
    tags = tuple(f"{major}1.{minor}2.{patch}3" for major in zeros for minor in zeros for patch in zeros)
    assert TagList.of(tags).versions == {Version(1, 2, 3): tags}

"""Packages shaped like container images, in a real registry: the label, the layers, the h1 of the folder they make."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from builders.mirrors import DARWIN, LINUX, PLAIN, VERSION
from contract.oci.asking import HOST, Asking, Scripted, without_connection
from contract.oci.kinds import CONFIG, Shelf, image, index, platform_json
from servers.oci_registry import DOCKER_LIST, DOCKER_MANIFEST, OCI_INDEX, OCI_MANIFEST, Registry, digest_of

from lockwarden.core.evidence.observations import Basis, ComputedLocally
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

NAME = "mirror/plain"
LABEL = "org.opentofu.package-type"
BINARY = "terraform-provider-plain_v1.2.3"
TAR = "application/vnd.oci.image.layer.v1.tar"
GZIP = "application/vnd.oci.image.layer.v1.tar+gzip"
DOCKER_GZIP = "application/vnd.docker.image.rootfs.diff.tar.gzip"
DOCKER_CONFIG = "application/vnd.docker.container.image.v1+json"
Files = Mapping[str, bytes | str]
"""Name → content, or the target of a symbolic link."""


@pytest.fixture
def asking() -> Asking:
    return without_connection()


def tar(files: Files) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def h1(files: Mapping[str, bytes]) -> str:
    lines = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return f"h1:{base64.b64encode(hashlib.sha256(lines.encode()).digest()).decode()}"


PACKAGE = {BINARY: b"program", "LICENSE": b"licence"}


def pushed_image(
    shelf: Shelf,
    layers: Sequence[bytes],
    *,
    platform: str = "linux_amd64",
    label: str | None = "provider",
    layer_type: str = GZIP,
    docker: bool = False,
    tag: str = "",
    **config: Any,
) -> dict[str, Any]:
    """An image as docker pushes it; a descriptor of it with its platform."""
    os_name, _, architecture = platform.partition("_")
    settings = {
        "os": os_name,
        "architecture": architecture,
        "config": {"Labels": {} if label is None else {LABEL: label}},
        "rootfs": {"type": "layers", "diff_ids": [digest_of(layer) for layer in layers]},
    } | config
    described = shelf.blob(json.dumps(settings).encode(), DOCKER_CONFIG if docker else CONFIG)
    stored = [
        shelf.blob(gzip.compress(layer, mtime=0) if "gzip" in layer_type else layer, layer_type) for layer in layers
    ]
    media_type = DOCKER_MANIFEST if docker else OCI_MANIFEST
    document = image(described, stored) | {"mediaType": media_type}
    return shelf.manifest(document, media_type, tag, platform=platform_json(platform))


def indexed(shelf: Shelf, *entries: dict[str, Any], docker: bool = False) -> None:
    media_type = DOCKER_LIST if docker else OCI_INDEX
    shelf.manifest(index(list(entries), "") | {"mediaType": media_type}, media_type, "1.2.3")


def served(asking: Asking, shelf: Shelf, **options: Any) -> SourceAnswer:
    asking.server.serve(Scripted({NAME: shelf}).respond)
    return asking.ask(**options)


def h1_of(answer: SourceAnswer, platform: Platform = LINUX) -> str:
    package = answer.package(platform)
    assert package is not None
    assert package.h1_directory is not None, answer.problems
    return package.h1_directory.text


def told(answer: SourceAnswer) -> str:
    return " ".join(problem.message for problem in answer.problems)


@pytest.mark.parametrize("docker", [False, True], ids=["OCI", "Docker"])
def test_an_index_of_labelled_images_is_audited_through_a_real_registry(
    asking: Asking, registry: Registry, docker: bool
) -> None:
    layer_type = DOCKER_GZIP if docker else GZIP
    shelf = Shelf()
    darwin = PACKAGE | {BINARY: b"another"}
    indexed(
        shelf,
        pushed_image(shelf, [tar(PACKAGE)], docker=docker, layer_type=layer_type),
        pushed_image(shelf, [tar(darwin)], platform="darwin_arm64", docker=docker, layer_type=layer_type),
        pushed_image(shelf, [tar({"x": b""})], platform="unknown_unknown", label=None, docker=docker),
        docker=docker,
    )
    repository = f"images/{'docker' if docker else 'oci'}"
    shelf.push(registry, repository)
    asking.server.serve(registry.respond)
    answer = asking.ask(f"{HOST}/{repository}", platforms=(LINUX, DARWIN))
    assert answer.problems == ()
    assert answer.platforms == frozenset({LINUX, DARWIN})
    assert (h1_of(answer), h1_of(answer, DARWIN)) == (h1(PACKAGE), h1(darwin))
    chain = next(each for each in answer.chains if each.platform == LINUX)
    manifest = json.loads(shelf.manifests[chain.manifest_digest][1])
    assert chain.layer_digests == tuple(layer["digest"] for layer in manifest["layers"])
    assert chain.index_digest == shelf.tags["1.2.3"]


def test_a_single_image_is_a_package_of_its_own_platform(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3", label="providers")
    answer = served(asking, shelf, platforms=(LINUX, DARWIN))
    assert answer.platforms == frozenset({LINUX})
    assert h1_of(answer) == h1(PACKAGE)
    other = answer.package(DARWIN)
    assert other is not None
    assert other.outcome is Outcome.NOT_THERE


def test_its_h1_is_observed_and_no_client_would_install_it(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3")
    answer = served(asking, shelf)
    ((hash_, seen),) = answer.observations
    assert isinstance(seen, ComputedLocally)
    assert (hash_.text, seen.basis, seen.package_zh, seen.vouches) == (h1(PACKAGE), Basis.DIRECTORY, None, True)
    package = answer.package(LINUX)
    assert package is not None
    assert (package.basis, package.zh, package.promised) == (Basis.DIRECTORY, None, frozenset())
    assert "no released client installs" in package.client_refusal
    audit = Audit(address=PLAIN, version=VERSION, source_answers=(answer,))
    assert recorded(audit, settings=ClientSettings(), platforms=frozenset({LINUX})) == {}
    terraform = served(asking, shelf, settings=ClientSettings(client=Client.TERRAFORM)).package(LINUX)
    assert terraform is not None
    assert "Terraform knows no OCI mirrors" in terraform.client_refusal


def test_layers_are_applied_in_order_with_their_whiteouts(asking: Asking) -> None:
    shelf = Shelf()
    layers = [
        tar({BINARY: b"old", "docs/a": b"a", "docs/b": b"b", "gone": b"x", "LICENSE": b"l"}),
        tar({BINARY: b"new", ".wh.gone": b"", "docs/.wh..wh..opq": b"", "docs/c": b"c"}),
        tar({"link": "docs/c"}),
    ]
    pushed_image(shelf, layers, tag="1.2.3")
    answer = served(asking, shelf)
    assert h1_of(answer) == h1({BINARY: b"new", "docs/c": b"c", "LICENSE": b"l", "link": b"c"})


def test_layers_that_are_not_compressed_are_read_too(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3", layer_type=TAR)
    assert h1_of(served(asking, shelf)) == h1(PACKAGE)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("modules", "an OpenTofu module, not a provider"),
        ("module", "an OpenTofu module, not a provider"),
        ("policy", "no kind of package that is known"),
        (None, "not intended for OpenTofu"),
    ],
)
@pytest.mark.parametrize("several", [False, True], ids=["image", "index"])
def test_the_label_tells_a_provider_from_everything_else(
    asking: Asking, label: str | None, words: str, several: bool
) -> None:
    shelf = Shelf()
    described = pushed_image(shelf, [tar(PACKAGE)], label=label, tag="" if several else "1.2.3")
    if several:
        indexed(shelf, described)
    answer = served(asking, shelf)
    assert answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in answer.problems] == ["oci-wrong-kind"]
    assert words in told(answer)
    assert answer.observations == ()
    config = json.loads(next(iter(shelf.manifests.values()))[1])["config"]["digest"]
    assert [each.rpartition("/")[2] for each in asking.asked("/blobs/")] == [config]  # and no layer


def test_one_image_of_an_index_that_is_something_else_does_not_count(asking: Asking) -> None:
    shelf = Shelf()
    indexed(
        shelf,
        pushed_image(shelf, [tar(PACKAGE)]),
        pushed_image(shelf, [tar(PACKAGE)], platform="darwin_arm64", label="module"),
    )
    answer = served(asking, shelf, platforms=(LINUX, DARWIN))
    assert h1_of(answer) == h1(PACKAGE)
    other = answer.package(DARWIN)
    assert other is not None
    assert (other.outcome, other.hashes) == (Outcome.NO_ANSWER, frozenset())
    assert "an OpenTofu module, not a provider" in other.detail


def test_an_image_under_the_wrong_platform_is_refused(asking: Asking) -> None:
    shelf = Shelf()
    described = pushed_image(shelf, [tar(PACKAGE)], platform="darwin_arm64")
    indexed(shelf, described | {"platform": platform_json("linux_amd64")})
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == ["wrong-platform"]
    assert "says of itself that it is for darwin_arm64" in told(answer)
    assert answer.observations == ()


def test_two_images_for_one_platform_are_ambiguous(asking: Asking) -> None:
    shelf = Shelf()
    indexed(shelf, pushed_image(shelf, [tar(PACKAGE)]), pushed_image(shelf, [tar({**PACKAGE, "more": b""})]))
    answer = served(asking, shelf)
    assert "multiple descriptors for platform linux_amd64" in told(answer)
    assert answer.observations == ()


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({**PACKAGE, "link": "/etc/passwd"}, "image-leaving-link"),
        ({**PACKAGE, "link": "../../etc/passwd"}, "image-leaving-link"),
        ({**PACKAGE, "../outside": b"x"}, "image-climbing-name"),
        ({**PACKAGE, "link": "nowhere"}, "image-broken-link"),
    ],
)
def test_a_tree_that_reaches_out_of_itself_is_refused(asking: Asking, files: Files, code: str) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(files)], tag="1.2.3")
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == [code]
    package = answer.package(LINUX)
    assert package is not None
    assert (package.outcome, package.hashes) == (Outcome.ANSWERED, frozenset())
    assert package.client_refusal
    assert answer.observations == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"layer_type": "application/vnd.oci.image.layer.v1.tar+zstd"}, "tar+zstd”, which cannot be read"),
        ({"rootfs": {"diff_ids": []}}, "has 1 layers, but its configuration names 0"),
        ({"rootfs": {"diff_ids": ["sha256:xyz"]}}, "named by something that cannot be used"),
        ({"rootfs": {"diff_ids": [digest_of(b"other")]}}, "does not decompress to what the image's configuration says"),
    ],
)
def test_layers_that_cannot_be_trusted_give_no_h1(asking: Asking, change: dict[str, Any], words: str) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3", **change)
    answer = served(asking, shelf)
    assert words in told(answer)
    assert answer.observations == ()


def test_a_layer_whose_bytes_do_not_have_their_digest_gives_no_h1(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3")
    layer = next(digest for digest in shelf.blobs if shelf.blobs[digest].startswith(b"\x1f\x8b"))
    swapped = bytearray(shelf.blobs[layer])
    swapped[4] ^= 1  # the time in the header, which changes nothing of the content
    shelf.blobs[layer] = bytes(swapped)
    answer = served(asking, shelf)
    assert answer.observations == ()
    assert [(each.code, each.severity) for each in answer.problems] == [("image-digest-mismatch", Severity.ERROR)]


@pytest.mark.parametrize("config", [b"[]", b"<html>"])
def test_a_configuration_that_cannot_be_read_is_named(asking: Asking, config: bytes) -> None:
    shelf = Shelf()
    described = shelf.blob(config, CONFIG)
    shelf.manifest(image(described, []), OCI_MANIFEST, "1.2.3")
    assert "the configuration of sha256:" in told(served(asking, shelf))


def test_a_configuration_that_is_not_its_digest_is_not_used(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3")
    config = next(digest for digest in shelf.blobs if shelf.blobs[digest].startswith(b"{"))
    shelf.blobs[config] = shelf.blobs[config].replace(b"provider", b"modules ")
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == ["digest-mismatch"]


def test_a_very_large_configuration_is_not_fetched(asking: Asking) -> None:
    shelf = Shelf()
    described = shelf.blob(b"{}", CONFIG) | {"size": 10**9}
    shelf.manifest(image(described, []), OCI_MANIFEST, "1.2.3")
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == ["too-large"]
    assert asking.asked("/blobs/") == []


@pytest.mark.parametrize("docker", [False, True])
def test_an_index_of_other_artifacts_is_no_container_image(asking: Asking, docker: bool) -> None:
    shelf = Shelf()
    target = shelf.manifest(image(shelf.empty(), []), OCI_MANIFEST, platform=platform_json("linux_amd64"))
    indexed(shelf, target, docker=docker)
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == ["oci-wrong-kind"]
    assert ("unsupported media type" if docker else "is this a container image") in told(answer)


def test_an_image_manifest_that_cannot_be_read_is_named(asking: Asking) -> None:
    shelf = Shelf()
    shelf.manifest(b"[]", OCI_MANIFEST, "1.2.3")
    assert "the manifest sha256:" in told(served(asking, shelf))


def test_an_image_with_very_many_layers_is_not_fetched(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar({})] * 128, tag="1.2.3")
    assert "has 128 layers; the limit is 127" in told(served(asking, shelf))


def test_a_layer_that_is_missing_is_no_answer(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3")
    del shelf.blobs[next(digest for digest in shelf.blobs if shelf.blobs[digest].startswith(b"\x1f\x8b"))]
    answer = served(asking, shelf)
    package = answer.package(LINUX)
    assert package is not None
    assert package.outcome is Outcome.NO_ANSWER


def test_an_image_that_names_no_platform_is_told(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar(PACKAGE)], tag="1.2.3", os="", architecture="")
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == ["oci-wrong-kind"]


def test_a_package_without_its_program_is_told(asking: Asking) -> None:
    shelf = Shelf()
    pushed_image(shelf, [tar({"bin/terraform-provider-plain": b"x"})], tag="1.2.3")
    answer = served(asking, shelf)
    assert [problem.code for problem in answer.problems] == ["no-executable"]
    assert h1_of(answer) == h1({"bin/terraform-provider-plain": b"x"})

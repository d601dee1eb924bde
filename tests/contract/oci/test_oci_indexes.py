"""Indexes that are not as they should be, beyond the recorded kinds: media types, entries, platforms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from builders.mirrors import DARWIN, LINUX, WINDOWS, zh
from contract.oci.asking import HOST, Asking, Scripted, manifest_response, without_connection
from contract.oci.kinds import LINUX_ZIP, OTHER, ZIPS, Shelf, docker_list, entry, image, index
from servers.oci_registry import DOCKER_LIST, OCI_INDEX, OCI_MANIFEST, PROVIDER, TARGET

from lockwarden.core.evidence.observations import ListedByMirror
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.oci.media_types import OCI_ARTIFACT, OCI_DESCRIPTOR
from lockwarden.core.values.platforms import Platform

NAME = "mirror/plain"


@pytest.fixture
def asking() -> Asking:
    return without_connection()


def served(asking: Asking, build: Callable[[Shelf], Any], **options: Any) -> SourceAnswer:
    shelf = Shelf()
    build(shelf)
    asking.server.serve(Scripted({NAME: shelf}).respond)
    return asking.ask(**options)


def told(answer: SourceAnswer) -> str:
    return " ".join(problem.message for problem in answer.problems)


def listed(answer: SourceAnswer) -> list[tuple[str, str]]:
    return [(str(o.platform), hash_.text) for hash_, o in answer.observations if isinstance(o, ListedByMirror)]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda shelf: shelf.manifest(docker_list([entry(shelf.target(LINUX_ZIP))]), DOCKER_LIST, "1.2.3"),
            "its entries are typed as a provider's",
        ),
        (
            lambda shelf: shelf.manifest(docker_list([]), DOCKER_LIST, "1.2.3"),
            f"unsupported media type “{DOCKER_LIST}” for OCI index manifest",
        ),
        (
            lambda shelf: shelf.manifest(index([], ""), OCI_INDEX, "1.2.3"),
            "is this a container image, rather than an OpenTofu provider?",
        ),
        (lambda shelf: shelf.manifest(index([]), OCI_INDEX, "1.2.3"), "the index has no entries"),
        (
            lambda shelf: shelf.manifest(index([entry(shelf.target(LINUX_ZIP), artifact_type="")]), OCI_INDEX, "1.2.3"),
            "is this a container image, rather than an OpenTofu provider?",
        ),
        (lambda shelf: shelf.manifest({}, OCI_ARTIFACT, "1.2.3"), f"unsupported media type “{OCI_ARTIFACT}”"),
        (lambda shelf: shelf.manifest({}, OCI_DESCRIPTOR, "1.2.3"), "found OCI descriptor but expected"),
        (lambda shelf: shelf.manifest({}, "text/html", "1.2.3"), "unsupported media type “text/html”"),
        (lambda shelf: shelf.manifest(image({}, [], OTHER), OCI_MANIFEST, "1.2.3"), f"artifact type “{OTHER}”"),
        (
            lambda shelf: shelf.manifest(index([entry(shelf.target(LINUX_ZIP))], TARGET), OCI_INDEX, "1.2.3"),
            "is that of an index's entries",
        ),
    ],
    ids=[
        "Docker list of typed entries",
        "empty Docker list",
        "empty index without a type",
        "empty index",
        "entries without a type",
        "artifact manifest",
        "descriptor",
        "web page",
        "image of another type",
        "index typed as its entries",
    ],
)
def test_what_is_no_provider_is_called_by_its_name(asking: Asking, build: Callable[[Shelf], Any], words: str) -> None:
    answer = served(asking, build)
    assert answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in answer.problems] == ["oci-wrong-kind"]
    assert words in told(answer)
    assert f"{HOST}/{NAME}:1.2.3 is no provider package" in told(answer)
    assert answer.problems[0].hint
    assert (answer.platforms, answer.packages, answer.observations) == (None, (), ())


def test_one_bad_entry_is_told_and_the_others_are_still_audited(asking: Asking) -> None:
    def build(shelf: Shelf) -> None:
        bad = shelf.target(ZIPS["darwin_arm64"]) | {"artifactType": TARGET}
        shelf.manifest(index([entry(shelf.target(LINUX_ZIP)), bad]), OCI_INDEX, "1.2.3")

    answer = served(asking, build)
    package = answer.package(LINUX)
    assert package is not None
    assert (package.zh, package.promised) == (zh(LINUX), frozenset({zh(LINUX)}))
    assert "lacks the required platform constraints" in package.client_refusal
    assert [problem.code for problem in answer.problems] == ["oci-index-refused"]


def test_an_index_that_names_its_manifests_twice_offers_what_the_client_takes(asking: Asking) -> None:
    """Go reads the second list over the first: the client takes what stands there alone, and passes over the other."""

    def build(shelf: Shelf) -> None:
        taken, shown = entry(shelf.target(ZIPS["darwin_arm64"])), entry(shelf.target(LINUX_ZIP))
        first = [taken, {"platform": {"os.version": "10"}}]
        document = json.dumps(index([{}, shown])).replace(
            '"manifests"', f'"manifests": {json.dumps(first)}, "manifests"'
        )
        shelf.manifest(document.encode(), OCI_INDEX, "1.2.3")

    answer = served(asking, build)
    assert listed(answer) == [("linux_amd64", zh(DARWIN).text)]
    package = answer.package(LINUX)
    assert package is not None
    assert package.zh == zh(DARWIN)


def test_both_archives_of_a_manifest_are_shown_and_neither_is_fetched(asking: Asking) -> None:
    def build(shelf: Shelf) -> None:
        layers = [shelf.blob(content, "archive/zip") for content in ZIPS.values()]
        target = shelf.manifest(image(shelf.empty(), layers, TARGET), OCI_MANIFEST)
        shelf.manifest(index([entry(target)]), OCI_INDEX, "1.2.3")

    answer = served(asking, build)
    assert listed(answer) == [("linux_amd64", zh(each).text) for each in (LINUX, DARWIN, WINDOWS)]
    assert all(seen.refused for _, seen in answer.observations)
    assert asking.asked("/blobs/") == []


def test_a_platform_that_the_index_does_not_name_is_not_there(asking: Asking) -> None:
    answer = served(asking, lambda shelf: shelf.provider(), platforms=(Platform("plan9", "amd64"), LINUX))
    package = answer.package(Platform("plan9", "amd64"))
    assert package is not None
    assert package.outcome is Outcome.NOT_THERE
    assert "available for plan9_amd64" in package.detail
    assert answer.problems == ()


def test_the_manifests_of_a_very_long_index_are_not_all_read_at_first(asking: Asking) -> None:
    def build(shelf: Shelf) -> None:
        target = shelf.target(LINUX_ZIP)
        entries = [entry(target, f"os{number}_amd64") for number in range(200)]
        shelf.manifest(index([*entries, entry(target)]), OCI_INDEX, "1.2.3")

    answer = served(asking, build, platforms=(LINUX, Platform("os199", "amd64")))
    assert answer.platforms is not None
    assert len(answer.platforms) == 201
    assert len(listed(answer)) == 64
    assert {zh(LINUX)} == {package.zh for package in answer.packages}


def test_two_platforms_may_lead_to_the_same_package(asking: Asking) -> None:
    def build(shelf: Shelf) -> None:
        target = shelf.target(LINUX_ZIP)
        shelf.manifest(index([entry(target), entry(target, "linux_arm64")]), OCI_INDEX, "1.2.3")

    answer = served(asking, build, platforms=(LINUX, Platform("linux", "arm64")))
    assert listed(answer) == [("linux_amd64", zh(LINUX).text), ("linux_arm64", zh(LINUX).text)]


def test_the_media_type_may_carry_parameters(asking: Asking) -> None:
    shelf = Shelf()
    shelf.provider()
    scripted = Scripted({NAME: shelf})
    tag = f"/v2/{NAME}/manifests/1.2.3"
    body = scripted.plain(tag).body
    scripted.special[tag] = manifest_response(f"{OCI_INDEX}; charset=utf-8", body)
    asking.server.serve(scripted.respond)
    assert asking.ask().problems == ()


def test_artifact_types_are_compared_to_the_letter(asking: Asking) -> None:
    answer = served(
        asking,
        lambda shelf: shelf.manifest(index([entry(shelf.target(LINUX_ZIP))], PROVIDER.upper()), OCI_INDEX, "1.2.3"),
    )
    assert "unexpected artifact type" in told(answer)

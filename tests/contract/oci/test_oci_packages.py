"""Packages that are not what they should be: layers, digests, sizes, blobs that cannot be had."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from builders.mirrors import DARWIN, LINUX, WINDOWS, zh
from contract.oci.asking import HOST, Asking, Scripted, known, redirect, refused
from contract.oci.kinds import LINUX_ZIP, Shelf, entry, image, index
from contract.oci.providers import NAME, codes, hashed, provider_shelf, served
from servers.oci_registry import OCI_INDEX, OCI_MANIFEST, TARGET, digest_of

from lockwarden.core.evidence.events import AuditEvent, PackageChecked
from lockwarden.core.evidence.observations import ListedByMirror
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.store.packages_on_disk import StoreLimits
from lockwarden.core.values.severity import Severity
from lockwarden.demo.world import Response


def with_layer(asking: Asking, change: Callable[[dict[str, Any]], dict[str, Any]], **options: Any) -> SourceAnswer:
    """A provider whose Linux package has another layer descriptor."""
    shelf = Shelf()
    layer = change(shelf.blob(LINUX_ZIP, "archive/zip"))
    target = shelf.manifest(image(shelf.empty(), [layer], TARGET), OCI_MANIFEST)
    shelf.manifest(index([entry(target)]), OCI_INDEX, "1.2.3")
    return served(asking, Scripted({NAME: shelf}).respond, **options)


def test_a_package_by_another_digest_than_sha256_is_refused(asking: Asking) -> None:
    source_answer = with_layer(asking, lambda layer: layer | {"digest": digest_of(LINUX_ZIP, "sha512")})
    package = source_answer.package(LINUX)
    assert package is not None
    assert (package.outcome, codes(source_answer)) == (Outcome.ANSWERED, ["oci-package-refused"])
    assert "unsupported digest algorithm “sha512”" in package.client_refusal
    assert source_answer.observations == ()
    assert asking.asked("/blobs/") == []


@pytest.mark.parametrize("digest", ["sha256:xyz", "", "../../etc/passwd", "md5:d41d8cd98f00b204e9800998ecf8427e"])
def test_a_package_by_something_that_is_no_digest_is_refused(asking: Asking, digest: str) -> None:
    source_answer = with_layer(asking, lambda layer: layer | {"digest": digest})
    package = source_answer.package(LINUX)
    assert package is not None
    assert package.client_refusal
    assert asking.asked("/blobs/") == []


@pytest.mark.parametrize(("change", "code"), [(1, "short-body"), (-1, "long-body")])
def test_a_package_of_another_size_than_its_descriptor_says_is_not_used(asking: Asking, change: int, code: str) -> None:
    source_answer = with_layer(asking, lambda layer: layer | {"size": layer["size"] + change})
    package = source_answer.package(LINUX)
    assert package is not None
    assert (package.outcome, package.hashes, package.promised) == (Outcome.NO_ANSWER, frozenset(), frozenset())
    assert codes(source_answer) == [code]


def test_a_package_that_is_larger_than_the_limit_is_not_fetched(asking: Asking) -> None:
    source_answer = with_layer(asking, lambda layer: layer | {"size": 10**12}, limits=StoreLimits(package=1000))
    assert codes(source_answer) == ["too-large"]


def test_a_platform_on_the_layer_has_to_match(asking: Asking) -> None:
    source_answer = with_layer(asking, lambda layer: layer | {"platform": {"os": "darwin", "architecture": "arm64"}})
    package = source_answer.package(LINUX)
    assert package is not None
    assert "selected OCI artifact is for darwin_arm64, but was expected to be for linux_amd64" in package.client_refusal


def test_an_archive_under_another_media_type_is_refused_and_its_type_told(asking: Asking) -> None:
    source_answer = with_layer(asking, lambda layer: layer | {"mediaType": "application/zip"})
    package = source_answer.package(LINUX)
    assert package is not None
    assert "no layers of type “archive/zip”, but has other unsupported formats" in package.client_refusal
    assert "“application/zip”" in package.client_refusal
    assert asking.asked("/blobs/") == []


def test_other_places_for_a_package_are_told_and_never_asked(asking: Asking) -> None:
    urls = ["https://elsewhere.example.test/plain.zip"]
    source_answer = with_layer(asking, lambda layer: layer | {"urls": urls})
    assert hashed(source_answer)
    assert codes(source_answer) == ["oci-foreign-urls"]
    assert set(asking.secrets_at()) == {HOST}


def test_bytes_that_do_not_have_their_digest_are_hashed_shown_and_refused(asking: Asking) -> None:
    shelf = provider_shelf()
    shelf.blobs[digest_of(LINUX_ZIP)] = swapped = LINUX_ZIP[:-1] + b"\1"
    source_answer = served(asking, Scripted({NAME: shelf}).respond, platforms=(LINUX, DARWIN))
    package = source_answer.package(LINUX)
    assert package is not None
    given = digest_of(swapped).replace("sha256:", "zh:")
    assert package.zh is not None
    assert (package.outcome, package.zh.text, package.promised) == (Outcome.ANSWERED, given, frozenset())
    assert package.client_refusal == f"provider package does not match digest {digest_of(LINUX_ZIP)}"
    (problem,) = [each for each in source_answer.problems if each.code == "digest-mismatch"]
    assert problem.severity is Severity.ERROR
    assert given in problem.message
    for hash_, seen in source_answer.observations:
        if seen.platform == LINUX:
            assert seen.refused
            assert not seen.vouches
            assert (hash_ == zh(LINUX)) is isinstance(seen, ListedByMirror)
    other = source_answer.package(DARWIN)
    assert other is not None
    assert other.promised == frozenset({zh(DARWIN)})
    assert any(seen.vouches for _, seen in source_answer.observations if seen.platform == DARWIN)


def test_a_blob_that_is_missing_is_no_answer(asking: Asking) -> None:
    shelf = provider_shelf()
    del shelf.blobs[digest_of(LINUX_ZIP)]
    source_answer = served(asking, Scripted({NAME: shelf}).respond)
    package = source_answer.package(LINUX)
    assert package is not None
    assert (package.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, ["http-status"])
    assert "names a blob that its registry does not have" in package.detail


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (refused(403, "DENIED"), "credentials-required"),
        (refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"'), "credentials-required"),
        (Response.of_status(503), "http-status"),
        (redirect("http://elsewhere.example.test/blob"), "redirect-refused"),
        (redirect("file:///etc/passwd"), "redirect-refused"),
        (redirect("https://169.254.169.254/blob"), "redirect-refused"),
    ],
)
def test_a_blob_that_is_refused_could_not_be_had(asking: Asking, answer: Response, code: str) -> None:
    scripted = Scripted({NAME: provider_shelf()}, {f"/v2/{NAME}/blobs/{digest_of(LINUX_ZIP)}": answer})
    events: list[AuditEvent] = []
    source_answer = served(asking, scripted.respond, report=events.append)
    assert codes(source_answer) == [code]
    assert [event.outcome for event in events if isinstance(event, PackageChecked)] == ["no answer"]
    assert [hash_ for hash_, seen in source_answer.observations if isinstance(seen, ListedByMirror)].count(
        zh(LINUX)
    ) == 1


def test_a_platform_whose_manifest_fails_does_not_take_the_others_along(asking: Asking) -> None:
    shelf = provider_shelf()
    entries = json.loads(shelf.manifests[shelf.tags["1.2.3"]][1])["manifests"]
    broken = next(e["digest"] for e in entries if e["platform"]["os"] == "darwin")
    del shelf.manifests[broken]
    source_answer = served(asking, Scripted({NAME: shelf}).respond, platforms=(LINUX, DARWIN))
    assert hashed(source_answer)
    package = source_answer.package(DARWIN)
    assert package is not None
    assert (package.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, ["http-status"])
    assert source_answer.platforms == frozenset({LINUX, DARWIN, WINDOWS})


def test_a_manifest_that_could_not_be_read_at_first_is_asked_for_again(asking: Asking) -> None:
    shelf = provider_shelf()
    entries = json.loads(shelf.manifests[shelf.tags["1.2.3"]][1])["manifests"]
    linux = next(e["digest"] for e in entries if e["platform"]["os"] == "linux")
    scripted = Scripted({NAME: shelf})
    path = f"/v2/{NAME}/manifests/{linux}"
    answers = iter([Response.of_status(503), Response.of_status(503)])
    scripted.special[path] = lambda headers: next(answers, scripted.plain(path))
    source_answer = served(asking, scripted.respond)
    assert hashed(source_answer)
    assert codes(source_answer) == []


def test_a_platform_whose_manifest_cannot_be_read_is_refused_by_the_client(asking: Asking) -> None:
    shelf = Shelf()
    shelf.manifest(index([entry(shelf.manifest(b"[]", OCI_MANIFEST))]), OCI_INDEX, "1.2.3")
    source_answer = served(asking, Scripted({NAME: shelf}).respond)
    package = source_answer.package(LINUX)
    assert package is not None
    assert "invalid manifest content" in package.client_refusal


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_blob_that_is_refused_with_a_fresh_token_could_not_be_had(asking: Asking, elsewhere: bool) -> None:
    """The registry answers 401 whatever is sent, itself or where it leads to once the token is there."""
    scripted = Scripted({NAME: provider_shelf()})
    blob = f"/v2/{NAME}/blobs/{digest_of(LINUX_ZIP)}"
    challenge = refused(401, "UNAUTHORIZED", WWW_Authenticate=f'Bearer realm="https://{HOST}/token"')

    def at_blob(headers: Mapping[str, str]) -> Response:
        return redirect("https://elsewhere.example.test/x") if elsewhere and "authorization" in headers else challenge

    scripted.special |= {blob: at_blob, "/x": challenge, "/token": Response.of_json({"token": "t"})}
    source_answer = served(asking, scripted.respond)
    assert codes(source_answer) == ["http-status" if elsewhere else "credentials-required"]
    assert len(asking.asked("/token")) == 1
    assert asking.secrets_at().get("elsewhere.example.test", set()) == set()


def test_a_password_that_is_refused_for_a_blob_is_not_sent_again(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})
    blob = f"/v2/{NAME}/blobs/{digest_of(LINUX_ZIP)}"
    challenge = refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"')

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return challenge if path == blob or "authorization" not in headers else scripted.respond(host, path, headers)

    source_answer = served(asking, respond, credentials=known())
    assert codes(source_answer) == ["credentials-rejected"]
    assert len(asking.asked(blob)) == 1

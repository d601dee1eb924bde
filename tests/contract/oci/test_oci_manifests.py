"""Manifests that are not what they should be: answers to HEAD, headers, digests, sizes, types."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest
from builders.mirrors import LINUX, h1, zh
from contract.oci.asking import Asking, Scripted, manifest_response, refused, without_connection
from contract.oci.kinds import LINUX_ZIP, Shelf, entry, image, index
from contract.oci.providers import NAME, TAG, codes, hashed, provider_shelf, served
from servers.https import Respond
from servers.oci_registry import OCI_INDEX, OCI_MANIFEST, PROVIDER, digest_of

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.demo.responses import Response


@pytest.fixture
def asking() -> Asking:
    return without_connection()


def head_answers(scripted: Scripted, answer: Callable[[Response], Response]) -> Respond:
    """The same registry with another answer to HEAD, which the journal's last request tells."""

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        right = scripted.respond(host, path, headers)
        accepts = headers.get("accept", "")
        return answer(right) if path == TAG and OCI_INDEX in accepts and "," in accepts else right

    return respond


def without(name: str) -> Callable[[Response], Response]:
    def answer(right: Response) -> Response:
        kept = tuple((key, value) for key, value in right.headers if key != name)
        return Response(status=right.status, headers=kept, body=right.body)

    return answer


def test_a_tag_is_resolved_by_head_and_everything_else_goes_by_digest(asking: Asking) -> None:
    source_answer = served(asking, Scripted({NAME: provider_shelf()}).respond)
    assert hashed(source_answer)
    assert asking.asked(TAG) == [f"HEAD {TAG}"] * 2  # once before and once after the package
    by_tag = ("/tags/", "/manifests/sha256-")  # the tags that name a digest: signatures may lie under them
    asked = [each for each in asking.asked("GET") if not any(part in each for part in by_tag)]
    assert all("sha256:" in each for each in asked)


@pytest.mark.parametrize("status", [405, 501, 400])
def test_a_registry_that_refuses_head_is_asked_for_the_manifest_itself(asking: Asking, status: int) -> None:
    shelf = provider_shelf()
    scripted = Scripted({NAME: shelf})

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if asking.server.journal.requests[-1].method == "HEAD":
            return Response.of_status(status)
        return scripted.respond(host, path, headers)

    source_answer = served(asking, respond)
    package = source_answer.package(LINUX)
    assert package is not None
    assert package.hashes == {zh(LINUX), h1(LINUX)}
    assert "cannot resolve the tag" in package.client_refusal
    assert codes(source_answer) == ["oci-tag-unresolved"]
    assert {chain.index_digest for chain in source_answer.chains} == {shelf.tags["1.2.3"]}


@pytest.mark.parametrize(("status", "code"), [(404, "oci-tag-missing"), (403, "credentials-required")])
def test_a_manifest_that_is_refused_without_head_too_is_no_answer(asking: Asking, status: int, code: str) -> None:
    scripted = Scripted({NAME: provider_shelf()})

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if path != TAG:
            return scripted.respond(host, path, headers)
        return Response.of_status(405 if asking.server.journal.requests[-1].method == "HEAD" else status)

    source_answer = served(asking, respond)
    assert (source_answer.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, [code])


def test_an_answer_to_head_without_a_length_does_not_stop_the_audit_but_the_client(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        right = scripted.respond(host, path, headers)
        if asking.server.journal.requests[-1].method != "HEAD":
            return right
        return Response(headers=(*right.headers, ("Transfer-Encoding", "chunked")))

    source_answer = served(asking, respond)
    package = source_answer.package(LINUX)
    assert package is not None
    assert package.hashes == {zh(LINUX), h1(LINUX)}
    assert "has no Content-Length header" in package.client_refusal


@pytest.mark.parametrize("header", ["Docker-Content-Digest", "Content-Type"])
def test_an_answer_to_head_without_a_header_does_not_stop_the_audit_but_the_client(asking: Asking, header: str) -> None:
    scripted = Scripted({NAME: provider_shelf()})

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        right = scripted.respond(host, path, headers)
        return without(header)(right) if asking.server.journal.requests[-1].method == "HEAD" else right

    source_answer = served(asking, respond)
    package = source_answer.package(LINUX)
    assert package is not None
    assert package.hashes == {zh(LINUX), h1(LINUX)}
    assert f"has no {header} header" in package.client_refusal
    assert codes(source_answer) == ["oci-tag-unresolved"]


def test_a_digest_header_without_head_is_held_against_the_bytes(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})
    other = digest_of(b"other")

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if path != TAG:
            return scripted.respond(host, path, headers)
        if asking.server.journal.requests[-1].method == "HEAD":
            return Response.of_status(405)
        right = scripted.plain(path)
        return manifest_response(OCI_INDEX, right.body, digest=other)

    source_answer = served(asking, respond)
    assert (source_answer.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, ["digest-mismatch"])


def test_a_wrong_digest_in_the_answer_to_head_finds_no_such_manifest(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})
    other = digest_of(b"other")
    respond = head_answers(scripted, lambda right: manifest_response(OCI_INDEX, right.body, digest=other))
    source_answer = served(asking, respond)
    assert (source_answer.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, ["http-status"])
    assert other in source_answer.detail


def test_a_digest_that_is_none_is_an_error(asking: Asking) -> None:
    scripted = Scripted({NAME: provider_shelf()})
    respond = head_answers(scripted, lambda right: manifest_response(OCI_INDEX, right.body, digest="md5:00"))
    assert codes(served(asking, respond)) == ["digest-unsupported"]


def index_answered(asking: Asking, answer: Callable[[Response], Response]) -> SourceAnswer:
    """The index is answered in another way when it is asked for by its digest."""
    shelf = provider_shelf()
    scripted = Scripted({NAME: shelf})
    path = f"/v2/{NAME}/manifests/{shelf.tags['1.2.3']}"
    scripted.special[path] = lambda headers: answer(scripted.plain(path))
    return served(asking, scripted.respond)


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        (
            lambda right: manifest_response(OCI_INDEX, right.body[:-1] + b" "),
            "digest-mismatch",
            "manifest content does not match digest",
        ),
        (lambda right: manifest_response(OCI_INDEX, right.body + b" "), "wrong-size", "should have"),
        (lambda right: manifest_response(OCI_MANIFEST, right.body), "content-type", "image.manifest.v1+json"),
        (lambda right: manifest_response("text/html", right.body), "content-type", "text/html"),
        (
            lambda right: manifest_response(OCI_INDEX, right.body, digest=digest_of(b"x")),
            "digest-mismatch",
            "says that",
        ),
        (lambda right: refused(404, "MANIFEST_UNKNOWN"), "http-status", "MANIFEST_UNKNOWN"),
        (lambda right: refused(500, "UNKNOWN"), "http-status", "500"),
    ],
    ids=["other bytes", "longer", "other type", "a web page", "other digest header", "missing", "broken"],
)
def test_an_index_that_is_not_what_its_descriptor_says_is_not_used(
    asking: Asking, answer: Callable[[Response], Response], code: str, told: str
) -> None:
    source_answer = index_answered(asking, answer)
    assert (source_answer.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, [code])
    assert told in source_answer.detail
    assert (source_answer.packages, source_answer.observations) == ((), ())


@pytest.mark.parametrize(("padding", "accepted"), [(5 * 1024 * 1024 - 1, True), (5 * 1024 * 1024, False)])
def test_a_manifest_of_five_mebibytes_is_too_large(asking: Asking, padding: int, accepted: bool) -> None:
    shelf = Shelf()
    document = json.dumps(index([entry(shelf.target(LINUX_ZIP))])).encode()
    shelf.manifest(document + b" " * (padding - len(document)), OCI_INDEX, "1.2.3")
    source_answer = served(asking, Scripted({NAME: shelf}).respond)
    assert hashed(source_answer) is accepted
    if not accepted:
        assert codes(source_answer) == ["too-large"]
        assert "exceeds the client's size limit of 4 MiB" in source_answer.detail
        assert not [each for each in asking.asked() if each.startswith("GET") and "/manifests/" in each]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (b"[]", "invalid manifest content"),
        (b"<html>", "invalid manifest content"),
        (json.dumps(image({}, [{"mediaType": "archive/zip"}])).encode(), "is an image manifest where an index"),
        (json.dumps({"manifests": [{"size": -1}], "artifactType": PROVIDER}).encode(), "invalid manifest content"),
    ],
)
def test_an_index_that_cannot_be_read_is_no_provider(asking: Asking, document: bytes, told: str) -> None:
    shelf = Shelf()
    shelf.manifest(document, OCI_INDEX, "1.2.3")
    source_answer = served(asking, Scripted({NAME: shelf}).respond)
    assert (source_answer.outcome, codes(source_answer)) == (Outcome.NO_ANSWER, ["oci-wrong-kind"])
    assert told in source_answer.problems[0].message

"""Lists of tags and of repositories: pages, links, limits, and what a refusal means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import parse_qs

import pytest
from contract.oci.asking import ELSEWHERE, HOST, Asking, Scripted, known, refused, without_connection
from contract.oci.kinds import Shelf
from servers.https import Respond
from servers.oci_registry import TokenGate, basic

from lockwarden.core.cli_config.templates import parse_template
from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.oci import pages
from lockwarden.core.oci.catalog import fitting_repositories, list_repositories
from lockwarden.core.oci.registry import Registries
from lockwarden.core.oci.tags import TagList, list_tags
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, NotThereError, SourceError
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.oci_templates import RepositoryNames, UriTemplate
from lockwarden.core.values.versions import Version
from lockwarden.demo.responses import Response

NAME = "mirror/plain"
LIST = f"/v2/{NAME}/tags/list"


@pytest.fixture
def asking() -> Asking:
    return without_connection()


def tags_of(asking: Asking, respond: Respond, **options: object) -> TagList:
    asking.server.serve(respond)

    async def work(registries: Registries) -> TagList:
        return await list_tags(registries, registries.pulling(OciRepository.parse(f"{HOST}/{NAME}")))

    return asking.run(work, **options)  # type: ignore[arg-type]


def failure(asking: Asking, respond: Respond) -> SourceError:
    with pytest.raises(SourceError) as caught:
        tags_of(asking, respond)
    return caught.value


def page(tags: object, link: str = "", **more: object) -> Response:
    headers = (("Content-Type", "application/json"), *((("Link", link),) if link else ()))
    return Response(headers=headers, body=json.dumps({"name": NAME, "tags": tags, **more}).encode())


def always(response: Response) -> Respond:
    return lambda host, path, headers: response


def paged(tags: list[str], size: int, form: str) -> Respond:
    """A registry that gives out `size` tags a page; `form` is how it writes the link, with {path} in it."""

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        last = parse_qs(path.partition("?")[2]).get("last", [""])[0]
        begin = tags.index(last) + 1 if last else 0
        some = tags[begin : begin + size]
        more = begin + size < len(tags)
        return page(some, form.format(path=f"{LIST}?n={size}&last={some[-1]}") if more else "")

    return respond


@pytest.mark.parametrize(
    "form",
    [
        '<{path}>; rel="next"',
        f'<https://{HOST}{{path}}>; rel="next"',
        f"<https://{HOST}:443{{path}}>;rel=next",
        "<{path}>",
        '</v2/other>; rel="prev", <{path}>; rel="next"',
    ],
    ids=["relative", "absolute", "with a port", "bare", "among others"],
)
def test_pages_are_followed_to_the_last(asking: Asking, form: str) -> None:
    tags = [f"1.0.{number}" for number in range(7)]
    assert tags_of(asking, paged(tags, 3, form)).tags == tuple(tags)
    assert len(asking.asked(LIST)) == 3


def test_ten_thousand_tags_are_read(asking: Asking) -> None:
    tags = [f"1.{number // 100}.{number % 100}" for number in range(10_000)]
    found = tags_of(asking, paged(tags, 1000, '<{path}>; rel="next"'))
    assert len(found.versions) == 10_000
    assert found.versions[Version(1, 99, 99)] == ("1.99.99",)


def test_every_page_is_asked_with_the_token_of_the_repository(asking: Asking) -> None:
    tags = [f"1.0.{number}" for number in range(4)]
    gate = TokenGate(behind=paged(tags, 2, '<{path}>; rel="next"'), realm=f"https://{HOST}/token")
    assert tags_of(asking, gate.respond, credentials=known()).tags == tuple(tags)
    assert asking.secrets_at() == {HOST: {basic(), "Bearer token-0"}}


@pytest.mark.parametrize(
    "link",
    [
        f'<https://{ELSEWHERE}{LIST}?last=x>; rel="next"',
        f'<https://{HOST}:8443{LIST}?last=x>; rel="next"',
        f'<http://{HOST}{LIST}?last=x>; rel="next"',
        f'<//{ELSEWHERE}{LIST}>; rel="next"',
        f'<https://user:pw@{HOST}{LIST}?last=x>; rel="next"',
        '<file:///etc/passwd>; rel="next"',
    ],
)
def test_a_link_to_another_place_is_an_error_and_is_not_asked(asking: Asking, link: str) -> None:
    error = failure(asking, always(page(["1.0.0"], link)))
    assert (type(error), error.code) == (BadAnswerError, "link-elsewhere")
    assert "pw" not in error.message
    assert len(asking.asked()) == 1


def test_a_link_in_a_circle_is_an_error(asking: Asking) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        other = "a" if "last=b" in path else "b"
        return page(["1.0.0"], f'<{LIST}?last={other}>; rel="next"')

    error = failure(asking, respond)
    assert (type(error), error.code) == (BadAnswerError, "link-loop")
    assert len(asking.asked()) == 3


def test_a_list_without_end_is_an_error(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_PAGES", 5)
    number = iter(range(1_000_000))
    error = failure(asking, lambda host, path, headers: page([], f"<{LIST}?last={next(number)}>"))
    assert (type(error), error.code) == (BadAnswerError, "too-many-pages")
    assert len(asking.asked()) == 5


def test_a_list_that_takes_for_ever_is_given_up(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_SECONDS", 0.0)
    error = failure(asking, always(page([])))
    assert (type(error), error.code) == (NoAnswerError, "timeout")


@pytest.mark.parametrize("body", [b'{"tags": null}', b"{}", b'{"tags": []}'])
def test_no_tags_are_no_versions(asking: Asking, body: bytes) -> None:
    found = tags_of(asking, always(Response(headers=(("Content-Type", "application/json"),), body=body)))
    assert (found.tags, dict(found.versions)) == ((), {})
    source_answer = asking.ask()
    assert (source_answer.outcome, source_answer.detail) == (
        Outcome.NOT_THERE,
        f"{HOST}/{NAME} has no tag for version 1.2.3, nor any other",
    )


@pytest.mark.parametrize("body", [b"", b"[]", b"<html>", b'{"tags": {}}', b'{"tags": [1]}'])
def test_a_list_that_is_none_is_an_error(asking: Asking, body: bytes) -> None:
    error = failure(asking, always(Response(headers=(("Content-Type", "application/json"),), body=body)))
    assert (type(error), error.code) == (BadAnswerError, "unusable-json")


@pytest.mark.parametrize(
    "answer",
    [
        Response.of_status(404),
        Response.of_json({"errors": []}, status=404),
        refused(404, "NAME_UNKNOWN"),
        refused(404, "NAME_INVALID"),
        refused(400, "NAME_INVALID"),
        refused(403, "DENIED", "NAME_UNKNOWN"),
    ],
    ids=["bare 404", "404 without errors", "NAME_UNKNOWN", "NAME_INVALID", "400 NAME_INVALID", "403 NAME_UNKNOWN"],
)
def test_a_repository_that_is_not_there_is_an_answer(asking: Asking, answer: Response) -> None:
    assert type(failure(asking, always(answer))) is NotThereError
    assert asking.ask().outcome is Outcome.NOT_THERE


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (refused(404, "UNSUPPORTED"), BadAnswerError, "http-status"),
        (refused(403, "DENIED"), NoAnswerError, "credentials-required"),
        (Response.of_status(403), NoAnswerError, "credentials-required"),
        (refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"'), NoAnswerError, "credentials-required"),
        (Response.of_status(401), NoAnswerError, "authentication-unknown"),
        (refused(500, "UNKNOWN"), NoAnswerError, "http-status"),
        (refused(429, "TOOMANYREQUESTS"), NoAnswerError, "http-status"),
        (Response.of_status(418), BadAnswerError, "http-status"),
        (Response.of_status(204), NoAnswerError, "http-status"),
    ],
)
def test_any_other_refusal_says_nothing_of_what_is_there(
    asking: Asking, answer: Response, kind: type[SourceError], code: str
) -> None:
    error = failure(asking, always(answer))
    assert (type(error), error.code) == (kind, code)
    source_answer = asking.ask()
    assert source_answer.outcome is Outcome.NO_ANSWER
    assert [problem.code for problem in source_answer.problems] == [code]


def test_the_registrys_own_words_are_told(asking: Asking) -> None:
    assert "UNSUPPORTED: says unsupported" in failure(asking, always(refused(404, "UNSUPPORTED"))).message


def test_rejected_credentials_are_told_apart_from_missing_ones(asking: Asking) -> None:
    asking.server.serve(always(refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"')))
    source_answer = asking.ask(credentials=known())
    (problem,) = source_answer.problems
    assert problem.code == "credentials-rejected"
    assert f"“repository:{NAME}:pull”" in problem.message
    assert "the tests' configuration" in problem.hint


TAGS = ["1.0.0", "v1.0.0", "1.0.0_build.5", "latest", f"sha256-{'0' * 64}.sig", "1.0", "2.0"]


def shelf_with(*tags: str) -> Shelf:
    shelf = Shelf()
    for tag in tags:
        shelf.provider(tag)
    return shelf


@pytest.mark.parametrize(
    ("version", "outcome", "code"),
    [
        ("1.0.0", Outcome.ANSWERED, "oci-tags-alike"),
        ("1.0.0+build.5", Outcome.ANSWERED, ""),
        ("2.0.0", Outcome.NO_ANSWER, "oci-tag-missing"),
        ("3.0.0", Outcome.NOT_THERE, ""),
    ],
)
def test_tags_of_every_form_stand_for_what_the_client_takes_them_for(
    asking: Asking, version: str, outcome: Outcome, code: str
) -> None:
    asking.server.serve(Scripted({NAME: shelf_with(*TAGS)}).respond)
    source_answer = asking.ask(version=Version.parse(version))
    assert source_answer.outcome is outcome
    assert [problem.code for problem in source_answer.problems] == ([code] if code else [])


def test_the_tag_of_a_version_with_metadata_is_asked_for_with_an_underscore(asking: Asking) -> None:
    asking.server.serve(Scripted({NAME: shelf_with("1.0.0_build.5")}).respond)
    source_answer = asking.ask(version=Version.parse("1.0.0+build.5"))
    assert {chain.tag for chain in source_answer.chains} == {"1.0.0_build.5"}
    assert f"HEAD /v2/{NAME}/manifests/1.0.0_build.5" in asking.asked()


def repositories(asking: Asking, respond: Respond) -> tuple[str, ...]:
    asking.server.serve(respond)

    async def work(registries: Registries) -> tuple[str, ...]:
        return await list_repositories(registries, HOST)

    return asking.run(work, credentials=known())


def test_the_repositories_of_a_registry_come_in_pages(asking: Asking) -> None:
    names = [f"team/{number}" for number in range(5)]

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        begin = int(parse_qs(path.partition("?")[2]).get("at", ["0"])[0])
        link = f'</v2/_catalog?at={begin + 2}>; rel="next"' if begin + 2 < len(names) else ""
        body = json.dumps({"repositories": names[begin : begin + 2]}).encode()
        return Response(headers=(("Content-Type", "application/json"), ("Link", link)), body=body)

    assert repositories(asking, respond) == tuple(names)


def test_a_catalogue_is_asked_for_with_a_token_of_its_own(asking: Asking) -> None:
    gate = TokenGate(behind=always(Response.of_json({"repositories": ["a"]})), realm=f"https://{HOST}/token")
    assert repositories(asking, gate.respond) == ("a",)
    assert [scope for _, scope in gate.given] == ["registry:catalog:*"]


@pytest.mark.parametrize("answer", [Response.of_status(404), refused(405, "UNSUPPORTED"), Response.of_status(501)])
def test_a_registry_that_offers_no_catalogue_says_so(asking: Asking, answer: Response) -> None:
    with pytest.raises(NotThereError, match="does not offer a list of its repositories"):
        repositories(asking, always(answer))


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (refused(403, "DENIED"), "credentials-required"),
        (refused(401, "UNAUTHORIZED", WWW_Authenticate='Basic realm="r"'), "credentials-rejected"),
        (Response.of_status(503), "http-status"),
    ],
)
def test_a_catalogue_that_could_not_be_asked_for_is_not_absent(asking: Asking, answer: Response, code: str) -> None:
    with pytest.raises(NoAnswerError) as caught:
        repositories(asking, always(answer))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (UriTemplate.parse("{hostname}/{type}"), "no one registry to list"),
        (
            parse_template(f"{HOST}/${{hostname}}/${{namespace}}/%{{if true}}${{type}}%{{endif}}", include=()),
            "cannot be expanded: ",
        ),
    ],
    ids=["each provider has its own", "the template is not understood"],
)
def test_where_no_registry_can_be_named_none_is_asked(asking: Asking, names: RepositoryNames, reason: str) -> None:
    async def work(registries: Registries) -> object:
        return await fitting_repositories(registries, names)

    with pytest.raises(NotThereError, match=reason):
        asking.run(work)
    assert asking.asked() == []


def test_a_catalogue_that_is_none_is_an_error(asking: Asking) -> None:
    with pytest.raises(BadAnswerError):
        repositories(asking, always(Response.of_json({"repositories": "all"})))

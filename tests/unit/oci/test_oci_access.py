"""The way in at a registry: challenges, tokens and their servers' answers, without a network."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
import pytest
from builders.tables import table

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.credentials import NoCredentials, OciCredential
from lockwarden.core.oci.registry import Registries
from lockwarden.core.oci.tokens import DEFAULT_SECONDS, BearerToken, TokenRequest, fetch_token
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.oci_references import OciRepository

HOST = "registry.example.test"
REALM = f"https://{HOST}/token"
BEARER = f'Bearer realm="{REALM}",service="s",scope="repository:evil/other:pull,push"'
_T = TypeVar("_T")
Answer = Callable[[httpx.Request], httpx.Response]


class Known:
    """One credential for whoever asks; it counts the questions."""

    def __init__(self, credential: OciCredential | None) -> None:
        self.credential = credential
        self.asked = 0

    def lookup(self, domain: str, repository: str) -> OciCredential | None:
        self.asked += 1
        return self.credential


PASSWORD = OciCredential(origin="a file", username="user", password="pä:ss")


def run(answer: Answer, work: Callable[[HttpClient], Awaitable[_T]]) -> _T:
    async def waited(seconds: float) -> None:
        await asyncio.sleep(0)

    async def main() -> _T:
        async with HttpClient(
            HttpSettings(), transport=httpx.MockTransport(answer), sleep=waited, now=time.time
        ) as client:
            return await work(client)

    return asyncio.run(main())


def fetched(
    body: Any, *, status: int = 200, credential: OciCredential | None = None, seen: list[httpx.Request] | None = None
) -> BearerToken:
    request = TokenRequest(
        realm=httpx.URL(f"{REALM}?keep=1&scope=other"), service="s", scope="repository:a:pull", plain_secrets=False
    )

    def answer(asked: httpx.Request) -> httpx.Response:
        (seen if seen is not None else []).append(asked)
        return httpx.Response(status, content=body if isinstance(body, bytes) else json.dumps(body).encode())

    return run(answer, lambda client: fetch_token(client, request, credential, stage=Stage.VERSIONS))


@table(
    ("body", "value"),
    [
        ({"token": "t"}, "t"),
        ({"access_token": "a"}, "a"),
        ({"token": "t", "access_token": "a"}, "a"),
        ({"token": "t", "access_token": ""}, "t"),
        ({"Token": "t", "issued_at": "2026-01-01T00:00:00Z", "unknown": [1]}, "t"),
    ],
)
def test_a_token_goes_by_either_name(body: dict[str, Any], value: str) -> None:
    assert fetched(body).value == value


@table(
    ("expires_in", "seconds"),
    [
        (60, 54.0),
        (300.5, 270.45),
        (None, DEFAULT_SECONDS * 0.9),
        ("soon", DEFAULT_SECONDS * 0.9),
        (0, DEFAULT_SECONDS * 0.9),
        (-5, DEFAULT_SECONDS * 0.9),
        (10**30, 24 * 3600 * 0.9),
    ],
)
def test_a_token_is_used_for_nine_tenths_of_its_time_and_a_day_at_most(expires_in: object, seconds: float) -> None:
    assert fetched({"token": "t", "expires_in": expires_in}).seconds == pytest.approx(seconds)


def test_a_token_shows_none_of_itself() -> None:
    assert "secret-token" not in repr(fetched({"token": "secret-token"}))


def test_a_token_is_asked_for_one_repository_with_what_the_realm_has_already() -> None:
    seen: list[httpx.Request] = []
    fetched({"token": "t"}, credential=PASSWORD, seen=seen)
    assert dict(seen[0].url.params) == {"keep": "1", "service": "s", "scope": "repository:a:pull"}
    expected = base64.b64encode("user:pä:ss".encode()).decode()
    assert seen[0].headers["authorization"] == f"Basic {expected}"


@table(
    ("body", "reason"),
    [
        ({}, "holds no token"),
        ({"token": ""}, "holds no token"),
        ({"token": "a\nb"}, "cannot be sent"),
        ({"token": "ü"}, "cannot be sent"),
        ({"token": "x" * 70_000}, "cannot be sent"),
        ({"token": 5}, "JSON that was expected"),
        (b"<html><body>Sign in</body></html>", "web page"),
        (b"", "is empty"),
    ],
)
def test_an_answer_without_a_usable_token_is_an_error(body: Any, reason: str) -> None:
    with pytest.raises(BadAnswerError, match=reason) as caught:
        fetched(body)
    assert caught.value.code == "token-unusable"


@table(
    ("status", "credential", "code"),
    [
        (401, None, "credentials-required"),
        (403, None, "credentials-required"),
        (401, PASSWORD, "credentials-rejected"),
        (400, PASSWORD, "credentials-rejected"),
        (404, PASSWORD, "http-status"),
    ],
)
def test_a_token_server_that_refuses_is_told_apart(status: int, credential: OciCredential | None, code: str) -> None:
    with pytest.raises(NoAnswerError) as caught:
        fetched({"errors": [{"code": "DENIED", "message": "no"}]}, status=status, credential=credential)
    assert caught.value.code == code
    assert "DENIED: no" in caught.value.message
    assert "pä:ss" not in f"{caught.value.message} {caught.value.hint}"


def access_of(registries: Registries, name: str = f"{HOST}/a") -> Access:
    return registries.pulling(OciRepository.parse(name))


def asked(
    answer: Answer, credential: OciCredential | None, *, name: str = f"{HOST}/a"
) -> tuple[int, str, Known, list[httpx.Request]]:
    """Ask once: the final status, whose credentials were used, and what was asked."""
    known, seen = Known(credential), list[httpx.Request]()

    def noted(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answer(request)

    async def work(client: HttpClient) -> tuple[int, str]:
        registries = Registries(client, known)
        access = access_of(registries, name)
        document = await registries.ask(access, f"{access.base}a/tags/list", stage=Stage.VERSIONS, limit=1000)
        return document.status, access.credentials

    status, credentials = run(noted, work)
    return status, credentials, known, seen


def challenging(*headers: str, token: str = "t") -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/token":
            return httpx.Response(200, json={"token": token})
        if "authorization" in request.headers:
            return httpx.Response(200, json={})
        return httpx.Response(401, headers=[("WWW-Authenticate", header) for header in headers])

    return answer


def test_the_scope_is_ours_whatever_the_challenge_says() -> None:
    _, _, _, seen = asked(challenging(BEARER), None)
    assert seen[1].url.params["scope"] == "repository:a:pull"


@pytest.mark.parametrize(
    "headers", [('Basic realm="r"', BEARER), (BEARER, 'Basic realm="r"'), (f'Basic realm="r", {BEARER}',)]
)
def test_of_several_ways_the_token_is_taken(headers: tuple[str, ...]) -> None:
    status, credentials, _, seen = asked(challenging(*headers), PASSWORD)
    assert (status, credentials) == (200, "a file")
    assert [request.headers.get("authorization", "").partition(" ")[0] for request in seen] == ["", "Basic", "Bearer"]


def failure(answer: Answer, credential: OciCredential | None, name: str = f"{HOST}/a") -> SourceError:
    with pytest.raises(SourceError) as caught:
        asked(answer, credential, name=name)
    return caught.value


def test_a_password_that_there_is_none_for_is_named() -> None:
    error = failure(challenging('Basic realm="r"'), None)
    assert (type(error), error.code) == (NoAnswerError, "credentials-required")
    assert f"oci_credentials block for {HOST}" in error.hint


def test_an_access_token_is_no_password() -> None:
    error = failure(challenging('Basic realm="r"'), OciCredential(origin="a file", access_token="t"))
    assert (error.code, "a file holds an access token" in error.message) == ("credentials-unusable", True)


def test_an_access_token_that_cannot_be_sent_is_named_not_shown() -> None:
    error = failure(challenging(BEARER), OciCredential(origin="a file", access_token="t0ken\n"))
    assert error.code == "credentials-unusable"
    assert "t0ken" not in error.message


@pytest.mark.parametrize(("header", "told"), [("Negotiate", "“negotiate”"), ("", "does not say how")])
def test_an_unknown_way_to_authenticate_is_named(header: str, told: str) -> None:
    error = failure(challenging(header), PASSWORD)
    assert (error.code, told in error.message) == ("authentication-unknown", True)


def test_a_401_after_a_token_is_the_last_word_after_one_retry() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/token":
            return httpx.Response(200, json={"token": "t"})
        return httpx.Response(401, headers={"WWW-Authenticate": BEARER})

    status, _, _, seen = asked(answer, PASSWORD)
    assert status == 401
    assert [request.url.path for request in seen] == ["/v2/a/tags/list", "/token", "/v2/a/tags/list"]


def test_a_rejected_password_is_not_sent_twice() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(401, headers={"WWW-Authenticate": 'Basic realm="r"'})

    seen: list[httpx.Request] = []

    def noted(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answer(request)

    async def work(client: HttpClient) -> None:
        registries = Registries(client, Known(PASSWORD))
        access = access_of(registries)
        for _ in range(2):
            await registries.ask(access, f"{access.base}a/tags/list", stage=Stage.VERSIONS, limit=1000)

    run(noted, work)
    assert ["authorization" in request.headers for request in seen] == [False, True, True]


def test_docker_hub_is_asked_without_credentials_that_are_for_another_name() -> None:
    status, credentials, known, seen = asked(
        challenging('Bearer realm="https://auth.docker.io/token",service="registry.docker.io"'),
        PASSWORD,
        name="docker.io/a",
    )
    assert (status, credentials, known.asked) == (200, "anonymous", 0)
    assert [request.url.host for request in seen] == ["registry-1.docker.io", "auth.docker.io", "registry-1.docker.io"]
    assert "authorization" not in seen[1].headers


def test_docker_hub_by_its_own_name_is_asked_with_credentials() -> None:
    _, credentials, _, seen = asked(
        challenging('Bearer realm="https://auth.docker.io/token",service="registry.docker.io"'),
        PASSWORD,
        name="registry-1.docker.io/a",
    )
    assert credentials == "a file"
    assert seen[1].headers["authorization"].startswith("Basic ")


def test_docker_hub_says_how_to_give_it_credentials() -> None:
    error = failure(challenging('Basic realm="r"'), PASSWORD, name="docker.io/a")
    assert "registry-1.docker.io" in error.hint


def test_without_a_lookup_there_are_no_credentials() -> None:
    assert NoCredentials().lookup(HOST, "a") is None
    status, credentials, _, _ = asked(challenging(BEARER), None)
    assert (status, credentials) == (200, "anonymous")


def test_a_challenge_of_another_place_is_not_the_registrys() -> None:
    async def work(client: HttpClient) -> list[bool]:
        access = access_of(Registries(client))
        places = (
            f"https://{HOST}/v2/x",
            f"https://{HOST}:443/",
            f"http://{HOST}/",
            f"https://{HOST}:8443/",
            f"https://x.{HOST}/",
            "https://[",
            "https://a.test:port/",
        )
        return [access.answers_for(place) for place in places]

    assert run(challenging(), work) == [True, True, False, False, False, False, False]

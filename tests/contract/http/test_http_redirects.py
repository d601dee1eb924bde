"""Redirects and credentials of the HTTP client against real HTTPS servers: where they go, and where they never go."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import httpx
import pytest
from builders.tables import table
from contract.faulty_server import Answer, End, FaultyServer, faulty_server
from contract.http_world import OK, Run, World
from servers.authority import Authority

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, Stage

TOKEN = "s3cret"


def to(location: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": location}, body=b"moved")


def tokens(server: FaultyServer) -> list[str | None]:
    return [request.authorization for request in server.requests]


def here(world: World) -> str:
    return f"localhost:{world.server.port}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_and_told(status: int, run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/moved/here", OK)
        url = world.server.on("/a/b", to("../moved/here?signature=secret#part", status))
        document = await world.get(url + "?token=secret")
        assert document.body == OK.body
        assert document.url == world.server.url("/moved/here?signature=secret")
        assert document.redirects == (world.server.url("/a/b"),)

    run(scenario)


def test_a_redirect_to_another_host_is_followed_over_https(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/there", OK)
        url = world.server.on("/here", to(world.server.url("/there", host="127.0.0.1")))
        assert (await world.get(url)).url == world.server.url("/there", host="127.0.0.1")

    run(scenario)


REFUSED = {
    "plain http on the same host": ("http://localhost/", "plain http"),
    "plain http elsewhere": ("http://example.test/", "plain http"),
    "a file": ("file:///etc/hostname", "scheme “file”"),
    "ftp": ("ftp://example.test/", "scheme “ftp”"),
    "a password": ("https://user:s3cret@example.test/", "user name"),
    "no host name": ("https://[", "no host name"),
    "no URL": ("https://example.test:port/", "cannot be read"),
    "a very long URL": ("/" + "../" * 6000, "18001 characters"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_dangerous_redirect_is_refused_and_named_without_its_secrets(name: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        location, reason = REFUSED[name]
        error = await world.fails(world.server.on("/a", to(location)) + "?token=s3cret")
        assert (type(error), error.code) == (NoAnswerError, "redirect-refused")
        assert f"localhost:{world.server.port}" in error.message
        assert reason in error.message
        assert "s3cret" not in error.message
        assert len(world.server.requests) == 1

    run(scenario)


@table(
    "target",
    [
        "localhost",
        "a.localhost",
        "127.0.0.1",
        "127.1",
        "[::1]",
        "169.254.169.254",
        "[::ffff:169.254.1.1]",
        "0.0.0.0",
        "224.0.0.1",
    ],
)
def test_a_server_elsewhere_may_not_lead_to_this_machine_or_its_link(target: str) -> None:
    asked: list[str] = []

    def respond(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(302, headers={"Location": f"https://{target}/latest"})

    async def scenario() -> None:
        async with HttpClient(HttpSettings(), transport=httpx.MockTransport(respond), now=time.time) as client:
            await client.get_document("https://example.test/", stage=Stage.INDEX, limit=100)

    with pytest.raises(NoAnswerError, match="inside this machine"):
        asyncio.run(scenario())
    assert asked == ["https://example.test/"]


def test_a_redirect_to_nowhere_is_a_bad_answer(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", Answer(status=307)))
        assert (type(error), error.code) == (BadAnswerError, "redirect-broken")

    run(scenario)


@pytest.mark.parametrize(("options", "requests"), [({}, 10), ({"max_redirects": 5}, 6), ({"max_redirects": 0}, 1)])
def test_a_circle_of_redirects_ends_at_the_limit(options: dict[str, int], requests: int, run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", to("/a")), **options)
        assert (type(error), error.code) == (NoAnswerError, "too-many-redirects")
        assert (len(world.server.requests), world.waits) == (requests, [])

    run(scenario)


@pytest.mark.parametrize("body", [Answer(body=bytes(100_000)), Answer(body=b"cut", length=99, end=End.CLOSE)])
def test_what_a_redirect_says_beside_its_target_does_not_matter(body: Answer, run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/b", OK)
        url = world.server.on("/a", replace(body, status=302, headers={"Location": "/b"}))
        assert (await world.get(url)).body == OK.body

    run(scenario)


def test_a_token_goes_to_its_host_along_with_redirects_on_it(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/b", OK)
        document = await world.get(world.server.on("/a", to("/b")), credentials_for=here(world))
        assert tokens(world.server) == [f"Bearer {TOKEN}"] * 2
        assert document.credentials_sent

    run(scenario, credentials=lambda host: TOKEN)


def test_an_empty_token_is_sent_as_go_sends_it(run: Run) -> None:
    """A pipeline that lacks a secret sets its variable to nothing; most registries let such a client in."""

    async def scenario(world: World) -> None:
        document = await world.get(world.server.on("/a", OK), credentials_for=here(world))
        assert (document.body, tokens(world.server)) == (OK.body, ["Bearer"])

    run(scenario, credentials=lambda host: "")


def test_a_token_never_goes_to_another_host_and_does_not_come_back(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/c", Answer(status=401))
        world.server.on("/b", to(world.server.url("/c")))
        url = world.server.on("/a", to(world.server.url("/b", host="127.0.0.1")))
        document = await world.get(url, credentials_for=here(world))
        assert tokens(world.server) == [f"Bearer {TOKEN}", None, None]
        assert (document.status, document.credentials_sent) == (401, False)

    run(scenario, credentials=lambda host: TOKEN)


@pytest.mark.parametrize("name", ["Authorization", "Cookie", "Proxy-Authorization"])
def test_no_header_that_can_hold_a_secret_goes_to_another_host(run: Run, name: str) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/b", Answer())
        url = world.server.on("/a", to(world.server.url("/b", host="127.0.0.1")))
        await world.client.get_document(url, stage=Stage.METADATA, limit=1000, headers={name: "secret"})
        assert [request.headers.get(name.lower()) for request in world.server.requests] == ["secret", None]

    run(scenario)


def test_a_token_never_goes_to_another_port_of_its_host(run: Run, authority: Authority) -> None:
    async def scenario(world: World) -> None:
        async with faulty_server(authority.server_context) as other:
            await world.get(other.on("/a", OK), credentials_for=here(world))
            await world.get(world.server.on("/a", to(other.url("/a"))), credentials_for=here(world))
            assert tokens(other) == [None, None]

    run(scenario, credentials=lambda host: TOKEN)


def test_a_token_goes_to_a_further_host_only_when_the_caller_names_it(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", OK)
        for further in (frozenset({here(world)}), frozenset[str]()):
            await world.get(url, credentials_for="example.test", credentials_also_at=further)
        assert tokens(world.server) == ["Bearer token of example.test", None]

    run(scenario, credentials=lambda host: f"token of {host}")


def test_a_token_never_goes_over_plain_http(run: Run) -> None:
    async def scenario(world: World) -> None:
        document = await world.get(world.server.on("/a", OK), credentials_for=here(world))
        assert tokens(world.server) == [None]
        assert not document.credentials_sent

    run(scenario, tls=False, credentials=lambda host: TOKEN)


def test_a_host_without_a_token_is_asked_without_one(run: Run) -> None:
    async def scenario(world: World) -> None:
        document = await world.get(world.server.on("/a", Answer(status=401)), credentials_for=here(world))
        assert (tokens(world.server), document.credentials_sent) == ([None], False)

    run(scenario)


def test_secret_headers_of_the_caller_stay_with_the_first_host(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/b", OK)
        url = world.server.on("/a", to(world.server.url("/b", host="127.0.0.1")))
        await world.get(url, headers={"authorization": "Basic dXNlcjpw", "X-Other": "1"})
        assert tokens(world.server) == ["Basic dXNlcjpw", None]
        assert [request.headers.get("x-other") for request in world.server.requests] == ["1", "1"]

    run(scenario)


@pytest.mark.parametrize("token", ["two\r\nlines", "tökën"])
def test_a_token_that_cannot_be_sent_is_an_error_that_does_not_show_it(token: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", OK), credentials_for=here(world))
        assert (type(error), error.code) == (NoAnswerError, "credentials-unusable")
        assert token not in error.message
        assert world.server.requests == []

    run(scenario, credentials=lambda host: token)


def test_plain_http_on_the_loopback_interface_is_allowed(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/b", OK)
        assert (await world.get(world.server.on("/a", to("/b")))).status == 200

    run(scenario, tls=False)


def test_a_redirect_from_plain_http_to_https_is_followed(run: Run, authority: Authority) -> None:
    async def scenario(world: World) -> None:
        async with faulty_server(None) as plain:
            world.server.on("/b", OK)
            assert (await world.get(plain.on("/a", to(world.server.url("/b"))))).status == 200

    run(scenario)


REFUSED_URLS = {
    "plain http": "http://example.test/a?token=s3cret",
    "a file": "file:///etc/hostname",
    "a password": "https://user:s3cret@example.test/",
    "no scheme": "//example.test/",
    "no host name": "https://[",
    "no URL": "https://example.test:port/",
    "nothing": "",
    "no host": "https:///a",
    "a very long URL": "https://example.test/" + "a" * 20_000,
}


@pytest.mark.parametrize("name", REFUSED_URLS)
def test_a_url_that_may_not_be_asked_is_a_bad_answer_of_whoever_gave_it(name: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(REFUSED_URLS[name])
        assert (type(error), error.code) == (BadAnswerError, "url-refused")
        assert "s3cret" not in error.message
        assert len(error.message) < 500

    run(scenario)


def test_plain_http_is_asked_where_the_operator_allows_the_host() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers=[(b"X-Sent", request.headers.get("authorization", "nothing").encode())])

    async def scenario(host: str, url: str) -> str:
        settings = HttpSettings(insecure_http_hosts=frozenset({host}))
        client = HttpClient(
            settings, transport=httpx.MockTransport(respond), credentials=lambda host: TOKEN, now=time.time
        )
        async with client:
            document = await client.get_document(
                url, stage=Stage.INDEX, limit=10, credentials_for=host, headers={"Authorization": "mine"}
            )
        return document.headers["x-sent"]

    assert asyncio.run(scenario("example.test", "http://example.test:8080/")) == "nothing"
    assert asyncio.run(scenario("example.test:8080", "http://example.test:8080/")) == "nothing"
    with pytest.raises(BadAnswerError, match="plain http"):
        asyncio.run(scenario("example.test:8080", "http://example.test/"))

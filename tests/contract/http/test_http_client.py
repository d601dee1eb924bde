"""The HTTP client against a real HTTPS server: answers, statuses, retries, bodies, times."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import socket
import ssl
import time
from dataclasses import replace

import httpx
import pytest
from contract.faulty_server import Answer, End
from contract.http_world import OK, Run, World
from servers.authority import Authority

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage


def test_a_document_comes_with_its_status_type_digest_and_final_url(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/v1/versions", replace(OK, headers={"Content-Type": "Application/JSON; charset=utf-8"}))
        document = await world.get(url + "?page=1", headers={"X-Terraform-Version": "1.12.0"})
        assert (document.status, document.body, document.url) == (200, OK.body, url + "?page=1")
        assert document.content_type == "Application/JSON; charset=utf-8"
        assert document.media_type == "application/json"
        assert document.sha256 == hashlib.sha256(OK.body).hexdigest()
        assert document.headers["content-length"] == str(len(OK.body))
        assert (document.redirects, document.credentials_sent) == ((), False)
        (request,) = world.server.requests
        assert request.headers["user-agent"] == "lockwarden/test"
        assert request.headers["x-terraform-version"] == "1.12.0"
        assert request.authorization is None

    run(scenario)


@pytest.mark.parametrize("status", [201, 204, 304, 400, 401, 403, 404, 410, 501])
def test_a_final_status_is_a_value_and_is_not_asked_for_again(status: int, run: Run) -> None:
    async def scenario(world: World) -> None:
        body = b"" if status in (204, 304) else b"reason"
        document = await world.get(world.server.on("/a", Answer(status=status, body=body)))
        assert (document.status, document.body) == (status, body)
        assert len(world.server.requests) == 1

    run(scenario)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_status_that_may_pass_is_asked_for_again_and_then_is_no_answer(status: int, run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", Answer(status=status)) + "?token=secret")
        assert isinstance(error, NoAnswerError)
        assert error.code == "http-status"
        assert error.message.startswith(f"localhost:{world.server.port} answered {status} ")
        assert error.message.endswith("(2 attempts)")
        assert world.server.asked() == ["/a?token=secret"] * 2
        (event,) = world.retries
        assert (event.url, event.stage, event.attempt, event.delay) == (world.server.url("/a"), Stage.VERSIONS, 2, 1.0)
        assert str(status) in event.reason

    run(scenario)


@pytest.mark.parametrize(
    ("status", "headers", "body", "told", "hint"),
    [
        (
            429,
            {"Retry-After": "120"},
            b'{"errors": ["slow down"]}',
            "and asks to wait 120 seconds; the server says “slow down” (2",
            "--jobs",
        ),
        (429, {}, b"", "answered 429 Too Many Requests (2", "--jobs"),
        (
            503,
            {"Retry-After": "0"},
            b'{"errors": [{"message": "hush, sesame"}]}',
            "Unavailable; the server says “(words that held",
            "later",
        ),
    ],
)
def test_what_the_server_says_of_its_refusal_is_told_as_its_words(
    status: int, headers: dict[str, str], body: bytes, told: str, hint: str, run: Run
) -> None:
    async def scenario(world: World) -> None:
        answer = Answer(status=status, headers=headers, body=body)
        error = await world.fails(world.server.on("/a", answer), headers={"Authorization": "Bearer sesame"})
        assert told in error.message
        assert hint in error.hint
        assert "sesame" not in error.message

    run(scenario)


def test_an_answer_after_a_retry_is_an_answer(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", Answer(status=503), Answer(end=End.RESET, raw=b""), Answer(status=429), OK)
        assert (await world.get(url, retries=3)).body == OK.body
        assert world.waits == [1.0, 2.0, 4.0]

    run(scenario)


def test_without_retries_one_failure_is_the_end(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", Answer(status=503), OK), retries=0)
        assert "attempts" not in error.message
        assert (len(world.server.requests), world.waits, world.retries) == (1, [], [])

    run(scenario)


@pytest.mark.parametrize(
    ("retry_after", "wait"),
    [("7", 7.0), ("3600", 30.0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10.0), ("yesterday", 1.0), ("-1", 1.0)],
)
def test_the_server_may_say_how_long_to_wait_within_limits(retry_after: str, wait: float, run: Run) -> None:
    async def scenario(world: World) -> None:
        await world.get(world.server.on("/a", Answer(status=429, headers={"Retry-After": retry_after}), OK))
        assert world.waits == [wait]

    run(scenario)


BROKEN: dict[str, tuple[Answer, type[SourceError], str, int]] = {
    "reset before an answer": (Answer(raw=b"", end=End.RESET), NoAnswerError, "connection-reset", 2),
    "closed before an answer": (Answer(raw=b"", end=End.CLOSE), NoAnswerError, "connection-reset", 2),
    "reset in the body": (Answer(body=b"{", length=10, end=End.RESET), NoAnswerError, "connection-reset", 2),
    "cut body": (Answer(body=b"{", length=10, end=End.CLOSE), BadAnswerError, "short-body", 2),
    "cut chunks": (Answer(body=b"{", chunked=True, end=End.CLOSE), BadAnswerError, "short-body", 2),
    "no HTTP": (Answer(raw=b"SSH-2.0-server\r\n\r\n", end=End.CLOSE), BadAnswerError, "not-http", 1),
    "endless head": (Answer(raw=b"HTTP/1.1 200 OK\r\nA: " + b"a" * 300_000), BadAnswerError, "not-http", 1),
    "announced too large": (Answer(length=10_001, end=End.STALL), BadAnswerError, "too-large", 1),
    "too large": (Answer(body=bytes(10_001), chunked=True), BadAnswerError, "too-large", 1),
    "gzip bomb": (
        Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(bytes(3_000_000), 1)),
        BadAnswerError,
        "too-large",
        1,
    ),
    "cut gzip": (
        Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(OK.body)[:-9]),
        BadAnswerError,
        "short-body",
        2,
    ),
    "damaged gzip": (
        Answer(headers={"Content-Encoding": "gzip"}, body=b"\x1f\x8b\x08\x00" + b"\xff" * 40),
        BadAnswerError,
        "content-encoding",
        1,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_answer_is_a_typed_error(name: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        answer, kind, code, requests = BROKEN[name]
        error = await world.fails(world.server.on("/a", answer))
        assert (type(error), error.code) == (kind, code)
        assert error.message
        assert len(world.server.requests) == requests

    run(scenario)


@pytest.mark.parametrize("limit", [len(OK.body), len(OK.body) + 1])
def test_a_body_up_to_the_limit_is_taken(limit: int, run: Run) -> None:
    async def scenario(world: World) -> None:
        assert (await world.get(world.server.on("/a", OK), limit=limit)).body == OK.body
        assert (await world.get(world.server.on("/b", replace(OK, chunked=True)), limit=limit)).body == OK.body

    run(scenario)


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "identity", "GZIP", "aws-chunked"])
def test_the_encoding_that_the_clients_undo_is_undone_and_no_other(encoding: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        body = gzip.compress(OK.body) if encoding.lower() == "gzip" else OK.body
        url = world.server.on("/a", Answer(headers={"Content-Encoding": encoding}, body=body))
        assert (await world.get(url)).body == OK.body
        assert world.server.requests[0].headers["accept-encoding"] == "gzip"

    run(scenario)


def test_more_bytes_than_announced_are_not_taken(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", Answer(body=OK.body + b"trailing", length=len(OK.body), end=End.CLOSE))
        assert (await world.get(url)).body == OK.body

    run(scenario)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=404, body=bytes(200_000)),
        Answer(status=404, body=b"cut", length=100, end=End.CLOSE),
        Answer(status=404, headers={"Content-Encoding": "br"}, body=b"x"),
    ],
)
def test_the_status_of_an_error_page_counts_whatever_its_body_is(answer: Answer, run: Run) -> None:
    async def scenario(world: World) -> None:
        document = await world.get(world.server.on("/a", answer), limit=1_000_000)
        assert document.status == 404
        assert len(document.body) <= 65_536

    run(scenario)


@pytest.mark.parametrize(
    ("content_type", "words"),
    [("text/html; charset=utf-8", "“text/html; charset=utf-8” instead of"), ("", "without a content type")],
)
def test_a_wrong_content_type_is_named(content_type: str, words: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        headers = {"Content-Type": content_type} if content_type else {}
        url = world.server.on("/a", Answer(headers=headers, body=b"<html>"))
        error = await world.fails(url, content_types=frozenset({"application/json"}))
        assert (type(error), error.code) == (BadAnswerError, "content-type")
        assert words in error.message
        assert ("login page" in error.hint) == bool(content_type)
        missing = await world.get(world.server.url("/nowhere"), content_types=frozenset({"application/json"}))
        assert missing.status == 404

    run(scenario)


@pytest.mark.parametrize("answer", [Answer(raw=b"", end=End.STALL), Answer(body=b"{", length=9, end=End.STALL)])
def test_a_silent_server_is_no_answer(answer: Answer, run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", answer))
        assert (type(error), error.code, world.waits) == (NoAnswerError, "timeout", [1.0])

    run(scenario, metadata_timeout=0.3)


@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"])
def test_a_server_that_drips_bytes_runs_out_of_time(raw: bytes, run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", Answer(raw=raw, end=End.DRIP)), limit=10**7, retries=0)
        assert (type(error), error.code) == (NoAnswerError, "timeout")

    run(scenario, metadata_timeout=0.5)


def test_a_refused_connection_is_no_answer(run: Run) -> None:
    async def scenario(world: World) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        error = await world.fails(f"https://127.0.0.1:{port}/?token=secret")
        assert (type(error), error.code) == (NoAnswerError, "connection-refused")
        assert error.message == f"127.0.0.1:{port} refused the connection (2 attempts)"
        assert error.hint

    run(scenario)


def test_a_name_that_cannot_be_resolved_is_no_answer(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails("https://registry.invalid/", retries=0)
        assert (type(error), error.code) == (NoAnswerError, "dns-failure")
        assert "registry.invalid" in error.message

    run(scenario)


def test_plain_http_behind_an_https_url_is_no_answer(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.url("/").replace("http:", "https:"))
        assert (type(error), error.code, world.waits) == (NoAnswerError, "tls-failure", [])

    run(scenario, tls=False)


def test_an_untrusted_certificate_is_no_answer_and_its_issuer_is_named(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", OK))
        assert (type(error), error.code, world.waits) == (NoAnswerError, "tls-certificate", [])
        assert error.message.startswith(f"the certificate of localhost:{world.server.port} is not trusted: ")
        assert "Lockwarden tests" in error.message
        assert "SSL_CERT_FILE" in error.hint
        assert world.server.requests == []

    run(scenario, ca_file="")


def test_a_certificate_for_another_name_is_no_answer(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.url("/a", host="127.1"))
        assert error.code == "tls-certificate"
        assert "127.1" in error.message

    run(scenario)


def test_a_server_that_knows_only_old_tls_is_no_answer(run: Run, authority: Authority) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", OK), retries=0)
        assert (type(error), error.code) == (NoAnswerError, "tls-failure")

    context = authority.server_context
    newest = context.maximum_version
    try:
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        run(scenario)
    finally:
        context.maximum_version = newest


def test_offline_nothing_is_asked(run: Run) -> None:
    async def scenario(world: World) -> None:
        error = await world.fails(world.server.on("/a", OK))
        assert (type(error), error.code) == (NoAnswerError, "offline")
        assert world.server.requests == []

    run(scenario, offline=True)


def test_cookies_are_not_kept(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", replace(OK, headers={"Set-Cookie": "session=1; Path=/"}))
        await world.get(url)
        await world.get(url)
        assert [request.headers.get("cookie") for request in world.server.requests] == [None, None]

    run(scenario)


def test_at_most_so_many_requests_are_under_way_at_one_host(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", OK)
        world.server.release.clear()
        async with asyncio.TaskGroup() as group:
            for _ in range(9):
                group.create_task(world.get(url))
            while len(world.server.requests) < 3:  # noqa: ASYNC110 - the server is not ours to wait for
                await asyncio.sleep(0)
            world.server.release.set()
        assert len(world.server.requests) == 9
        assert world.server.most_at_once == 3

    run(scenario, documents_per_host=3)


def test_waiting_for_a_free_place_does_not_count_as_time(run: Run) -> None:
    async def scenario(world: World) -> None:
        slow = world.server.on("/slow", Answer(raw=b"", end=End.STALL))
        first = asyncio.ensure_future(world.fails(slow, retries=0))
        await asyncio.sleep(0)
        document = await world.get(world.server.on("/a", OK), retries=0)
        assert (document.status, (await first).code) == (200, "timeout")

    run(scenario, documents_per_host=1, metadata_timeout=2.0)


def test_an_injected_transport_is_asked_and_nothing_else() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"host": request.url.host})

    async def scenario() -> HttpDocument:
        async with HttpClient(HttpSettings(), transport=httpx.MockTransport(respond), now=time.time) as client:
            return await client.get_document("https://example.test/", stage=Stage.DISCOVERY, limit=100)

    assert asyncio.run(scenario()).body == b'{"host":"example.test"}'


def test_a_client_is_only_used_while_it_is_open() -> None:
    async def scenario() -> None:
        await HttpClient(HttpSettings(), now=time.time).get_document(
            "https://example.test/", stage=Stage.DISCOVERY, limit=100
        )

    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(scenario())

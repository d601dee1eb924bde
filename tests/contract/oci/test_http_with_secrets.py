"""What the HTTP client does for registries: HEAD requests, and an Authorization that is bound to one host."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.request import getproxies

import httpx
import pytest
from contract.oci.asking import ELSEWHERE, HOST, Asking, redirect
from servers.https import HttpsServer, serving

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.downloads import download
from lockwarden.core.http.package_streams import PackageStream
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.errors import BadAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.demo.responses import Response

SECRET = {"Authorization": "Bearer s3cret"}
PAGE = f"https://{HOST}/page"


def get(asking: Asking, url: str, **options: Any) -> HttpDocument:
    given = {"stage": Stage.INDEX, "limit": 100, **options}
    document: HttpDocument = run(asking, lambda client: client.get_document(url, **given))
    return document


def run(asking: Asking, work: Callable[[HttpClient], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with HttpClient(
            HttpSettings(proxies=getproxies(), ca_file=asking.ca_file, metadata_timeout=60.0),
            now=time.time,
        ) as client:
            return await work(client)

    return asyncio.run(main())


def long_page(host: str, path: str, headers: Mapping[str, str]) -> Response:
    return redirect("/page") if path == "/moved" else Response.of_bytes(b"x" * 5000)


def test_a_head_request_has_headers_and_no_body_whatever_length_is_announced(asking: Asking) -> None:
    asking.server.serve(long_page)
    document = get(asking, PAGE, method="HEAD")
    assert (document.status, document.body, document.headers["content-length"]) == (200, b"", "5000")
    with pytest.raises(BadAnswerError, match="limit"):
        get(asking, PAGE)


def test_a_head_request_stays_one_after_a_redirect(asking: Asking) -> None:
    asking.server.serve(long_page)
    get(asking, f"https://{HOST}/moved", method="HEAD")
    assert asking.asked() == ["HEAD /moved", "HEAD /page"]


def test_a_given_authorization_goes_to_its_own_host_only(asking: Asking) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return redirect(f"https://{ELSEWHERE}/there") if host == HOST else Response.of_bytes(b"x")

    asking.server.serve(respond)
    document = get(asking, PAGE, headers=SECRET)
    assert asking.secrets_at() == {HOST: {"Bearer s3cret"}, ELSEWHERE: set()}
    assert document.credentials_sent is False
    assert get(asking, f"https://{ELSEWHERE}/there", headers=SECRET).credentials_sent is True
    assert get(asking, f"https://{ELSEWHERE}/there").credentials_sent is False


@pytest.fixture
def plain_server() -> Any:
    with serving(lambda host, path, headers: Response.of_bytes(b"x"), context=None) as server:
        yield server


@pytest.mark.parametrize(("allowed", "seen"), [(False, None), (True, "Bearer s3cret")])
def test_an_authorization_goes_over_plain_http_on_this_machine_where_that_is_said(
    asking: Asking, plain_server: HttpsServer, allowed: bool, seen: str | None
) -> None:
    get(asking, plain_server.url, headers=SECRET, plain_secrets=allowed)
    assert [request.authorization for request in plain_server.journal.requests] == [seen]


def test_an_authorization_never_goes_over_plain_http_to_another_machine(asking: Asking) -> None:
    settings = HttpSettings(proxies=getproxies(), ca_file=asking.ca_file, insecure_http_hosts=frozenset({HOST}))
    seen: list[str | None] = []

    async def main() -> None:
        def answer(request: httpx.Request) -> httpx.Response:
            seen.append(request.headers.get("authorization"))
            return httpx.Response(200)

        async with HttpClient(settings, transport=httpx.MockTransport(answer), now=time.time) as client:
            await client.get_document(
                f"http://{HOST}/", stage=Stage.INDEX, limit=10, headers=SECRET, plain_secrets=True
            )

    asyncio.run(main())
    assert seen == [None]


def test_a_download_carries_headers_and_says_what_a_refusal_means(asking: Asking) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return Response.of_bytes(b"bytes") if "authorization" in headers else Response.of_status(401)

    def refused(stream: PackageStream, stage: Stage) -> SourceError:
        return BadAnswerError(
            f"{stream.status} {stream.headers['content-type']}", stage=stage, code=ProblemCode.CHALLENGED
        )

    async def work(client: HttpClient) -> int:
        async with PackageStore(None, now=time.time) as store:
            with pytest.raises(BadAnswerError, match="401 text/plain") as caught:
                await download(client, PAGE, store, unsuccessful=refused)
            assert caught.value.code is ProblemCode.CHALLENGED
            return (await download(client, PAGE, store, headers=SECRET)).size

    asking.server.serve(respond)
    assert run(asking, work) == 5


def test_a_download_is_held_against_the_size_that_somebody_else_declared(asking: Asking) -> None:
    async def work(client: HttpClient) -> None:
        async with PackageStore(None, now=time.time) as store:
            await download(client, PAGE, store, declared_size=4)

    asking.server.serve(lambda host, path, headers: Response.of_bytes(b"bytes"))
    with pytest.raises(BadAnswerError) as caught:
        run(asking, work)
    assert caught.value.code == "long-body"

"""Commands in the tests' process do without connections only where a server gives a whole answer to who trusts it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from servers.authority import Authority
from servers.https import HttpsServer
from servers.no_connections import over_connections, without_connections
from servers.proxy import Proxy

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, Stage
from lockwarden.demo.world import Response


def ask(settings: HttpSettings, path: str) -> bytes:
    async def get() -> bytes:
        async with HttpClient(settings, now=time.time) as client:
            url = f"https://registry.example.test{path}"
            return (await client.get_document(url, stage=Stage.DISCOVERY, limit=100, retries=0)).body

    with without_connections():
        return asyncio.run(get())


def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
    length = "9" if path == "/short" else "4"
    return Response(headers=(("Content-Length", length),), body=b"body")


def test_a_whole_answer_needs_no_connection_and_any_other_has_one(
    https_server: HttpsServer, proxy: Proxy, authority: Authority, tmp_path: Path
) -> None:
    https_server.serve(respond)
    settings = HttpSettings(proxies={"https": proxy.url}, ca_file=str(authority.ca_file))
    assert ask(settings, "/whole") == b"body"
    assert proxy.connects.requests == ()
    with pytest.raises((BadAnswerError, NoAnswerError)):
        ask(settings, "/short")
    assert len(proxy.connects.requests) == 1
    assert [request.path for request in https_server.journal.requests] == ["/whole", "/short"]
    with over_connections():
        assert ask(settings, "/whole") == b"body"
    assert len(proxy.connects.requests) == 2

    # Who does not trust the server is not answered by it.
    stranger = Authority.make(tmp_path)
    with pytest.raises(NoAnswerError):
        ask(HttpSettings(proxies={"https": proxy.url}, ca_file=str(stranger.ca_file)), "/whole")
    assert len(https_server.journal.requests) == 3

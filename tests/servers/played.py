"""Answers without any connection, for tests of what answers mean and not of how they come."""

from __future__ import annotations

import asyncio

import httpx

from servers.https import HttpsServer, Respond
from servers.journal import Journal, Request


class Played(httpx.AsyncBaseTransport):
    """What a client sends its requests through, in which a callable answers for every host."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond
        self.journal = Journal()

    def serve(self, respond: Respond) -> None:
        """Answer otherwise from now on, and start the journal afresh, as an HTTPS server of the tests does."""
        self._respond = respond
        self.journal.clear()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Note and answer one request. Raises ConnectError for plain http."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        host, path = request.url.host, request.url.raw_path.decode("ascii")
        asked = Request(scheme=request.url.scheme, method=request.method, host=host, path=path, headers=headers)
        self.journal.add(asked)
        await asyncio.sleep(0)  # others have their turn, and time-outs theirs, as on a connection
        if request.url.scheme != "https":
            raise httpx.ConnectError("only https is served", request=request)
        answer = self._respond(host, path, headers)
        body = b"" if request.method == "HEAD" else answer.body
        return httpx.Response(answer.status, headers=list(answer.headers_with_length), stream=httpx.ByteStream(body))


def transport_of(server: HttpsServer | Played) -> Played | None:
    """What a client is given so that it asks this server: nothing where there are connections to it."""
    return server if isinstance(server, Played) else None

"""Answers without any connection, for tests of what answers mean and not of how they come."""

from __future__ import annotations

import httpx

from servers.https import Respond


class Played(httpx.AsyncBaseTransport):
    """What a client sends its requests through, in which a callable answers for every host."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request. Raises ConnectError for plain http."""
        if request.url.scheme != "https":
            raise httpx.ConnectError("only https is served", request=request)
        headers = {name.lower(): value for name, value in request.headers.items()}
        answer = self._respond(request.url.host, request.url.raw_path.decode("ascii"), headers)
        body = b"" if request.method == "HEAD" else answer.body
        return httpx.Response(answer.status, headers=list(answer.headers_with_length), content=body)

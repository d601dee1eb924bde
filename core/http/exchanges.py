"""One exchange over HTTP: a request, the redirects that may be followed, and the final answer's head."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final, Protocol

import httpx
import msgspec
from msgspec import Struct

from lockwarden.core.http.content_encoding import decoded
from lockwarden.core.http.redirect_policy import (
    REDIRECTS,
    check_count,
    headers_to_send,
    redirect_target,
    takes_secrets,
    unreadable_target,
)
from lockwarden.core.http.request_reporting import UNREPORTED, RequestReporting
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.urls import host_of, redacted

_MOST_DIGITS: Final = 18
"""Of an announced length: more bytes than that nobody has."""
_AT_A_STRETCH: Final = 64
"""Pieces of a body that are taken in before everything else that runs gets a turn, however small they are."""
_DRAINED: Final = 16 * 1024
"""Bytes of an uninteresting body that are read so that the connection can be used again."""


class HttpRequest(Struct, frozen=True, kw_only=True):
    """What to ask, and how far to go for it."""

    url: httpx.URL
    stage: Stage
    headers: Mapping[str, str]
    secret_hosts: frozenset[str]
    """Hosts in comparison form that may see the headers that hold secrets."""
    max_redirects: int
    insecure_hosts: frozenset[str]
    timeout: httpx.Timeout
    method: str = "GET"
    """`GET` or `HEAD`; it stays the same after a redirect."""
    sent_to: set[str] | None = None
    """Where hosts are noted that are sent the headers with secrets; None to note none."""
    secrets: frozenset[str] = frozenset()
    """What no URL that a redirect leads to may show."""
    plain_secrets: bool = False
    """Whether the headers that hold secrets may also go over plain http, to this machine only."""
    reporting: RequestReporting = UNREPORTED
    """Whom each request is told."""


class HttpResponse(Struct, frozen=True, kw_only=True):
    """The head of the final answer; its body is still to be read."""

    response: httpx.Response
    url: httpx.URL
    redirects: tuple[str, ...]
    """The URLs that were asked before, without their secrets."""
    secrets_sent: bool
    """Whether the headers that hold secrets went to this URL, if there were any."""
    number: int = 0
    """Of the request that it answers, as it was told."""


class SendError(Exception):
    """Trouble below HTTP before the final answer began; its cause is the transport's exception."""

    def __init__(self, url: httpx.URL, cause: Exception) -> None:
        super().__init__(str(cause))
        self.url = url
        self.cause = cause


class Stopwatch:
    """A limit on the time that is spent on one exchange; it only runs while told to."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Count the time of this block. Raises TimeoutError when nothing is left."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        try:
            async with asyncio.timeout(self._left):
                yield
        finally:
            self._left -= loop.time() - begin


class HostSlots(Protocol):
    """Says when a request may go to a host, and hears what the host answers."""

    def of(self, url: httpx.URL) -> AbstractAsyncContextManager[object]:
        """What a request to the URL's host is made in; entering it waits. May raise NoAnswerError."""
        ...

    def answered(self, url: httpx.URL, response: httpx.Response) -> None:
        """The host has answered with this head."""
        ...


class Slots(Struct, frozen=True):
    """How many requests may be under way at the same host at the same time."""

    per_host: int
    _taken: dict[str, asyncio.Semaphore] = msgspec.field(default_factory=dict)

    def of(self, url: httpx.URL) -> asyncio.Semaphore:
        """The slots of the URL's host and port."""
        return self._taken.setdefault(host_of(url), asyncio.Semaphore(self.per_host))

    def answered(self, url: httpx.URL, response: httpx.Response) -> None:
        """Nothing follows from an answer here."""


@asynccontextmanager
async def exchange(
    client: httpx.AsyncClient, ask: HttpRequest, watch: Stopwatch, slots: HostSlots
) -> AsyncIterator[HttpResponse]:
    """Ask, follow redirects, and give the final answer while its connection is open.

    Raises NoAnswerError for a redirect that is refused or one too many, BadAnswerError for one without a target, and
    SendError for trouble below HTTP. Trouble while the body is read is the reader's.
    """
    url = ask.url
    seen: tuple[str, ...] = ()
    secrets = True
    while True:
        secrets = takes_secrets(url, hosts=ask.secret_hosts, plain=ask.plain_secrets, so_far=secrets)
        if secrets and ask.sent_to is not None:
            ask.sent_to.add(host_of(url))
        async with slots.of(url):
            with ask.reporting.request(host_of(url), ask.stage) as number:
                headers = headers_to_send(ask.headers, secrets=secrets)
                request = client.build_request(ask.method, url, headers=headers, timeout=ask.timeout)
                response = await _send(client, request, ask.stage, watch)
                slots.answered(url, response)
                try:
                    if response.status_code not in REDIRECTS:
                        yield HttpResponse(
                            response=response, url=url, redirects=seen, secrets_sent=secrets, number=number
                        )
                        return
                    target = redirect_target(
                        url, response, stage=ask.stage, insecure_hosts=ask.insecure_hosts, secrets=ask.secrets
                    )
                    await drain(response, watch)
                finally:
                    await response.aclose()
        seen = (*seen, redacted(url))
        check_count(seen, ask.max_redirects, stage=ask.stage)
        url = target


async def _send(client: httpx.AsyncClient, request: httpx.Request, stage: Stage, watch: Stopwatch) -> httpx.Response:
    try:
        async with watch.running():
            return await client.send(request, stream=True, auth=None, follow_redirects=False)
    except (httpx.TransportError, OSError) as error:
        raise SendError(request.url, error) from error
    except (httpx.InvalidURL, UnicodeError) as error:  # httpx reads where a redirect leads before we can
        raise unreadable_target(request.url, stage) from error


def body_of(reply: HttpResponse) -> AsyncGenerator[bytes, None]:
    """The body in pieces, its content encoding undone. Raises EncodingError, httpx.TransportError or OSError."""
    response = reply.response
    if response.is_stream_consumed:  # an injected transport gave it whole, and httpx has undone its encoding
        return _whole(response.content)
    return decoded(_in_turns(response.aiter_raw()), encoding_of(response))


async def _in_turns(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The same pieces. A server that sends thousands of tiny ones at once holds up nothing but itself."""
    taken = 0
    async for piece in pieces:
        yield piece
        taken += 1
        if taken % _AT_A_STRETCH == 0:
            await asyncio.sleep(0)


async def _whole(content: bytes) -> AsyncGenerator[bytes, None]:
    yield content


def encoding_of(response: httpx.Response) -> str:
    """The content encoding as the clients read it: of several headers the first one; empty where there is none."""
    return next(iter(response.headers.get_list("content-encoding")), "")


def announced_length(reply: HttpResponse) -> int:
    """Bytes of the body as the server announces them, before an encoding is undone; below zero when it does not."""
    return _length(reply.response)


def _length(response: httpx.Response) -> int:
    if "transfer-encoding" in response.headers:  # RFC 9112, 6.3: then a length beside it means nothing
        return -1
    text = response.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else -1


async def drain(response: httpx.Response, watch: Stopwatch) -> None:
    """Read a short body to its end, whatever comes of it; leave a long one, whose connection is then closed."""
    if response.is_stream_consumed or not 0 <= _length(response) <= _DRAINED:
        return
    with contextlib.suppress(httpx.TransportError, TimeoutError):
        async with watch.running():
            async for _ in response.aiter_raw():
                pass

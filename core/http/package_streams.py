"""A package on its way from a server, in pieces, with the trouble that may come up half-way as typed errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from types import MappingProxyType
from typing import Final, Self

import httpx
from msgspec import Struct

from lockwarden.core.http.content_encoding import EncodedEndError, EncodingError, is_encoded
from lockwarden.core.http.exchanges import HttpResponse, announced_length, body_of, encoding_of
from lockwarden.core.http.request_reporting import UNREPORTED, RequestReporting
from lockwarden.core.http.retries import limits_requests
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.transport_errors import explain_transport_error
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of, redacted

_LONGEST_VALUE: Final = 200

PASSING_CODES: Final = frozenset(
    {ProblemCode.TIMEOUT, ProblemCode.CONNECTION_RESET, ProblemCode.SHORT_BODY, ProblemCode.NO_CONNECTION}
)
"""Codes of errors in the middle of a package after which it may be asked for anew."""


class AnswerHead(Struct, frozen=True, kw_only=True):
    """What the head of one final answer says, without secrets; kept as evidence of where bytes came from."""

    url: str
    status: int
    redirects: tuple[str, ...] = ()
    """The URLs that led there."""
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    limited: bool = False
    """Whether it says that the host was asked too often."""

    @classmethod
    def of(cls, reply: HttpResponse) -> Self:
        """The head of an answer."""
        headers = reply.response.headers
        return cls(
            url=redacted(reply.url),
            status=reply.response.status_code,
            redirects=reply.redirects,
            content_type=headers.get("content-type", "")[:_LONGEST_VALUE],
            etag=headers.get("etag", "")[:_LONGEST_VALUE],
            last_modified=headers.get("last-modified", "")[:_LONGEST_VALUE],
            limited=limits_requests(reply.response.status_code, headers),
        )


class PackageStream(Struct, frozen=True, kw_only=True):
    """The answer to a request for a package. Whatever its status, its bytes are only what the server sent."""

    url: str
    """Where it comes from in the end, without its secrets."""
    status: int
    declared_size: int | None
    """Bytes that are to come; None where the server does not say, or says it of encoded bytes."""
    encoded: bool
    """Whether the bytes come with a content encoding that is undone, which nobody asked for."""
    content_type: str
    headers: Mapping[str, str]
    """All headers, their names in lower case."""
    redirects: tuple[str, ...]
    """The URLs that led here, without their secrets."""
    chunks: AsyncGenerator[bytes, None]
    """With a content encoding undone. Raises NoAnswerError or BadAnswerError; read it once."""
    said: str = ""
    """What the server says of its refusal, where it was read: hostile text without secrets."""


def package_stream(
    reply: HttpResponse, *, stage: Stage, settings: HttpSettings, reporting: RequestReporting = UNREPORTED
) -> PackageStream:
    """Wrap the final answer to a request for a package, which must come within the time and at the rate set."""
    headers = reply.response.headers
    encoded = is_encoded(encoding_of(reply.response))
    length = announced_length(reply)
    size = length if not encoded and length >= 0 else None
    return PackageStream(
        url=redacted(reply.url),
        status=reply.response.status_code,
        declared_size=size,
        encoded=encoded,
        content_type=headers.get("content-type", ""),
        headers=MappingProxyType(dict(headers.items())),
        redirects=reply.redirects,
        chunks=_chunks(reply, stage, settings, lambda received: reporting.arrived(reply.number, received, size)),
    )


async def _chunks(
    reply: HttpResponse, stage: Stage, settings: HttpSettings, arrived: Callable[[int], None]
) -> AsyncGenerator[bytes, None]:
    loop = asyncio.get_running_loop()
    received = 0
    end = loop.time() + settings.package_timeout
    pace = Pace(least=settings.package_least, seconds=settings.package_window, now=loop.time())
    try:
        async with aclosing(body_of(reply)) as pieces:
            while True:
                # Bytes that drip in without any content to give on count as nothing.
                try:
                    async with asyncio.timeout_at(pace.deadline) as patience:
                        piece = await anext(pieces, None)
                except TimeoutError:
                    if patience.expired():
                        raise _given_up(reply, stage, _too_slow(settings)) from None
                    raise
                if piece is None:
                    return
                if not pace.count(len(piece), loop.time()):
                    raise _given_up(reply, stage, _too_slow(settings))
                received += len(piece)
                arrived(received)
                yield piece
                if loop.time() > end:
                    raise _given_up(reply, stage, f"did not come to its end in {settings.package_timeout:g} seconds")
    except EncodedEndError as error:
        raise BadAnswerError(
            f"{redacted(reply.url)} answered with {error}", stage=stage, code=ProblemCode.SHORT_BODY
        ) from error
    except EncodingError as error:
        raise BadAnswerError(
            f"{redacted(reply.url)} answered with {error}", stage=stage, code=ProblemCode.CONTENT_ENCODING
        ) from error
    except (httpx.TransportError, OSError) as error:
        raise explain_transport_error(error, host=host_of(reply.url), in_body=True).error(stage, error) from error


def _too_slow(settings: HttpSettings) -> str:
    least, seconds = settings.package_least, settings.package_window
    return f"sent fewer than {least} bytes in {seconds:g} seconds, which is the lowest rate for a package"


def _given_up(reply: HttpResponse, stage: Stage, what: str) -> NoAnswerError:
    """The error for a package that is not asked for again: it would take as long once more."""
    return NoAnswerError(
        f"{redacted(reply.url)} {what}",
        stage=stage,
        code=ProblemCode.TOO_SLOW,
        hint="the server or the line to it is overloaded, or somebody holds the package back; try later",
    )


class Pace:
    """Counts what comes in one stretch of time after the other; each has to bring at least so many bytes."""

    def __init__(self, *, least: int, seconds: float, now: float) -> None:
        """At least `least` bytes in each `seconds`, from `now` on; times are those of any one clock."""
        self._least = least
        self._seconds = seconds
        self._end = now + seconds
        self._got = 0

    @property
    def deadline(self) -> float:
        """When it is too late, should nothing more come."""
        return self._end if self._got < self._least else self._end + self._seconds

    def count(self, size: int, now: float) -> bool:
        """Count bytes that have come by `now`; False when the stretch before brought too few."""
        if now >= self._end:
            if self._got < self._least:
                return False
            self._end = now + self._seconds
            self._got = 0
        self._got += size
        return True

"""A document from a server, read whole within a limit. Its status is a value: each endpoint has its own table."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from contextlib import aclosing
from types import MappingProxyType
from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core.http.content_encoding import EncodedEndError, EncodingError, is_encoded
from lockwarden.core.http.exchanges import HttpResponse, announced_length, body_of, encoding_of
from lockwarden.core.http.server_words import WITHHELD, holds, unmistakable, words_in
from lockwarden.core.system.allowance import current_allowance
from lockwarden.core.values.errors import BadAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import redacted

_OK: Final = 200
_LONGEST_ERROR: Final = 64 * 1024
"""Bytes of the body that are kept of any answer but 200."""
_LONGEST_HEADER: Final = 100


class HttpDocument(Struct, frozen=True, kw_only=True):
    """A final answer. For statuses other than 200 the body is only what could be read of it."""

    url: str
    """Where it came from in the end. May hold a signed query: show it through `redacted`."""
    status: int
    content_type: str
    """The header as it came, or the empty string."""
    headers: Mapping[str, str]
    """All headers, their names in lower case."""
    body: bytes
    """With a content encoding undone."""
    sha256: str
    """Of `body`, in lower-case hexadecimal digits."""
    redirects: tuple[str, ...]
    """The URLs that led here, without their secrets."""
    credentials_sent: bool
    """Whether a token or a password went with the request that was answered."""
    said: str = ""
    """What the server says of its refusal, short and without secrets: hostile text. Empty for a 200."""

    @property
    def media_type(self) -> str:
        """The content type without its parameters, in lower case."""
        return media_type(self.content_type)


def media_type(content_type: str) -> str:
    """A content type without its parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()


async def read_document(
    reply: HttpResponse,
    *,
    stage: Stage,
    limit: int,
    content_types: frozenset[str] | None,
    credentials_sent: bool,
    secrets: frozenset[str] = frozenset(),
) -> HttpDocument:
    """Read the body, at most `limit` bytes once its encoding is undone.

    Raises BadAnswerError for a 200 of another content type, with damaged gzip data, or that is too long;
    NoAnswerError once the documents of the release are too large together. httpx.TransportError and OSError pass
    through, but not for other statuses. What the server says of its refusal, and its content type, are withheld where
    they hold `secrets`.
    """
    said = ""
    if reply.response.status_code == _OK:
        _check_type(reply, stage, content_types, secrets)
        body = b"" if reply.response.request.method == "HEAD" else await _whole_body(reply, stage, limit)
    else:
        body = await some_body(reply, stage, min(limit, _LONGEST_ERROR))
        said = words_in(body, secrets=secrets, status=reply.response.status_code)
    return HttpDocument(
        url=str(reply.url),
        status=reply.response.status_code,
        content_type=_content_type(reply, secrets),
        headers=MappingProxyType(dict(reply.response.headers.items())),
        body=body,
        sha256=hashlib.sha256(body).hexdigest(),
        redirects=reply.redirects,
        credentials_sent=credentials_sent,
        said=said,
    )


def _content_type(reply: HttpResponse, secrets: frozenset[str]) -> str:
    header: str = reply.response.headers.get("content-type", "")
    return WITHHELD if holds(header, unmistakable(secrets)) else header


def _check_type(
    reply: HttpResponse, stage: Stage, content_types: frozenset[str] | None, secrets: frozenset[str]
) -> None:
    header = _content_type(reply, secrets)
    if content_types is None or media_type(header) in content_types:
        return
    wanted = " or ".join(sorted(content_types))
    raise BadAnswerError(
        f"{redacted(reply.url)} answered with the content type “{header[:_LONGEST_HEADER]}” instead of {wanted}"
        if header
        else f"{redacted(reply.url)} answered without a content type; it should be {wanted}",
        stage=stage,
        code=ProblemCode.CONTENT_TYPE,
        hint="a proxy or a login page probably answered in its place"
        if media_type(header) == "text/html"
        else "look at what is given out there; ask who runs the server to name the right content type",
    )


async def _whole_body(reply: HttpResponse, stage: Stage, limit: int) -> bytes:
    url = redacted(reply.url)
    too_large = BadAnswerError(
        f"{url} answered with more than {limit} bytes, which is the limit",
        stage=stage,
        code=ProblemCode.TOO_LARGE,
        hint="such a document usually has a few kilobytes; look at what is given out there",
    )
    body = bytearray()
    allowance = current_allowance()
    try:
        if not is_encoded(encoding_of(reply.response)) and announced_length(reply) > limit:
            raise too_large
        async with aclosing(body_of(reply)) as pieces:
            async for piece in pieces:
                allowance.charge_document(len(piece), stage=stage)
                body += piece
                if len(body) > limit:
                    raise too_large
    except EncodedEndError as error:
        raise BadAnswerError(f"{url} answered with {error}", stage=stage, code=ProblemCode.SHORT_BODY) from error
    except EncodingError as error:
        raise BadAnswerError(f"{url} answered with {error}", stage=stage, code=ProblemCode.CONTENT_ENCODING) from error
    return bytes(body)


async def some_body(reply: HttpResponse, stage: Stage, limit: int = _LONGEST_ERROR) -> bytes:
    """What could be read of a body, at most `limit` bytes."""
    body = bytearray()
    allowance = current_allowance()
    with contextlib.suppress(EncodingError, httpx.TransportError, OSError):
        async with aclosing(body_of(reply)) as pieces:
            async for piece in pieces:
                allowance.charge_document(len(piece), stage=stage)
                body += piece
                if len(body) >= limit:
                    break
    return bytes(body[:limit])

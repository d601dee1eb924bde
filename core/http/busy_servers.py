"""What to do about a server that is overloaded or broken, or that limits how often it is asked."""

from __future__ import annotations

import contextlib
from http import HTTPStatus
from typing import Final

from lockwarden.core.http.documents import some_body
from lockwarden.core.http.exchanges import HttpResponse, Stopwatch
from lockwarden.core.http.retries import LONGEST_WAIT, Retry, limits_requests, pause_asked
from lockwarden.core.http.server_words import quoted, words_in
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of

_LIMITED: Final = "the server limits how often it is asked: try again after a while, or ask less at once with --jobs"


async def busy_server(
    reply: HttpResponse, watch: Stopwatch, stage: Stage, secrets: frozenset[str], *, now: float
) -> Retry:
    """To ask again, later if the server says when; `now` is in seconds since 1970. Its words never hold `secrets`.

    The sentence names the host and no document: so it is the same one for all that wait for it, and told once.
    """
    said, status = "", reply.response.status_code
    with contextlib.suppress(TimeoutError):
        async with watch.running():
            said = quoted(words_in(await some_body(reply, stage), secrets=secrets, status=status))
    asked = pause_asked(reply.response.headers, now)
    after = f" and asks to wait {asked:.0f} seconds" if asked else ""
    error = NoAnswerError(
        f"{host_of(reply.url)} answered {status} {phrase(status)}".rstrip() + after + said,
        stage=stage,
        code=ProblemCode.HTTP_STATUS,
        hint=_LIMITED
        if limits_requests(status, reply.response.headers)
        else "the server is overloaded or broken; try later",
    )
    return Retry(error=error, after=None if asked is None else min(asked, LONGEST_WAIT))


def phrase(status: int) -> str:
    """The usual words for a status, not the server's."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""

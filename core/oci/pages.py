"""Lists that a registry gives out in pages, each of which leads to the next by a `Link` header (RFC 8288)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import httpx

from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.registry import Registries
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import redacted, resolved

MAX_PAGES: Final = 1_000
"""Pages of one list: a registry could lead in a circle."""
MAX_PAGE: Final = 8 * 1024 * 1024
"""Bytes of one page. Ten thousand tags have some two hundred thousand."""
MAX_SECONDS: Final = 120.0
"""For all pages of one list together."""
_LINK: Final = re.compile(r"\s*<([^>]*)>((?:[^,\"]|\"[^\"]*\")*)(?:,|$)")
_RELATION: Final = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))", re.IGNORECASE)


async def each_page(
    registries: Registries,
    access: Access,
    url: str,
    take: Callable[[HttpDocument], None],
    *,
    stage: Stage,
    most: int | None = None,
    limit: int = MAX_PAGE,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Hand the pages of a list to `take`, from its first one on. A page whose status is not 200 is the last one.

    Raises BadAnswerError for a link to another host, in a circle or without end; NoAnswerError when a page, or all of
    them together, took too long; and what asking and `take` raise.
    """
    most = most or MAX_PAGES
    loop = asyncio.get_running_loop()
    end = loop.time() + MAX_SECONDS
    seen: set[str] = set()
    following: str | None = url
    while following is not None:
        if following in seen:
            raise _endless(following, "leads in a circle", ProblemCode.LINK_LOOP, stage)
        seen.add(following)
        if len(seen) > most:
            raise _endless(url, f"has more than {most} pages, which is the limit", ProblemCode.TOO_MANY_PAGES, stage)
        asked = registries.ask(access, following, stage=stage, limit=limit, headers=headers)
        document = await _page(asked, following, end - loop.time(), stage)
        take(document)
        if document.status != 200:
            return
        following = _next(document, access, stage)


async def _page(asked: Awaitable[HttpDocument], url: str, seconds: float, stage: Stage) -> HttpDocument:
    try:
        async with asyncio.timeout(seconds):
            return await asked
    except TimeoutError as error:
        raise NoAnswerError(
            f"the list at {redacted(url)} did not come to its end within {MAX_SECONDS:.0f} seconds",
            stage=stage,
            code=ProblemCode.TIMEOUT,
            hint="the registry is overloaded, or it gives out a list without end",
        ) from error


def _next(document: HttpDocument, access: Access, stage: Stage) -> str | None:
    header = document.headers.get("link", "")
    if not header.strip():
        return None
    reference = next_link(header)
    if reference is None:
        return None
    url = resolved(document.url, reference, stage=stage)
    if not access.answers_for(url) or httpx.URL(url).userinfo:
        raise BadAnswerError(
            f"the list at {redacted(document.url)} goes on at {redacted(url)}, which is another place;"
            " nothing was asked there",
            stage=stage,
            code=ProblemCode.LINK_ELSEWHERE,
            hint="tell whoever runs the registry",
        )
    return url


def next_link(header: str) -> str | None:
    """The target of the first link that leads to a next page; a link that names no relation counts as one."""
    at = 0
    while match := _LINK.match(header, at):
        relation = _RELATION.search(match[2])
        names = ["next"] if relation is None else (relation[1] or relation[2] or "").lower().split()
        if "next" in names:
            return match[1]
        at = match.end()
    return None


def _endless(url: str, what: str, code: ProblemCode, stage: Stage) -> SourceError:
    return BadAnswerError(
        f"the list at {redacted(url)} {what}", stage=stage, code=code, hint="tell whoever runs the registry"
    )

"""Brings a package from a server into the package store, and goes on, or begins anew, when the transfer breaks off."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Final, Self

import msgspec
from msgspec import Struct

from lockwarden.core.http.busy_servers import phrase
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.package_streams import PASSING_CODES, AnswerHead, PackageStream
from lockwarden.core.http.retries import Retry, RetryBudget
from lockwarden.core.http.server_words import quoted, secrets_of, words_in
from lockwarden.core.store.incoming_packages import Arrival
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode

_OK: Final = 200
_NO_ACCESS: Final = frozenset({401, 403})
_PROXY: Final = 407
_LONGEST_ERROR: Final = 64 * 1024
"""Bytes of a refusal's body that are read for its words."""

Unsuccessful = Callable[[PackageStream, Stage], SourceError]
"""What another status than 200 means."""


PARTIAL: Final = 206
NOT_SATISFIABLE: Final = 416
_STRONG_TAG: Final = re.compile(r'"[\x21\x23-\x7e]{1,200}"\Z')


def unsuccessful(stream: PackageStream, stage: Stage) -> SourceError:
    """What another status than 200 means where a document names a package at an open server."""
    message = f"{stream.url} answered {stream.status} {phrase(stream.status)}".rstrip() + quoted(stream.said)
    if stream.status in _NO_ACCESS:
        return NoAnswerError(
            message,
            stage=stage,
            code=ProblemCode.HTTP_STATUS,
            hint="packages are fetched without credentials, as OpenTofu does, while Terraform shows what .netrc has for"
            " the host; ask who runs the source to give out links that work without, and whether a filter on the way"
            " refuses it",
        )
    if stream.status == _PROXY:
        hint = "write the proxy's user name and password into HTTPS_PROXY or HTTP_PROXY"
        return NoAnswerError(message, stage=stage, code=ProblemCode.HTTP_STATUS, hint=hint)
    if stream.status >= 500:
        return NoAnswerError(message, stage=stage, code=ProblemCode.HTTP_STATUS, hint="the server is broken; try later")
    return BadAnswerError(
        message,
        stage=stage,
        code=ProblemCode.HTTP_STATUS,
        hint="the source names a package that its server does not give out; ask who runs the source",
    )


async def download(
    client: HttpClient,
    url: str,
    store: PackageStore,
    *,
    stage: Stage = Stage.PACKAGE,
    on_bytes: Callable[[int], None] = lambda _: None,
    on_answer: Callable[[AnswerHead], None] = lambda _: None,
    declared_size: int | None = None,
    headers: Mapping[str, str] | None = None,
    plain_secrets: bool = False,
    unsuccessful: Unsuccessful = unsuccessful,
    expected: Hash | None = None,
    promised: Callable[[Hash], bool] | None = None,
    promised_size: int | None = None,
) -> StoredPackage:
    """Fetch the package at `url` into the store; `on_bytes` gets the number of bytes so far, `on_answer` every head.

    A transfer that breaks off goes on where it stopped if the server says that the package is still the same one. If
    such a package is not the `expected` one, or without that has no hash that was `promised`, it is fetched once more
    in one piece: the server's word alone makes no package of two parts.

    It is kept for later only where its hash is `promised` by some document, without that where it is `expected`. Of an
    answer that is compressed, though nobody asked for that, no more is taken than `promised_size`.

    `declared_size` is what somebody else than the server says of its bytes. Headers that hold secrets go to the URL's
    own host only, over https; with `plain_secrets` also over plain http where that is this machine.

    Raises NoAnswerError when it could not be fetched and BadAnswerError when the server gave something unusable,
    also when it does not have a package that it was said to have; what another status than 200 means, `unsuccessful`
    says. What arrived is hashed, not vouched for.
    """
    transfer = _Transfer(
        client=client,
        url=url,
        stage=stage,
        headers=headers or {},
        plain_secrets=plain_secrets,
        unsuccessful=unsuccessful,
        declared_size=declared_size,
        promised_size=promised_size,
        on_bytes=on_bytes,
        on_answer=on_answer,
    )
    kept = promised or (lambda zh: zh == expected)
    with store.arrival(promised=kept) as arrival:
        await transfer.run(arrival)
        stored = await arrival.finish()
    if not transfer.resumed or (stored.zh == expected if expected is not None else _is_promised(stored, kept)):
        return stored
    # Two attempts made one whole that nobody promised: perhaps the server's tag for both was wrong.
    with store.arrival(promised=kept) as arrival:
        await replace(transfer, may_resume=False, _point=None).run(arrival)
        return await arrival.finish()


def _is_promised(stored: StoredPackage, promised: Callable[[Hash], bool]) -> bool:
    """Whether some document has the package, by any of its hashes."""
    facts = stored.facts
    h1s = () if facts is None else (facts.h1_archive, facts.h1_directory)
    return any(each is not None and promised(each) for each in (stored.zh, *h1s))


@dataclass(kw_only=True)
class _Transfer:
    """The attempts at one package."""

    client: HttpClient
    url: str
    stage: Stage
    headers: Mapping[str, str]
    plain_secrets: bool
    unsuccessful: Unsuccessful
    declared_size: int | None
    promised_size: int | None
    on_bytes: Callable[[int], None]
    on_answer: Callable[[AnswerHead], None]
    may_resume: bool = True
    resumed: bool = False
    """Whether the package was put together from several answers."""
    _point: ResumePoint | None = None

    async def run(self, arrival: Arrival[StoredPackage]) -> None:
        """Bring the whole package; a transfer that breaks off goes on where it stopped, or else anew."""
        budget = RetryBudget(self.client.settings.package_retries)
        await self.client.persist(self.url, self.stage, budget, lambda: self._attempt(arrival))

    async def _attempt(self, arrival: Arrival[StoredPackage]) -> Retry | None:
        point = self._point
        headers = self.headers if point is None else {**self.headers, **point.headers(arrival.size)}
        # The connection is given back when the stack ends, before the package is looked into.
        async with AsyncExitStack() as stack:
            stream = await self.client.begin_package(
                self.url,
                stack,
                stage=self.stage,
                headers=headers,
                plain_secrets=self.plain_secrets,
                on_answer=self.on_answer,
            )
            if isinstance(stream, Retry):
                return stream
            if point is not None and stream.status in {PARTIAL, NOT_SATISFIABLE}:
                if stream.status != PARTIAL or not point.continued_by(stream, arrival.size):
                    self._point = None
                    return Retry(error=_not_continued(stream, self.stage), after=0.0)
                self.resumed = True
                size: int | None = point.total
            elif stream.status == _OK:
                arrival.restart()
                self.resumed = False
                self._point = ResumePoint.of(stream) if self.may_resume else None
                size = self.promised_size if stream.encoded else stream.declared_size
            else:
                raise self.unsuccessful(msgspec.structs.replace(stream, said=await self._said(stream)), self.stage)
            try:
                declared = size if self.declared_size is None else self.declared_size
                await arrival.add(stream.chunks, declared_size=declared, on_bytes=self.on_bytes)
            except SourceError as error:
                if error.code not in PASSING_CODES:
                    raise
                return Retry(error=error)
        return None

    async def _said(self, stream: PackageStream) -> str:
        """What the server says of its refusal, as far as it comes soon."""
        body = bytearray()
        with contextlib.suppress(SourceError, TimeoutError):
            async with asyncio.timeout(self.client.settings.metadata_timeout):
                async for piece in stream.chunks:
                    body += piece
                    if len(body) >= _LONGEST_ERROR:
                        break
        secrets = self.client.secrets_sent | secrets_of(self.headers)
        return words_in(bytes(body[:_LONGEST_ERROR]), secrets=secrets, status=stream.status)


def _not_continued(stream: PackageStream, stage: Stage) -> SourceError:
    return BadAnswerError(
        f"{stream.url} did not go on with the package where it broke off",
        stage=stage,
        code=ProblemCode.NOT_CONTINUED,
        hint="try again; the package may have been replaced meanwhile",
    )


class ResumePoint(Struct, frozen=True, kw_only=True):
    """What has to be the same for the rest of a package to be the rest of that one."""

    url: str
    """Where it comes from in the end, without secrets."""
    tag: str
    """The server's strong entity tag."""
    total: int
    """Bytes of the whole package."""

    @classmethod
    def of(cls, stream: PackageStream) -> Self | None:
        """The point for a whole answer; None where the server gives nothing to hold on to."""
        tag = stream.headers.get("etag", "")
        if stream.declared_size is None or not _STRONG_TAG.match(tag):
            return None
        return cls(url=stream.url, tag=tag, total=stream.declared_size)

    def headers(self, start: int) -> Mapping[str, str]:
        """Ask for the bytes from `start` on, or for everything where the package is another one by now."""
        return {"Range": f"bytes={start}-", "If-Range": self.tag}

    def continued_by(self, stream: PackageStream, start: int) -> bool:
        """Whether a partial answer is the rest of the same package from `start` on."""
        return (
            stream.url == self.url
            and stream.headers.get("etag", "") == self.tag
            and stream.headers.get("content-range", "") == f"bytes {start}-{self.total - 1}/{self.total}"
            and stream.declared_size == self.total - start
        )

"""Brings a package from a server into the package store, and begins anew when the transfer breaks off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Final

from lockwarden.core.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.http.client import HttpClient, phrase
from lockwarden.core.http.package_streams import PASSING_CODES, PackageStream
from lockwarden.core.http.retries import Again, RetryBudget
from lockwarden.core.packages import PackageStore, StoredPackage

_OK: Final = 200
_NO_ACCESS: Final = frozenset({401, 403, 407})

Unsuccessful = Callable[[PackageStream, Stage], SourceError]
"""What another status than 200 means."""


def unsuccessful(stream: PackageStream, stage: Stage) -> SourceError:
    """What another status than 200 means where a document names a package at an open server."""
    message = f"{stream.url} answered {stream.status} {phrase(stream.status)}".rstrip()
    if stream.status in _NO_ACCESS:
        return NoAnswerError(
            message,
            stage=stage,
            code="http-status",
            hint="the server wants credentials, and packages are fetched without any",
        )
    if stream.status >= 500:
        return NoAnswerError(message, stage=stage, code="http-status", hint="the server is broken; try later")
    return BadAnswerError(
        message, stage=stage, code="http-status", hint="the source names a package that its server does not give"
    )


async def download(
    client: HttpClient,
    url: str,
    store: PackageStore,
    *,
    stage: Stage = Stage.PACKAGE,
    on_bytes: Callable[[int], None] = lambda _: None,
    declared_size: int | None = None,
    headers: Mapping[str, str] | None = None,
    plain_secrets: bool = False,
    unsuccessful: Unsuccessful = unsuccessful,
) -> StoredPackage:
    """Fetch the package at `url` into the store; `on_bytes` gets the number of bytes so far, anew for each attempt.

    `declared_size` is what somebody else than the server says of its bytes. Headers that hold secrets go to the URL's
    own host only, over https; with `plain_secrets` also over plain http where that is this machine.

    Raises NoAnswerError when it could not be fetched and BadAnswerError when the server gave something unusable,
    also when it does not have a package that it was said to have; what another status than 200 means, `unsuccessful`
    says. What arrived is hashed, not vouched for.
    """
    budget = RetryBudget(client.settings.package_retries)

    async def attempt() -> StoredPackage | Again:
        stack = AsyncExitStack()
        try:
            stream = await client.begin_package(url, stack, stage=stage, headers=headers, plain_secrets=plain_secrets)
            if isinstance(stream, Again):
                return stream
            if stream.status != _OK:
                raise unsuccessful(stream, stage)
            try:
                size = stream.declared_size if declared_size is None else declared_size
                return await store.receive(stream.chunks, declared_size=size, on_bytes=on_bytes)
            except SourceError as error:
                if error.code not in PASSING_CODES:
                    raise
                return Again(error=error)
        finally:
            await stack.aclose()

    return await client.persist(url, stage, budget, attempt)

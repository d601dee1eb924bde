"""What stands between a question and the servers: nothing, somebody who writes the answer down, or a recording.

Questions to servers pass here as they are meant, above retries, redirects and log-ins: what comes back is the final
answer, or the error that stands for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol, Self

from msgspec import Struct

from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.server_words import secrets_of
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.errors import Stage

_CLIENT: Final = "x-terraform-version"
"""The header by which a registry may answer one client in another way than the other."""


class DocumentQuestion(Struct, frozen=True, kw_only=True):
    """One question for a document, with all that an answer may depend on."""

    method: str
    url: str
    """As it is asked. It may hold secrets."""
    stage: Stage
    limit: int
    """Bytes that the answer may have."""
    accept: str = ""
    client: str = ""
    """The version of the client as which it is asked; empty where that is not told."""
    content_types: frozenset[str] | None = None
    """What a 200 must have; None for anything."""
    secrets: frozenset[str] = frozenset()
    """What was sent to be let in."""

    @classmethod
    def of(
        cls,
        url: str,
        headers: Mapping[str, str],
        *,
        method: str,
        stage: Stage,
        limit: int,
        content_types: frozenset[str] | None = None,
    ) -> Self:
        """The question that a request with these headers asks."""
        told = {name.lower(): value for name, value in headers.items()}
        return cls(
            method=method,
            url=url,
            stage=stage,
            limit=limit,
            accept=told.get("accept", ""),
            client=told.get(_CLIENT, ""),
            content_types=content_types,
            secrets=secrets_of(headers),
        )


class Tape(Protocol):
    """Gets the answer to a question, by asking or without."""

    @property
    def replays(self) -> bool:
        """Whether nobody is ever asked."""
        ...

    async def document(self, question: DocumentQuestion, ask: Callable[[], Awaitable[HttpDocument]]) -> HttpDocument:
        """The answer to a question; `ask` asks the server. Raises SourceError as that does."""
        ...

    async def package(self, url: str, stage: Stage, fetch: Callable[[], Awaitable[KnownPackage]]) -> KnownPackage:
        """What the package at a URL is; `fetch` finds out. Raises SourceError as that does."""
        ...

    def sent(self, secret: str) -> None:
        """Hear of something that was sent to be let in, and that no record may hold."""
        ...


class _Live:
    """Everybody is asked, and nothing is written down."""

    replays: Final = False

    async def document(self, question: DocumentQuestion, ask: Callable[[], Awaitable[HttpDocument]]) -> HttpDocument:  # noqa: ARG002
        return await ask()

    async def package(self, url: str, stage: Stage, fetch: Callable[[], Awaitable[KnownPackage]]) -> KnownPackage:  # noqa: ARG002
        return await fetch()

    def sent(self, secret: str) -> None:
        """Nothing is written down."""


LIVE: Final[Tape] = _Live()

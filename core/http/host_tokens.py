"""Tokens for hosts: each is looked up once, and it is kept which hosts have been sent it."""

from __future__ import annotations

import asyncio
from typing import Protocol

from lockwarden.core.values.errors import NoAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode


class CredentialsLookup(Protocol):
    """Gives the token for a host in comparison form, or None. It may block; it is called in a thread."""

    def __call__(self, host: str, /) -> str | None:
        """The token for `host`, or None. May raise a SourceError, which then ends the request."""
        ...


def no_credentials(_: str) -> str | None:
    """Know no token for any host."""
    return None


class HostTokens:
    """The tokens that one HTTP client has looked up, and sent. Hosts are in comparison form."""

    def __init__(self, lookup: CredentialsLookup) -> None:
        self._lookup = lookup
        self._known: dict[str, str | None] = {}
        """What the lookup has said of hosts: a thread each time would cost more than the question."""
        self._sent: dict[str, set[str]] = {}

    async def of(self, host: str | None, stage: Stage) -> str | None:
        """The token for a host; None where there is none, or no host. Raises NoAnswerError for one of no use."""
        if host is None:
            return None
        if host in self._known:
            return self._known[host]
        try:
            token = await asyncio.to_thread(self._lookup, host)
        except SourceError:
            if stage is not Stage.DISCOVERY:
                raise
            return None  # as the clients do: whoever asks for more than the services will be told
        if token is not None and not (token.isascii() and token.isprintable()):
            raise NoAnswerError(
                f"the token for {host} holds characters that cannot be sent",
                stage=stage,
                code=ProblemCode.CREDENTIALS_UNUSABLE,
                hint="look for a line end or a quotation mark in the credentials",
            )
        self._known[host] = token
        return token

    def sent_to(self, host: str) -> set[str]:
        """Where the hosts are noted that are sent the token for `host`."""
        return self._sent.setdefault(host, set())

    def seen_by(self, host: str) -> tuple[str, ...]:
        """The hosts that have been sent the token for `host` so far, that one first."""
        return tuple(sorted(self._sent.get(host, set()), key=lambda each: (each != host, each)))

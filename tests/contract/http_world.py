"""A misbehaving server, a client that trusts it, and what the client did meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from contract.faulty_server import Answer, FaultyServer

from lockwarden.core.evidence.events import AuditEvent, RetryScheduled
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.host_tokens import CredentialsLookup, no_credentials
from lockwarden.core.http.package_streams import PackageStream
from lockwarden.core.http.retries import RetryBudget
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage

Run = Callable[..., None]
"""Runs a scenario in a world: `run(scenario, tls=…, credentials=…, **settings)`."""
JSON = {"Content-Type": "application/json"}
OK = Answer(headers=JSON, body=b'{"versions": []}')


class World:
    """A server, a client that trusts it, and what the client did: waits and events."""

    def __init__(
        self, server: FaultyServer, settings: HttpSettings, credentials: CredentialsLookup = no_credentials
    ) -> None:
        self.server = server
        self.waits: list[float] = []
        self.events: list[AuditEvent] = []
        self.client = HttpClient(
            settings,
            report=self.events.append,
            credentials=credentials,
            sleep=self.sleep,
            now=lambda: 784_111_777.0,
        )

    @property
    def retries(self) -> list[RetryScheduled]:
        return [event for event in self.events if isinstance(event, RetryScheduled)]

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def get(self, url: str, **options: Any) -> HttpDocument:
        return await self.client.get_document(url, **{"stage": Stage.VERSIONS, "limit": 10_000, **options})

    @asynccontextmanager
    async def stream_package(self, url: str) -> AsyncIterator[PackageStream]:
        async with AsyncExitStack() as stack:
            budget = RetryBudget(self.client.settings.package_retries)
            begin = self.client.begin_package
            yield await self.client.persist(url, Stage.PACKAGE, budget, lambda: begin(url, stack))

    async def fails(self, url: str, **options: Any) -> SourceError:
        with pytest.raises((NoAnswerError, BadAnswerError)) as caught:
            await self.get(url, **options)
        assert caught.value.stage is Stage.VERSIONS
        return caught.value
